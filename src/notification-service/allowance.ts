import { LONGEST_HOLD_MS } from '../domain/service/query.ts';
import type { AnswerHeaders } from './exchange.ts';

/** The state of the service's rate limit according to a response. */
export interface Allowance {
  /** The requests left in the current window. Null if the response doesn't say. */
  readonly remaining: number | null;
  /** How long the poller should wait to leave the remaining requests to people. 0 while there are plenty. */
  readonly holdPollerMs: number;
  /** Whether the response is a refusal because the rate limit is used up. */
  readonly isRefused: boolean;
}

/** When less than this share of a window's requests is left, the poller waits for the next window. */
const LOW = 0.25;
/** Used for a 429 that doesn't say when to retry: the service's windows last 5 s (field notes, "Transport"). */
const WINDOW_MS = 5_000;

/** Parses `RateLimit-Remaining`, `RateLimit-Limit`, `RateLimit-Reset` (in seconds) and, on a 429, `Retry-After`. */
export function parseAllowance(status: number, headers: AnswerHeaders, now: number): Allowance {
  const remaining = numberIn(headers, 'ratelimit-remaining');
  const limit = numberIn(headers, 'ratelimit-limit');
  const resetSeconds = numberIn(headers, 'ratelimit-reset');
  const isLow = remaining !== null && limit !== null && remaining < limit * LOW;
  const isRefused = status === 429;
  const holdMs = isRefused ? retryAfterMs(headers, now) : isLow && resetSeconds !== null ? resetSeconds * 1_000 : 0;
  return { remaining, holdPollerMs: Math.min(holdMs ?? WINDOW_MS, LONGEST_HOLD_MS), isRefused };
}

/**
 * Parses `Retry-After`, which is in seconds or an HTTP date, as milliseconds from now. A date is one of the service's clock, so it's
 * measured from the response's own `Date` if that has one. Null if it is missing or neither.
 */
export function retryAfterMs(headers: AnswerHeaders, now: number): number | null {
  const seconds = numberIn(headers, 'retry-after');
  if (seconds !== null) return seconds * 1_000;
  const date = dateIn(headers, 'retry-after');
  return date === null ? null : Math.max(0, date - (dateIn(headers, 'date') ?? now));
}

/** Without a zone, as C's asctime writes it: GMT like every date in a header (RFC 9110, section 5.6.7). */
const WITHOUT_ZONE = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/;
/** `Date.parse` takes almost anything with a number for a date: '-1' for one in 2001. */
const LIKE_A_DATE = /^(?:[A-Z][a-z]{2,8},? |\d{4}-\d\d-\d\d).*\d\d:\d\d/;

/** Parses a header's date. Null for anything else. */
function dateIn(headers: AnswerHeaders, name: string): number | null {
  const text = headers.get(name)?.trim() ?? '';
  if (!LIKE_A_DATE.test(text)) return null;
  const date = Date.parse(WITHOUT_ZONE.test(text) ? `${text} GMT` : text);
  return Number.isNaN(date) ? null : date;
}

function numberIn(headers: AnswerHeaders, name: string): number | null {
  const value = headers.get(name)?.trim() ?? '';
  return /^\d{1,10}(\.\d+)?$/.test(value) ? Number(value) : null;
}
