import { z } from 'zod';
import { DEFAULT_SEED, SPEEDS } from './director/protocol.ts';
import { SCENARIOS } from './director/scenarios.ts';
import { flag, port, readArguments, seed } from './read-arguments.ts';

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
  readonly keep: boolean;
  readonly opening: Opening;
  readonly list: boolean;
}

const usage = `Usage: npm run sandbox -- [--scenario NAME] [--seed N] [--speed 1|4|16] [--page-port N] [--service-port N] [--keep]
       npm run sandbox -- --list
       npm run sandbox -- --help
--scenario      what goes wrong first, at once; --list names the scenarios (default: provider-outage, after 25 s)
--seed, --speed of that scenario
--page-port     where the page is (4600); --service-port where production is (4010). The next free port is taken
--keep          keep what the bot stored at the last run`;

export const PAGE_PORT = 4600;

/** Time to open the page and see a healthy state before the outage. */
const TIME_TO_LOOK_MS = 25_000;

const names = SCENARIOS.map(({ name }) => name);

const shape = {
  'page-port': port.default(PAGE_PORT),
  /** Staging needs a port above production's. */
  'service-port': port.max(65_534).default(4010),
  keep: flag,
  scenario: z.enum(names, `takes one of ${names.join(', ')}`).optional(),
  seed: seed.default(DEFAULT_SEED),
  speed: z.coerce.number().pipe(z.literal(SPEEDS)).default(1),
  list: flag,
};

/** @throws HelpAsked; ArgumentsError for an unknown argument, scenario or speed, or an invalid number. */
export function readRunArguments(argv: readonly string[]): RunArguments {
  const { values } = readArguments(argv, shape, { usage });
  const { scenario = 'provider-outage', seed, speed, keep, list } = values;
  const inMs = values.scenario === undefined ? TIME_TO_LOOK_MS : 0;
  const opening = { scenario, seed, speed, inMs };
  return { pagePort: values['page-port'], servicePort: values['service-port'], keep, opening, list };
}
