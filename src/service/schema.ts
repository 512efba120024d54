import { z } from 'zod';
import { isObject, type JsonObject } from '../lib/text/payload.ts';
import { FreeText, scrub } from '../lib/text/scrub.ts';

type Nullable<Type extends z.ZodType> = z.ZodDefault<z.ZodCatch<z.ZodNullable<Type>>>;

/** An unreadable field is null, so that its event can still be read. */
export function optional<Type extends z.ZodType>(type: Type): Nullable<Type> {
  return type.nullable().catch(null).default(null);
}

type List<Type extends z.ZodType> = Nullable<z.ZodArray<z.ZodCatch<z.ZodNullable<Type>>>>;

/** An unreadable item is null; what is no list becomes a list with a null. */
export function list<Type extends z.ZodType>(item: Type): List<Type> {
  return z.array(item.nullable().catch(null)).nullable().catch([null]).default(null);
}

export function readable<Item>(items: readonly (Item | null)[] | null): Item[] {
  return (items ?? []).filter((item) => item !== null);
}

export function items<Type extends z.ZodType>(item: Type): z.ZodType<z.output<Type>[]> {
  return list(item).transform(readable);
}

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
/** In characters; an ISO time has 24. `Date` takes long texts apart at length. */
const LONGEST_TIME = 100;

/** Programs write 1970 for a time that was never set. */
export function dateOf(value: unknown): Date | null {
  if (typeof value !== 'string' || value.length > LONGEST_TIME) return null;
  const date = new Date(WITHOUT_ZONE.test(value) ? `${value.replace(' ', 'T')}Z` : value);
  return date.getTime() > 0 && date.getTime() < END_OF_YEAR_9999 ? date : null;
}

/** The scrubber would mask these: traces, Sentry events, UUIDs, ULIDs. */
const KNOWN_FORMS =
  /^(?:[0-9a-f]{32}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-7][0-9a-hjkmnp-tv-z]{25})$/i;

export function errorIdOf(value: string | null): string | null {
  return value === null || KNOWN_FORMS.test(value) ? value : scrub(value);
}

export type Parsed<Result> =
  | { success: true; data: Result; error?: undefined }
  | { success: false; data?: undefined; error: z.ZodError };

/** Reads the body of an answer. */
export type Parse<Result> = (body: unknown) => Parsed<Result> | Promise<Parsed<Result>>;

export function parsedBy<Result>(schema: z.ZodType<Result>): Parse<Result> {
  return (body) => schema.safeParse(body);
}

/** Zod's own message may quote the value. */
export function wrongIn({ issues: [issue] }: z.ZodError<unknown>): string {
  const field = issue?.path.filter((key) => typeof key === 'string').join('.') || 'item';
  return `${field}: ${issue?.code === 'invalid_type' ? `expected ${issue.expected}` : issue?.code}`;
}
