import type { AnswerHeaders } from './exchange.ts';

/** The smallest plan's rate: 150 reads in 5 s (field notes, "Transport"). */
export const ASSUMED_REQUESTS_A_MINUTE = 1_800;

/** The service's windows last 5 s unless a response says otherwise (field notes, "Transport"). */
const WINDOW_SECONDS = 5;

/**
 * Returns how many requests a service allows in a minute, from `RateLimit-Limit` and the `w` of `RateLimit-Policy`, in seconds. Without a
 * policy the window lasts five seconds, or until `RateLimit-Reset` if that is longer. Null if a response states no limit.
 */
export function parseRateLimit(headers: AnswerHeaders): number | null {
  const limit = positive(headers.get('ratelimit-limit'));
  if (limit === null) return null;
  const window = positive(/;\s*w=(\d+)/.exec(headers.get('ratelimit-policy') ?? '')?.[1] ?? null);
  const reset = positive(headers.get('ratelimit-reset'));
  return (limit * 60) / (window ?? Math.max(WINDOW_SECONDS, reset ?? 0));
}

function positive(text: string | null): number | null {
  return text !== null && /^\d{1,9}$/.test(text.trim()) && Number(text) > 0 ? Number(text) : null;
}
