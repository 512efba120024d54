import { parseArgs } from 'node:util';
import { ArgumentsError, answerHelp, readNumber, reasonOf } from '../read-arguments.ts';

export interface TranscriptArguments {
  /** The port of the running sandbox's page. */
  readonly port: number;
  /** The id of the person who looks. */
  readonly as: string;
  /** The name of the conversation, without its sign. */
  readonly channel: string;
  /** Whether to print only what is there now. */
  readonly once: boolean;
}

const usage = `Usage: npm run sandbox:transcript -- [--channel oncall] [--as ann] [--port 4600] [--once]
Prints a conversation of a running sandbox, message by message with every change, until Ctrl-C; with --once what is there now.`;

/**
 * Parses the arguments.
 *
 * @throws HelpAsked; ArgumentsError for an unknown argument or an invalid number.
 */
export function readTranscriptArguments(argv: readonly string[]): TranscriptArguments {
  answerHelp(argv, usage);
  const { port = '4600', as = 'ann', channel = 'oncall', once = false } = parse(argv);
  return {
    port: readNumber('--port', port, { lowest: 1, highest: 65_535, usage }),
    as: idOf(as),
    channel: channel.replace(/^#/, ''),
    once,
  };
}

/** Returns an ID as it is, and that of somebody in the seed for a name. */
function idOf(nameOrId: string): string {
  const id = nameOrId.replace(/^@/, '').toUpperCase();
  return /^[UW]0/.test(id) ? id : `U0${id}`;
}

function parse(argv: readonly string[]) {
  try {
    const options = {
      port: { type: 'string' },
      as: { type: 'string' },
      channel: { type: 'string' },
      once: { type: 'boolean' },
    } as const;
    return parseArgs({ args: [...argv], options }).values;
  } catch (cause) {
    throw new ArgumentsError(`${reasonOf(cause)}\n${usage}`, { cause });
  }
}
