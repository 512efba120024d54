import type { AnswerHeaders } from './exchange.ts';

/** What an answer says of the service's rate limit. */
export interface Allowance {
  /** Requests left in the current window; null where the answer does not tell. */
  readonly remaining: number | null;
  /** How long the poller does well to wait, so that what is left is for people; 0 while there is plenty. */
  readonly holdPollerMs: number;
}

/** Below this part of a window's requests the poller waits for the next one. */
const LOW = 0.25;
const LONGEST_HOLD_MS = 60_000;
/** For a 429 that does not say when to come back: the service's windows last 5 s (field notes, "Transport"). */
const WINDOW_MS = 5_000;

/** Reads `RateLimit-Remaining`, `RateLimit-Limit`, `RateLimit-Reset` (in seconds) and, on a 429, `Retry-After`. */
export function parseAllowance(status: number, headers: AnswerHeaders, now: number): Allowance {
  const remaining = numberIn(headers, 'ratelimit-remaining');
  const limit = numberIn(headers, 'ratelimit-limit');
  const resetSeconds = numberIn(headers, 'ratelimit-reset');
  const isLow = remaining !== null && limit !== null && remaining < limit * LOW;
  const holdMs =
    status === 429 ? retryAfterMs(headers, now) : isLow && resetSeconds !== null ? resetSeconds * 1_000 : 0;
  return { remaining, holdPollerMs: Math.min(holdMs ?? WINDOW_MS, LONGEST_HOLD_MS) };
}

/** `Retry-After` as milliseconds from now, from seconds or an HTTP date; null where it is missing or neither. */
export function retryAfterMs(headers: AnswerHeaders, now: number): number | null {
  const seconds = numberIn(headers, 'retry-after');
  if (seconds !== null) return seconds * 1_000;
  const date = Date.parse(headers.get('retry-after') ?? '');
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

function numberIn(headers: AnswerHeaders, name: string): number | null {
  const value = headers.get(name)?.trim() ?? '';
  return /^\d{1,10}(\.\d+)?$/.test(value) ? Number(value) : null;
}
