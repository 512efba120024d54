import { parseArgs } from 'node:util';
import { DEFAULT_SEED, SPEEDS } from './director/protocol.ts';
import { SCENARIOS } from './director/scenarios.ts';
import { ArgumentsError, answerHelp, readChoice, readNumber, reasonOf } from './read-arguments.ts';

/** The scenario that plays at the start. */
export interface Opening {
  readonly scenario: string;
  readonly seed: number;
  readonly speed: number;
  /** Milliseconds between the bot being ready and the beginning. */
  readonly inMs: number;
}

export interface RunArguments {
  /** The first port to try for the page and the local Slack. */
  readonly pagePort: number;
  /** The first port to try for the production service. Staging takes the next free port. */
  readonly servicePort: number;
  /** Whether the bot keeps the data of the last run. */
  readonly keep: boolean;
  readonly opening: Opening;
  /** Whether to only list the scenarios. */
  readonly list: boolean;
}

const usage = `Usage: npm run sandbox -- [--scenario NAME] [--seed N] [--speed 1|4|16] [--page-port N] [--service-port N] [--keep]
       npm run sandbox -- --list
       npm run sandbox -- --help
--scenario      what goes wrong first, at once; --list names the scenarios (default: provider-outage, after 25 s)
--seed, --speed of that scenario
--page-port     where the page is (4600); --service-port where production is (4010). The next free port is taken
--keep          keep what the bot stored at the last run`;

/** The page's port unless another is requested. */
export const PAGE_PORT = 4600;

/** Staging needs a port above production's. */
const HIGHEST_PORT = 65_535;

/** Time to open the page and see a healthy state before the outage. */
const TIME_TO_LOOK_MS = 25_000;

/**
 * Parses the arguments.
 *
 * @throws HelpAsked; ArgumentsError for an unknown argument, scenario or speed, or an invalid number.
 */
export function readRunArguments(argv: readonly string[]): RunArguments {
  answerHelp(argv, usage);
  const values = parse(argv);
  const port = { lowest: 1, highest: HIGHEST_PORT, usage };
  return {
    pagePort: readNumber('--page-port', values['page-port'] ?? String(PAGE_PORT), port),
    servicePort: readNumber('--service-port', values['service-port'] ?? '4010', { ...port, highest: HIGHEST_PORT - 1 }),
    keep: values.keep ?? false,
    opening: {
      scenario: readChoice('--scenario', values.scenario ?? 'provider-outage', names, usage),
      seed: readNumber('--seed', values.seed ?? String(DEFAULT_SEED), { lowest: 0, highest: 2 ** 32 - 1, usage }),
      speed: Number(readChoice('--speed', values.speed ?? '1', SPEEDS.map(String), usage)),
      inMs: values.scenario === undefined ? TIME_TO_LOOK_MS : 0,
    },
    list: values.list ?? false,
  };
}

const names = SCENARIOS.map(({ name }) => name);

function parse(argv: readonly string[]) {
  try {
    const options = {
      'page-port': { type: 'string' },
      'service-port': { type: 'string' },
      keep: { type: 'boolean' },
      scenario: { type: 'string' },
      seed: { type: 'string' },
      speed: { type: 'string' },
      list: { type: 'boolean' },
    } as const;
    return parseArgs({ args: [...argv], options }).values;
  } catch (cause) {
    throw new ArgumentsError(`${reasonOf(cause)}\n${usage}`, { cause });
  }
}
