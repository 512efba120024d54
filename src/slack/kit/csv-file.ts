import { escaped } from '../../lib/input/slack-text.ts';
import type { SlackCtx } from '../ctx.ts';
import { asMessage, type MessageContent } from './message.ts';
import { conversationWith } from './places.ts';

/** Spreadsheets calculate such fields (OWASP, "CSV Injection"). */
const FORMULA = /^[=+\-@\t\r]/;

/** Sends the list to the person's direct messages, and returns what says so. */
export async function sendCsv(
  ctx: SlackCtx,
  userId: string,
  { name, title, lines }: { name: string; title: string; lines: readonly (readonly string[])[] },
): Promise<MessageContent> {
  await sendFile(ctx, userId, { filename: `${name}.csv`, title, text: lines.map(csvLine).join('') });
  return asMessage('📄 The list is in your DMs with Notif, for you alone.');
}

/** Slack requires a file's length first, so it's built in memory. */
export async function sendFile(
  { client }: SlackCtx,
  userId: string,
  { filename, title, text }: { filename: string; title: string; text: string },
): Promise<void> {
  const channel = await conversationWith(userId, client);
  const file = { file: Buffer.from(text), filename, title };
  // Without a comment, the message that notifies the person is empty.
  await client.files.uploadV2({ ...file, initial_comment: `📄 ${escaped(title)}`, channel_id: channel });
}

/** A line of RFC 4180. */
export function csvLine(fields: readonly string[]): string {
  const quoted = fields.map((field) => (FORMULA.test(field) ? `'${field}` : field).replaceAll('"', '""'));
  return `"${quoted.join('","')}"\r\n`;
}
