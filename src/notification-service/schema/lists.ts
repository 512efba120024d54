import { createHash } from 'node:crypto';
import { inspect } from 'node:util';
import { z } from 'zod';
import type { UnreadableItem } from '../../domain/service/query.ts';
import { isObject } from '../../domain/text/same-json.ts';
import { dateOf } from './date.ts';
import { count, flag, text } from './fields.ts';
import { type BodyReader, type Read, reader } from './reader.ts';

/** The items of a list, each parsed on its own, so that an odd one doesn't hide its page (field notes, "Lists"). */
export interface Items<Item> {
  readonly items: readonly Item[];
  readonly unreadable: readonly OddItem[];
}

/** `reason` names the wrong field and its problem, never its value. */
export interface OddItem extends UnreadableItem {
  readonly reason: string;
}

const items = z.array(z.unknown());

/** Returns the reader of a list without pages. */
export function readList<Item>(read: BodyReader<Item>) {
  const page = reader(items, (data) => ({ data, hasMore: false }));
  return (body: unknown) => eachItem(read, page(body));
}

/** Returns the reader of the event list's response (contract, operation 5). */
export function readPage<Item>(read: BodyReader<Item>) {
  const page = withHasMore(reader(z.object({ data: items, hasMore: z.boolean() }), (wire) => wire));
  return (body: unknown) => eachItem(read, page(body));
}

/** Returns the reader of the message list's response (contract, operation 4), which can contain a total. */
export function readCountedPage<Item>(read: BodyReader<Item>) {
  const wire = z.object({ data: items, hasMore: z.boolean(), totalCount: count });
  const page = withHasMore(reader(wire, ({ totalCount, ...rest }) => ({ ...rest, totalCount: totalCount ?? null })));
  return (body: unknown) => eachItem(read, page(body));
}

/** Returns the reader of the topic subscription list's response (contract, operation 2), which is paged by cursors. */
export function readCursorPage<Item>(read: BodyReader<Item>) {
  const wire = z.object({
    data: items,
    next: text,
    previous: text,
    totalCount: count,
    totalCountCapped: flag,
  });
  const page = reader(wire, ({ data, next, previous, totalCount, totalCountCapped }) => ({
    data,
    hasMore: typeof next === 'string',
    next: next ?? null,
    previous: previous ?? null,
    totalCount: totalCount ?? null,
    totalCountCapped: totalCountCapped ?? false,
  }));
  return (body: unknown) => eachItem(read, withOddCursors(page)(body));
}

const CURSORS = ['next', 'previous'] as const;

/** Adds which cursors are neither absent nor usable, so that no part of a list passes for the whole. An empty cursor would lead to the start. */
function withOddCursors<Page>(
  read: BodyReader<Page>,
): BodyReader<Page & { readonly oddCursors: readonly ('next' | 'previous')[] }> {
  return (body) => {
    const sent = isObject(body) ? body : {};
    const odd = CURSORS.filter(
      (name) => (sent[name] ?? null) !== null && (typeof sent[name] !== 'string' || sent[name] === ''),
    );
    const page = read({ ...sent, ...Object.fromEntries(odd.map((name) => [name, null])) });
    return page.ok ? { ...page, value: { ...page.value, oddCursors: odd }, odd: [...odd, ...page.odd] } : page;
  };
}

/**
 * Gives a page whose `hasMore` has a wrong type one that follows from its items, so that it isn't lost: a page with items may have more.
 * Without any `hasMore` it isn't one of the service's.
 */
function withHasMore<Page>(read: BodyReader<Page>): BodyReader<Page> {
  return (body) => {
    if (!isObject(body) || !('hasMore' in body) || typeof body.hasMore === 'boolean') return read(body);
    const page = read({ ...body, hasMore: Array.isArray(body.data) && body.data.length > 0 });
    return page.ok ? { ...page, odd: ['hasMore', ...page.odd] } : page;
  };
}

/** Reads each item of a page. */
function eachItem<Item, Page extends { readonly data: readonly unknown[] }>(
  read: BodyReader<Item>,
  page: Read<Page>,
): Read<Omit<Page, 'data'> & Items<Item>> {
  if (!page.ok) return page;
  const { data, ...rest } = page.value;
  const items: Item[] = [];
  const unreadable: OddItem[] = [];
  const odd = [...page.odd];
  for (const value of data) {
    const item = read(value);
    if (item.ok) {
      items.push(item.value);
      odd.push(...item.odd);
    } else unreadable.push({ ...unreadableItem(value), reason: item.reason });
  }
  return { ok: true, value: { ...rest, items, unreadable }, odd };
}

function unreadableItem(value: unknown): UnreadableItem {
  const { _id: id, createdAt } = isObject(value) ? value : {};
  return {
    key: typeof id === 'string' && ID.test(id) ? id : fingerprint(value),
    createdAt: typeof createdAt === 'string' ? dateOf(createdAt) : null,
  };
}

const ID = /^[\w-]{1,64}$/;

/** Hashes a value. `inspect` bounds depth and length for any value, which `JSON.stringify` doesn't. */
function fingerprint(value: unknown): string {
  const content = inspect(value, { depth: 6, maxArrayLength: 100, maxStringLength: 1_000 });
  return createHash('sha256').update(content).digest('hex').slice(0, 24);
}
