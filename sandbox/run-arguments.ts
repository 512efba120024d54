import { parseArgs } from 'node:util';

export interface RunArguments {
  /** Where the page and the local Slack are looked for first. */
  readonly pagePort: number;
  /** Where the production service is looked for first; staging takes the next free port. */
  readonly servicePort: number;
  /** Whether the bot keeps what it stored at the last run. */
  readonly keep: boolean;
}

/** Arguments that cannot be meant. The message is a sentence for the person, with the usage. */
export class ArgumentsError extends Error {
  override readonly name = 'ArgumentsError';
}

const usage = 'Usage: npm run sandbox -- [--page-port N] [--service-port N] [--keep]';

/** @throws ArgumentsError for an unknown argument, or a port that is none. */
export function readRunArguments(argv: readonly string[]): RunArguments {
  const values = parse(argv);
  return {
    pagePort: readPort('--page-port', values['page-port'] ?? '4600'),
    servicePort: readPort('--service-port', values['service-port'] ?? '4010'),
    keep: values.keep ?? false,
  };
}

function parse(argv: readonly string[]) {
  try {
    const options = {
      'page-port': { type: 'string' },
      'service-port': { type: 'string' },
      keep: { type: 'boolean' },
    } as const;
    return parseArgs({ args: [...argv], options }).values;
  } catch (cause) {
    throw new ArgumentsError(`${cause instanceof Error ? cause.message : cause}\n${usage}`, { cause });
  }
}

function readPort(name: string, value: string): number {
  const port = Number(value);
  const isPort = /^\d+$/.test(value) && port >= 1 && port <= 65_535;
  if (!isPort) throw new ArgumentsError(`${name} takes a number from 1 to 65535, not "${value}".\n${usage}`);
  return port;
}
