import { createHash } from 'node:crypto';
import { inspect } from 'node:util';
import { z } from 'zod';
import type { UnreadableItem } from '../../domain/query.ts';
import { count, dateOf, isObject, text } from './fields.ts';

/** The items of a list, each parsed by itself, so that an odd one does not hide its page (field notes, "Lists"). */
export interface Items<Item> {
  readonly items: readonly Item[];
  readonly unreadable: readonly OddItem[];
}

/** `reason` names the field at fault and what is wrong with it, never its value. */
export interface OddItem extends UnreadableItem {
  readonly reason: string;
}

/** A list that is not paged. */
export function listOf<Item>(item: z.ZodType<Item>) {
  return z.array(z.unknown()).transform((values) => ({ ...readItems(item, values), hasMore: false }));
}

/** The event list's answer (contract, operation 5). */
export function pageOf<Item>(item: z.ZodType<Item>) {
  return z
    .object({ data: z.array(z.unknown()), hasMore: z.boolean() })
    .transform(({ data, hasMore }) => ({ ...readItems(item, data), hasMore }));
}

/** The message list's answer (contract, operation 4), which may tell how many there are. */
export function countedPageOf<Item>(item: z.ZodType<Item>) {
  return z
    .object({ data: z.array(z.unknown()), hasMore: z.boolean(), totalCount: count })
    .transform(({ data, hasMore, totalCount }) => ({
      ...readItems(item, data),
      hasMore,
      totalCount: totalCount ?? null,
    }));
}

/** The topic subscription list's answer (contract, operation 2), which is walked by cursors. */
export function cursorPageOf<Item>(item: z.ZodType<Item>) {
  return z
    .object({
      data: z.array(z.unknown()),
      next: text,
      previous: text,
      totalCount: count,
      totalCountCapped: z.boolean().nullish(),
    })
    .transform(({ data, next, previous, totalCount, totalCountCapped }) => ({
      ...readItems(item, data),
      hasMore: typeof next === 'string',
      next: next ?? null,
      previous: previous ?? null,
      totalCount: totalCount ?? null,
      totalCountCapped: totalCountCapped ?? false,
    }));
}

function readItems<Item>(schema: z.ZodType<Item>, values: readonly unknown[]): Items<Item> {
  const items: Item[] = [];
  const unreadable: OddItem[] = [];
  for (const value of values) {
    const parsed = schema.safeParse(value);
    if (parsed.success) items.push(parsed.data);
    else unreadable.push({ ...unreadableItem(value), reason: reasonOf(parsed.error) });
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

/** What made an answer unreadable: 'jobs.0.status: invalid_type'. Zod's own message may quote the value. */
export function reasonOf(error: z.ZodError): string {
  const [issue] = error.issues;
  return issue === undefined ? 'unknown' : `${issue.path.join('.')}: ${issue.code}`;
}
