import { z } from 'zod';
import { FreeText } from '../../lib/text/free-text.ts';
import type { JsonObject } from '../../lib/text/payload.ts';
import { isObject } from '../../lib/text/same-json.ts';

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
/** Longer than any notation of a time. */
const LONGEST = 100;

/**
 * Parses a timestamp, which is a plain string in the contract. Null if it's no date, one beyond the year 9999, or one that programs write
 * for a time that was never set: the beginning of 1970, or earlier.
 */
export function dateOf(value: unknown): Date | null {
  if (typeof value !== 'string' || value.length > LONGEST) return null;
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
