import type { Arguments } from '../arguments.ts';
import type { Json } from '../page-protocol.ts';
import { Refusal } from '../refusal.ts';

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 999;
const CURSOR_PREFIX = 'next_ts:';

/** Cuts a page out of messages by `limit` and `cursor`; `fields` are what Slack says about there being more. */
export function pageOf<T extends { readonly ts: string }>(
  messages: readonly T[],
  args: Arguments,
): { readonly items: readonly T[]; readonly fields: Json } {
  const from = startOf(messages, args.text('cursor'));
  const next = messages[from + limitOf(args)];
  const items = messages.slice(from, from + limitOf(args));
  if (next === undefined) return { items, fields: { has_more: false } };
  return { items, fields: { has_more: true, response_metadata: { next_cursor: cursorTo(next.ts) } } };
}

function limitOf(args: Arguments): number {
  const limit = args.number('limit') ?? DEFAULT_LIMIT;
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT) throw new Refusal('invalid_limit');
  return limit;
}

function startOf(messages: readonly { readonly ts: string }[], cursor: string | undefined): number {
  if (cursor === undefined || cursor === '') return 0;
  const text = Buffer.from(cursor, 'base64').toString();
  const at = messages.findIndex((message) => cursorTo(message.ts) === cursor);
  if (!text.startsWith(CURSOR_PREFIX)) throw new Refusal('invalid_cursor');
  return at < 0 ? messages.length : at;
}

function cursorTo(ts: string): string {
  return Buffer.from(`${CURSOR_PREFIX}${ts}`).toString('base64');
}
