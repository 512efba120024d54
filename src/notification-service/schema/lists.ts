import { createHash } from 'node:crypto';
import { inspect } from 'node:util';
import { z } from 'zod';
import type { UnreadableItem } from '../../domain/query.ts';
import { dateOf } from './date.ts';
import { count, flag, isObject, text } from './fields.ts';
import { type Reader, reader } from './reader.ts';

/** The items of a list, each read by itself, so that an odd one does not hide its page (field notes, "Lists"). */
export interface Items<Item> {
  readonly items: readonly Item[];
  readonly unreadable: readonly OddItem[];
}

/** `reason` names the field at fault and what is wrong with it, never its value. */
export interface OddItem extends UnreadableItem {
  readonly reason: string;
}

const items = z.array(z.unknown());

/** A total beside a page; one of a wrong type is none, and doesn't hide the page. */
const maybeCounted = count.catch(null);

/** A list that is not paged. */
export function readList<Item>(read: Reader<Item>) {
  return reader(items, (values) => ({ ...readItems(read, values), hasMore: false }));
}

/** The event list's answer (contract, operation 5). */
export function readPage<Item>(read: Reader<Item>) {
  return reader(z.object({ data: items, hasMore: z.boolean() }), ({ data, hasMore }) => ({
    ...readItems(read, data),
    hasMore,
  }));
}

/** The message list's answer (contract, operation 4), which may tell how many there are. */
export function readCountedPage<Item>(read: Reader<Item>) {
  return reader(
    z.object({ data: items, hasMore: z.boolean(), totalCount: maybeCounted }),
    ({ data, hasMore, totalCount }) => ({
      ...readItems(read, data),
      hasMore,
      totalCount: totalCount ?? null,
    }),
  );
}

/** The topic subscription list's answer (contract, operation 2), which is walked by cursors. */
export function readCursorPage<Item>(read: Reader<Item>) {
  const wire = z.object({
    data: items,
    next: text,
    previous: text,
    totalCount: maybeCounted,
    totalCountCapped: flag.catch(null),
  });
  return reader(wire, ({ data, next, previous, totalCount, totalCountCapped }) => ({
    ...readItems(read, data),
    hasMore: typeof next === 'string',
    next: next ?? null,
    previous: previous ?? null,
    totalCount: totalCount ?? null,
    totalCountCapped: totalCountCapped ?? false,
  }));
}

function readItems<Item>(read: Reader<Item>, values: readonly unknown[]): Items<Item> {
  const items: Item[] = [];
  const unreadable: OddItem[] = [];
  for (const value of values) {
    const item = read(value);
    if (item.ok) items.push(item.value);
    else unreadable.push({ ...unreadableItem(value), reason: item.reason });
  }
  return { items, unreadable };
}

function unreadableItem(value: unknown): UnreadableItem {
  const { _id: id, createdAt } = isObject(value) ? value : {};
  return {
    key: typeof id === 'string' && ID.test(id) ? id : fingerprint(value),
    createdAt: typeof createdAt === 'string' ? dateOf(createdAt) : null,
  };
}

const ID = /^[\w-]{1,64}$/;

/** `inspect` is bounded in depth and length whatever the value, which `JSON.stringify` is not. */
function fingerprint(value: unknown): string {
  const content = inspect(value, { depth: 6, maxArrayLength: 100, maxStringLength: 1_000 });
  return createHash('sha256').update(content).digest('hex').slice(0, 24);
}
