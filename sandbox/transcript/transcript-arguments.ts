import { z } from 'zod';
import { flag, port, readArguments } from '../read-arguments.ts';

export interface TranscriptArguments {
  readonly port: number;
  readonly as: string;
  readonly channel: string;
  readonly once: boolean;
}

const usage = `Usage: npm run sandbox:transcript -- [--channel oncall] [--as ann] [--port 4600] [--once]
Prints a conversation of a running sandbox, message by message with every change, until Ctrl-C; with --once what is there now.`;

const shape = {
  port: port.default(4600),
  as: z.string().default('ann'),
  channel: z.string().default('oncall'),
  once: flag,
};

/** @throws HelpAsked; ArgumentsError for an unknown argument or an invalid number. */
export function readTranscriptArguments(argv: readonly string[]): TranscriptArguments {
  const { as, channel, ...values } = readArguments(argv, shape, { usage }).values;
  return { ...values, as: idOf(as), channel: channel.replace(/^#/, '') };
}

/** Returns an ID as it is, and that of somebody in the seed for a name. */
function idOf(nameOrId: string): string {
  const id = nameOrId.replace(/^@/, '').toUpperCase();
  return /^[UW]0/.test(id) ? id : `U0${id}`;
}
