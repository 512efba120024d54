import { createHash } from 'node:crypto';
import { inspect } from 'node:util';
import { z } from 'zod';
import type { UnreadableItem } from '../../domain/service/query.ts';
import { isObject } from '../../domain/text/same-json.ts';
import { count, dateOf, flag, optional } from './fields.ts';
import { type BodyReader, type Read, reader } from './reader.ts';

const data = z.array(z.unknown());
const readBare = reader(data, (items) => ({ data: items, hasMore: false }));

/** Without a usable `hasMore`, a page with items may have more. */
const readNumbered = reader(z.object({ data, hasMore: flag, totalCount: count }), (wire) => ({
  ...wire,
  hasMore: wire.hasMore ?? wire.data.length > 0,
  totalCount: wire.totalCount ?? null,
}));

/** An empty cursor would lead to the start. */
const cursor = optional(z.string().min(1));
const WireCursorPage = z.object({ data, next: cursor, totalCount: count, totalCountCapped: flag });
const readByCursor = reader(WireCursorPage, ({ next, totalCount, totalCountCapped, ...wire }) => ({
  ...{ data: wire.data, hasMore: typeof next === 'string', next: next ?? null },
  ...{ totalCount: totalCount ?? null, totalCountCapped: totalCountCapped ?? false },
}));

export const readList = <Item>(read: BodyReader<Item>) => {
  return (body: unknown) => eachItem(read, readBare(body));
};
/** Contract, operations 4 and 5. */
export const readPage = <Item>(read: BodyReader<Item>) => {
  return (body: unknown) => eachItem(read, readNumbered(body));
};
/** Contract, operation 2. */
export const readCursorPage = <Item>(read: BodyReader<Item>) => {
  return (body: unknown) => eachItem(read, readByCursor(body));
};

/** Reads each item on its own, so that an odd one doesn't hide its page (field notes, "Lists"). */
function eachItem<Item, Page extends { readonly data: readonly unknown[] }>(read: BodyReader<Item>, page: Read<Page>) {
  if (!page.ok) return page;
  const { data, ...rest } = page.value;
  const items: Item[] = [];
  const unreadable: UnreadableItem[] = [];
  const odd = [...page.odd];
  for (const value of data) {
    const item = read(value);
    if (item.ok) items.push(item.value);
    else unreadable.push(unreadableItem(value));
    odd.push(...(item.ok ? item.odd : [item.reason]));
  }
  return { ok: true, value: { ...rest, items, unreadable }, odd } as const;
}

const ID = /^[\w-]{1,64}$/;

function unreadableItem(value: unknown): UnreadableItem {
  const { _id: id, createdAt } = isObject(value) ? value : {};
  return {
    key: typeof id === 'string' && ID.test(id) ? id : fingerprint(value),
    createdAt: typeof createdAt === 'string' ? dateOf(createdAt) : null,
  };
}

/** Hashes a value. `inspect` bounds depth and length for any value, which `JSON.stringify` doesn't. */
function fingerprint(value: unknown): string {
  const content = inspect(value, { depth: 6, maxArrayLength: 100, maxStringLength: 1_000 });
  return createHash('sha256').update(content).digest('hex').slice(0, 24);
}
