import { createHash } from 'node:crypto';
import { inspect } from 'node:util';
import { z } from 'zod';
import { isObject, type JsonObject, type Payload } from '../lib/text/payload.ts';
import { FreeText } from '../lib/text/scrub.ts';
import type { UnreadableItem } from './query.ts';

/**
 * A response, or a part of one, converted to Notif's types; or why it can't be read: the wrong field and its problem. `odd` names the fields
 * that were left out because they differ from the contract, each once per item: 'jobs.executionDetails.raw'.
 */
export type Read<Value> =
  | { readonly ok: true; readonly value: Value; readonly odd: readonly string[] }
  | { readonly ok: false; readonly reason: string };

export type BodyReader<Value> = (body: unknown) => Read<Value>;

/** What was read doesn't change. */
export type Fixed<Value> = Value extends Date | FreeText | Payload
  ? Value
  : Value extends readonly (infer Item)[]
    ? readonly Fixed<Item>[]
    : Value extends object
      ? { readonly [Field in keyof Value]: Fixed<Value[Field]> }
      : Value;

/**
 * Returns a reader from a schema of the service's types and a function that converts them to Notif's. It tolerates errors: an optional
 * field of a wrong type is treated as absent. If something required is wrong, the nearest optional thing around it is left out: an item of
 * a list, else an optional field. Parts that held more than one value are named in `lost`. A body can't be read only if all of it would
 * have to be left out. A valid body is parsed once, and isn't converted by zod's `transform`, which costs twice the time.
 */
export function reader<Wire, Value>(
  schema: z.ZodType<Wire>,
  translate: (wire: Wire, lost: readonly string[]) => Value,
): BodyReader<Value> {
  return (body) => {
    let left = body;
    let parsed = schema.safeParse(left);
    const odd = [...new Set(parsed.error?.issues.map(({ path }) => nameOf(path)))];
    const lost: string[] = [];
    // Each pass leaves out something that is present, so that the next one finds errors further up or none.
    while (!parsed.success) {
      const { issues } = parsed.error;
      const cuts = cutsFor(left, issues);
      const paths = cuts.map(({ path }) => path);
      if (paths.some((path) => path.length === 0)) return { ok: false, reason: reasonOf(issues) };
      lost.push(...cuts.filter(({ isPart }) => isPart).map(({ path }) => nameOf(path)));
      left = without(left, paths);
      parsed = schema.safeParse(left);
    }
    return { ok: true, value: translate(parsed.data, lost), odd };
  };
}

type Issues = readonly z.core.$ZodIssue[];
type Path = readonly PropertyKey[];

/** Returns what to leave out, each once: the invalid part, or if something is missing, the part that lacks it. `isPart`: of several values. */
function cutsFor(value: unknown, issues: Issues): readonly { readonly path: Path; readonly isPart: boolean }[] {
  const cuts = issues.map((issue) => {
    let path: Path = issue.path;
    while (path.length > 0 && valueAt(value, path) === undefined) path = path.slice(0, -1);
    const held = valueAt(value, path);
    const isForParts = issue.code === 'invalid_type' && (issue.expected === 'array' || issue.expected === 'object');
    return { path, isPart: (typeof held === 'object' && held !== null) || isForParts };
  });
  return [...new Map(cuts.map((cut) => [JSON.stringify(cut.path), cut])).values()];
}

function valueAt(value: unknown, path: Path): unknown {
  const inside = (inner: unknown, key: PropertyKey) =>
    typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined;
  return path.reduce(inside, value);
}

function without(value: unknown, paths: readonly Path[]): unknown {
  const kept = (key: PropertyKey, inner: unknown): readonly unknown[] => {
    const inside = paths.filter(([first]) => first === key).map((path) => path.slice(1));
    if (inside.some((path) => path.length === 0)) return [];
    return [inside.length === 0 ? inner : without(inner, inside)];
  };
  if (Array.isArray(value)) return value.flatMap((item, index) => kept(index, item));
  const fields = Object.entries(value ?? {});
  return Object.fromEntries(fields.flatMap(([key, field]) => kept(key, field).map((inner) => [key, inner])));
}

/** Names a path: 'jobs.executionDetails.status', without indices of items, so that there are no more names than the schema has. */
function nameOf(path: Path): string {
  return path.filter((key) => typeof key === 'string').join('.') || 'item';
}

/** Describes the first issue: 'transactionId: expected string'. Zod's own message may quote the value. */
function reasonOf([issue]: Issues): string {
  return `${nameOf(issue?.path ?? [])}: ${issue?.code === 'invalid_type' ? `expected ${issue.expected}` : issue?.code}`;
}

/** Optional fields are `nullish`: the service leaves a field out or sends null, and means the same (field notes, "Lists"). */
export const text = z.string().nullish();
export const flag = z.boolean().nullish();
export const count = z.number().nullish();
export const texts = z.array(z.string()).nullish();
export const anyObject = z.custom<JsonObject>(isObject).nullish();

export function all<Type extends z.ZodType, Name extends string>(type: Type, ...names: readonly Name[]) {
  return Object.fromEntries(names.map((name) => [name, type])) as Record<Name, Type>;
}

export function freeTextOf(value: string | null | undefined): FreeText | null {
  return typeof value === 'string' ? new FreeText(value) : null;
}

/** '2026-03-02T03:04' or '2026-03-02 03:04:05.678': UTC like all times of the service, whatever the machine's zone is. */
const WITHOUT_ZONE = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/;
/** What is later is no time, but a number gone wrong; calendars, and the formats of times, end there too. */
const END_OF_YEAR_9999 = Date.UTC(10_000, 0);
/** Parses a timestamp, a plain string in the contract. Null if it's no date, or one before 1970, as programs write for a time never set. */
export function dateOf(value: unknown): Date | null {
  if (typeof value !== 'string' || value.length > 100) return null;
  const date = new Date(WITHOUT_ZONE.test(value) ? `${value.replace(' ', 'T')}Z` : value);
  return date.getTime() > 0 && date.getTime() < END_OF_YEAR_9999 ? date : null;
}

/** Forms of IDs that the scrubber takes for a key or a phone number: a trace or Sentry event, a UUID, a ULID. */
const KNOWN_FORMS =
  /^(?:[0-9a-f]{32}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-7][0-9a-hjkmnp-tv-z]{25})$/i;

/**
 * Returns the ID by which the service's owners find an error (field notes, "Transport"), or what a message has instead, such as
 * `unexpected_provider_error`: an ID of a known form whole, anything else scrubbed. Null for none.
 */
export function errorIdOf(value: string | null | undefined): string | null {
  if (!value) return null;
  return KNOWN_FORMS.test(value) ? value : new FreeText(value).toString();
}

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
  return listReader(read, ({ data, hasMore, totalCount = null }) => ({
    hasMore: hasMore ?? data.length > 0,
    totalCount,
  }));
}

/** Contract, operation 2. */
export function readCursorPage<Item>(read: BodyReader<Item>) {
  return listReader(read, ({ next = null, totalCount = null, totalCountCapped }) => ({
    ...{ hasMore: next !== null, next, totalCount, totalCountCapped: totalCountCapped ?? false },
  }));
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
