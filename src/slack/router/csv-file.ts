import type { SlackCtx } from '../ctx.ts';
import { asMessage } from '../kit/message.ts';
import { conversationWith } from './places.ts';

/** Slack requires a file's length first, so it's built in memory. */
export async function sendCsv(
  { client }: SlackCtx,
  userId: string,
  { name, title, lines }: { name: string; title: string; lines: readonly (readonly string[])[] },
) {
  const channel = await conversationWith(userId, client);
  const file = Buffer.from(lines.map(csvLine).join(''));
  await client.files.uploadV2({ file, filename: `${name}.csv`, title, channel_id: channel });
  return asMessage('📄 The list is in your DMs with Notif, for you alone.');
}

/** Spreadsheets calculate such fields (OWASP, "CSV Injection"). */
const FORMULA = /^[=+\-@\t\r]/;

/** A line of RFC 4180. */
export function csvLine(fields: readonly string[]) {
  const quoted = fields.map((field) => (FORMULA.test(field) ? `'${field}` : field).replaceAll('"', '""'));
  return `"${quoted.join('","')}"\r\n`;
}
