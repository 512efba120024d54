import { inspect } from 'node:util';
import { z } from 'zod';
import { pauses } from '../lib/pauses.ts';
import { hashOf } from '../lib/text/hash.ts';
import { isObject } from '../lib/text/payload.ts';
import type { Misfit, MisfitsOf, Page, UnreadableItem } from './query.ts';
import { count, dateOf, flag, optional, type Parse, type Parsed, wrongIn } from './schema.ts';

const MOST_ITEMS = 10_000; // far above any page: each unreadable item takes time
const AnyItems = z.array(z.unknown()).max(MOST_ITEMS);

type Answer = Required<Pick<Page<unknown>, 'items' | 'hasMore' | 'next' | 'totalCount'>>;

const ListBody: z.ZodType<Answer> = AnyItems.transform((items) => {
  return { items, hasMore: false, next: null, totalCount: null };
});

/** Without `hasMore`, a page with items may have more (docs/service.md). */
const PageBody: z.ZodType<Answer> = z
  .object({
    data: AnyItems,
    hasMore: optional(z.boolean()),
    next: z.string().nullish().catch(null),
    totalCount: count,
    totalCountCapped: flag,
  })
  .transform(({ data: items, hasMore, next, totalCount, totalCountCapped }) => ({
    items,
    hasMore: hasMore ?? (next === undefined ? items.length > 0 : next !== null),
    next: next ?? null,
    totalCount: totalCountCapped ? null : totalCount,
  }));

export function listOf<Item>(item: z.ZodType<Item>): Parse<Page<Item>> {
  return (body) => withItems(ListBody.safeParse(body), item);
}

export function pageOf<Item>(item: z.ZodType<Item>, misfitsOf?: MisfitsOf): Parse<Page<Item>> {
  return (body) => withItems(PageBody.safeParse(body), item, misfitsOf);
}

/** Parses each item by itself, as some are large. */
async function withItems<Item>(
  { success, data: answer, error }: Parsed<Answer>,
  item: z.ZodType<Item>,
  misfitsOf: MisfitsOf = () => [],
): Promise<Parsed<Page<Item>>> {
  if (!success) return { success, error };
  const items: Item[] = [];
  const unreadable: UnreadableItem[] = [];
  const misfits: Misfit[] = [];
  const pause = pauses();
  for (const value of answer.items) {
    await pause();
    const filters = misfitsOf(value);
    const read = item.safeParse(value);
    if (filters.length > 0) misfits.push({ key: unreadableItem(value).key, filters });
    else if (read.success) items.push(read.data);
    else unreadable.push({ ...unreadableItem(value), wrong: wrongIn(read.error) });
  }
  const totalCount = misfits.length === 0 ? answer.totalCount : null;
  return { success, data: { ...answer, items, unreadable, misfits, totalCount } };
}

const ID = /^[\w-]{1,64}$/;

function unreadableItem(value: unknown): UnreadableItem {
  const { _id: id, createdAt: at } = isObject(value) ? value : {};
  const createdAt = dateOf(at);
  if (typeof id === 'string' && ID.test(id)) return { key: id, createdAt };
  // `inspect` is bounded for any value, unlike `JSON.stringify`.
  const content = inspect(value, { depth: 6, maxArrayLength: 100, maxStringLength: 1_000 });
  return { key: hashOf(content, 24), createdAt };
}
