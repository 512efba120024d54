import { parseArgs } from 'node:util';
import type { Direction } from './director/protocol.ts';
import type { Order } from './director/send-order.ts';
import { ArgumentsError, answerHelp, readNumber, reasonOf } from './read-arguments.ts';

export interface DirectArguments {
  /** The port of the running sandbox's page. */
  readonly port: number;
  /** The order for the director; null only requests the state. */
  readonly order: Order | null;
}

const usage = `Usage: npm run sandbox:direct -- start <scenario> [--seed N] [--speed N]
       npm run sandbox:direct -- stop <scenario>
       npm run sandbox:direct -- speed <scenario> N
       npm run sandbox:direct -- state
       npm run sandbox:direct -- --help
Each takes [--port N], the page's, which is 4600.`;

/**
 * Parses the arguments. The director checks whether the scenario exists.
 *
 * @throws HelpAsked; ArgumentsError for unknown arguments and invalid numbers.
 */
export function readDirectArguments(argv: readonly string[]): DirectArguments {
  answerHelp(argv, usage);
  const { values, positionals } = parse(argv);
  const port = readNumber('--port', values.port ?? '4600', { lowest: 1, highest: 65_535, usage });
  const [verb = 'state', scenario, speed] = positionals;
  if (verb === 'state') return { port, order: null };
  if (scenario === undefined) throw new ArgumentsError(`${verb} takes the name of a scenario.\n${usage}`);
  return { port, order: { scenario, direction: directionOf(verb, values, speed) } };
}

type Values = ReturnType<typeof parse>['values'];

function directionOf(verb: string, { seed, speed }: Values, newSpeed: string | undefined): Direction {
  switch (verb) {
    case 'start':
      return {
        do: 'start',
        ...(seed !== undefined && { seed: readNumber('--seed', seed, { lowest: 0, highest: 2 ** 32 - 1, usage }) }),
        ...(speed !== undefined && { speed: readSpeed('--speed', speed) }),
      };
    case 'stop':
      return { do: 'stop' };
    case 'speed':
      return { do: 'set-speed', speed: readSpeed('speed', newSpeed ?? '') };
    default:
      throw new ArgumentsError(`Unknown command "${verb}".\n${usage}`);
  }
}

function readSpeed(name: string, value: string): number {
  return readNumber(name, value, { lowest: 1, highest: 64, usage });
}

function parse(argv: readonly string[]) {
  try {
    const options = { port: { type: 'string' }, seed: { type: 'string' }, speed: { type: 'string' } } as const;
    return parseArgs({ args: [...argv], options, allowPositionals: true });
  } catch (cause) {
    throw new ArgumentsError(`${reasonOf(cause)}\n${usage}`, { cause });
  }
}
