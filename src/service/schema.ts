import { inspect } from 'node:util';
import { z } from 'zod';
import { pauses } from '../lib/pauses.ts';
import { hashOf } from '../lib/text/hash.ts';
import { isObject, type JsonObject } from '../lib/text/payload.ts';
import { FreeText, scrub } from '../lib/text/scrub.ts';
import type { Misfit, MisfitsOf, Page, UnreadableItem } from './query.ts';

/** An unreadable field is null, so that its event can still be read. */
export const optional = <Type extends z.ZodType>(type: Type) => type.nullable().catch(null).default(null);

/** An unreadable item is null; what is no list becomes a list with a null. */
export const list = <Type extends z.ZodType>(item: Type) =>
  z.array(item.nullable().catch(null)).nullable().catch([null]).default(null);

export function readable<Item>(items: readonly (Item | null)[] | null): Item[] {
  return (items ?? []).filter((item) => item !== null);
}

export const items = <Type extends z.ZodType>(item: Type) => list(item).transform(readable);

export const text = optional(z.string().min(1));
export const texts = items(z.string());
export const flag = z.boolean().catch(false).default(false);
export const count = optional(z.number());
export const date = text.transform(dateOf);
export const freeText = text.transform((value) => (value === null ? null : new FreeText(value)));
export const anyObject = z.custom<JsonObject>(isObject);

export function fields<Type extends z.ZodType, Name extends string>(
  type: Type,
  ...names: readonly Name[]
): Record<Name, Type> {
  return Object.fromEntries(names.map((name) => [name, type])) as Record<Name, Type>;
}

/** A time without a zone is UTC, like all times of the service. */
const WITHOUT_ZONE = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/;
const END_OF_YEAR_9999 = Date.UTC(10_000, 0);

/** Programs write 1970 for a time that was never set. */
export function dateOf(value: unknown): Date | null {
  if (typeof value !== 'string' || value.length > 100) return null;
  const date = new Date(WITHOUT_ZONE.test(value) ? `${value.replace(' ', 'T')}Z` : value);
  return date.getTime() > 0 && date.getTime() < END_OF_YEAR_9999 ? date : null;
}

/** The scrubber would mask these: traces, Sentry events, UUIDs, ULIDs. */
const KNOWN_FORMS =
  /^(?:[0-9a-f]{32}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-7][0-9a-hjkmnp-tv-z]{25})$/i;

export function errorIdOf(value: string | null): string | null {
  return value === null || KNOWN_FORMS.test(value) ? value : scrub(value);
}

export const listOf = <Item>(item: z.ZodType<Item>): z.ZodType<Page<Item>> =>
  eachOf(item).transform((read) => ({ ...read, hasMore: false }));

/** Without `hasMore`, a page with items may have more (docs/service.md). */
export const pageOf = <Item>(item: z.ZodType<Item>, misfitsOf?: MisfitsOf): z.ZodType<Page<Item>> =>
  z
    .object({
      data: eachOf(item, misfitsOf),
      hasMore: optional(z.boolean()),
      next: z.string().nullish().catch(null),
      totalCount: count,
      totalCountCapped: flag,
    })
    .transform(({ data, hasMore, next, totalCount, totalCountCapped }) => {
      const hasItems = Object.values(data).some(({ length }) => length > 0);
      const isCounted = !totalCountCapped && data.misfits.length === 0;
      const hasNext = next === undefined ? hasItems : next !== null;
      return { ...data, next: next ?? null, hasMore: hasMore ?? hasNext, totalCount: isCounted ? totalCount : null };
    });

const MOST_ITEMS = 10_000; // far above any page: each unreadable item takes time
const AnyItems = z.array(z.unknown()).max(MOST_ITEMS);
const eachOf = <Item>(item: z.ZodType<Item>, misfitsOf: MisfitsOf = () => []) =>
  AnyItems.transform((values) => {
    const read: Item[] = [];
    const unreadable: UnreadableItem[] = [];
    const misfits: Misfit[] = [];
    for (const value of values) {
      const filters = misfitsOf(value);
      const { success, data, error } = item.safeParse(value);
      if (filters.length > 0) misfits.push({ key: unreadableItem(value, '').key, filters });
      else if (success) read.push(data);
      else unreadable.push(unreadableItem(value, wrongIn(error)));
    }
    return { items: read, unreadable, misfits };
  });

/** Parses each item of a page by itself, as some are large. */
export async function parsePage<Item>(
  schema: z.ZodType<Page<Item>>,
  body: unknown,
): Promise<z.ZodSafeParseResult<Page<Item>>> {
  const page = isObject(body) && Array.isArray(body.data) && body.data.length <= MOST_ITEMS ? body.data : [];
  const parsed: Page<Item>[] = [];
  const pause = pauses();
  for (const item of page) {
    await pause();
    const single = schema.safeParse({ ...Object(body), data: [item] });
    if (!single.success) return single;
    parsed.push(single.data);
  }
  const [first] = parsed;
  if (first === undefined) return schema.safeParse(body);
  const data = {
    ...first,
    items: parsed.flatMap(({ items }) => items),
    unreadable: parsed.flatMap(({ unreadable }) => unreadable),
    misfits: parsed.flatMap(({ misfits = [] }) => misfits),
    totalCount: parsed.some(({ totalCount }) => totalCount === null) ? null : (first.totalCount ?? null),
  };
  return { success: true, data };
}

const ID = /^[\w-]{1,64}$/;

function unreadableItem(value: unknown, wrong: string) {
  const { _id: id, createdAt: at } = isObject(value) ? value : {};
  const createdAt = dateOf(at);
  if (typeof id === 'string' && ID.test(id)) return { key: id, createdAt, wrong };
  // `inspect` is bounded for any value, unlike `JSON.stringify`.
  const content = inspect(value, { depth: 6, maxArrayLength: 100, maxStringLength: 1_000 });
  return { key: hashOf(content, 24), createdAt, wrong };
}

/** Zod's own message may quote the value. */
export function wrongIn({ issues: [issue] }: z.ZodError): string {
  const field = issue?.path.filter((key) => typeof key === 'string').join('.') || 'item';
  return `${field}: ${issue?.code === 'invalid_type' ? `expected ${issue.expected}` : issue?.code}`;
}
