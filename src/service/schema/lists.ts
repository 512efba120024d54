import { createHash } from 'node:crypto';
import { inspect } from 'node:util';
import { z } from 'zod';
import { isObject } from '../../lib/text/same-json.ts';
import type { UnreadableItem } from '../query.ts';
import { count, dateOf, flag } from './fields.ts';
import { type BodyReader, reader } from './reader.ts';

const WireList = z.object({
  data: z.array(z.unknown()),
  // An empty cursor would lead to the start.
  next: z.string().min(1).nullish(),
  hasMore: flag,
  totalCount: count,
  totalCountCapped: flag,
});
const readWire = reader(WireList, (wire) => wire);

/** Contract, operation 3: a bare list. */
export function readList<Item>(read: BodyReader<Item>) {
  const readData = listReader(read, () => ({ hasMore: false }));
  return (body: unknown) => readData({ data: body });
}

/** Contract, operations 4 and 5. Without a usable `hasMore`, a page with items may have more. */
export function readPage<Item>(read: BodyReader<Item>) {
  return listReader(read, ({ data, hasMore = null, totalCount = null }) => {
    return { hasMore: hasMore ?? data.length > 0, totalCount };
  });
}

/** Contract, operation 2. */
export function readCursorPage<Item>(read: BodyReader<Item>) {
  return listReader(read, ({ next = null, totalCount = null, totalCountCapped }) => {
    return { hasMore: next !== null, next, totalCount, totalCountCapped: totalCountCapped ?? false };
  });
}

/** Reads each item on its own, so that an odd one doesn't hide its page (field notes, "Lists"). */
function listReader<Item, Paging>(read: BodyReader<Item>, pagingOf: (wire: z.infer<typeof WireList>) => Paging) {
  return (body: unknown) => {
    const page = readWire(body);
    if (!page.ok) return page;
    const items: Item[] = [];
    const unreadable: UnreadableItem[] = [];
    const odd = [...page.odd];
    for (const value of page.value.data) {
      const item = read(value);
      if (item.ok) items.push(item.value);
      else unreadable.push(unreadableItem(value));
      odd.push(...(item.ok ? item.odd : [item.reason]));
    }
    return { ok: true, value: { ...pagingOf(page.value), items, unreadable }, odd } as const;
  };
}

const ID = /^[\w-]{1,64}$/;

function unreadableItem(value: unknown): UnreadableItem {
  const { _id: id, createdAt } = isObject(value) ? value : {};
  if (typeof id === 'string' && ID.test(id)) return { key: id, createdAt: dateOf(createdAt) };
  // `inspect` bounds depth and length for any value, which `JSON.stringify` doesn't.
  const content = inspect(value, { depth: 6, maxArrayLength: 100, maxStringLength: 1_000 });
  return { key: createHash('sha256').update(content).digest('hex').slice(0, 24), createdAt: dateOf(createdAt) };
}
