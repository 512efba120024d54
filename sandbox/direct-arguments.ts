import { directionSchema, directionSpeed } from './director/protocol.ts';
import type { Order } from './director/send-order.ts';
import { ArgumentsError, port, readArguments, seed } from './read-arguments.ts';

export interface DirectArguments {
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

const shape = { port: port.default(4600), seed: seed.exactOptional(), speed: directionSpeed.exactOptional() };

/**
 * Parses the arguments. The director checks whether the scenario exists.
 *
 * @throws HelpAsked; ArgumentsError for unknown arguments and invalid numbers.
 */
export function readDirectArguments(argv: readonly string[]): DirectArguments {
  const { values, words } = readArguments(argv, shape, { usage, takesWords: true });
  const { port, ...start } = values;
  const [verb = 'state', scenario, newSpeed] = words;
  if (verb === 'state') return { port, order: null };
  const asked = { start: { do: 'start', ...start }, stop: { do: 'stop' }, speed: { do: 'set-speed', speed: newSpeed } };
  const direction = directionSchema.safeParse(new Map<string, object>(Object.entries(asked)).get(verb));
  if (scenario === undefined || !direction.success)
    throw new ArgumentsError(`Unknown or incomplete: ${words.join(' ')}.\n${usage}`);
  return { port, order: { scenario, direction: direction.data } };
}
