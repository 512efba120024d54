import type { Arguments } from '../arguments.ts';
import type { Json } from '../page-protocol.ts';
import { Refusal } from '../refusal.ts';

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 999;
const CURSOR_PREFIX = 'next:';

/**
 * Returns a page of a list by `limit` and `cursor`, which is the key of the page's first item. `fields` are Slack's fields about further
 * pages.
 */
export function pageOf<T>(
  all: readonly T[],
  args: Arguments,
  keyOf: (item: T) => string,
): { readonly items: readonly T[]; readonly fields: Json } {
  const from = startOf(all.map(keyOf), args.text('cursor'));
  const next = all[from + limitOf(args)];
  const items = all.slice(from, from + limitOf(args));
  if (next === undefined) return { items, fields: { has_more: false } };
  return { items, fields: { has_more: true, response_metadata: { next_cursor: cursorTo(keyOf(next)) } } };
}

function limitOf(args: Arguments): number {
  const limit = args.number('limit') ?? DEFAULT_LIMIT;
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT) throw new Refusal('invalid_limit');
  return limit;
}

function startOf(keys: readonly string[], cursor: string | undefined): number {
  if (cursor === undefined || cursor === '') return 0;
  if (!Buffer.from(cursor, 'base64').toString().startsWith(CURSOR_PREFIX)) throw new Refusal('invalid_cursor');
  const at = keys.findIndex((key) => cursorTo(key) === cursor);
  return at < 0 ? keys.length : at;
}

function cursorTo(key: string): string {
  return Buffer.from(`${CURSOR_PREFIX}${key}`).toString('base64');
}
