/** `Date` has whole seconds, and a response takes a moment, so a smaller difference counts as none. */
const BLUR_MS = 2_000;
const HALF_A_SECOND_MS = 500;

/** Returns how far another clock is ahead of ours (ms), by the `Date` of a response between two of our times; null if it has none. */
export function clockAhead(date: string | null, askedAt: number, answeredAt: number): number | null {
  const stated = Date.parse(date ?? '');
  if (Number.isNaN(stated)) return null;
  const ahead = Math.round(stated + HALF_A_SECOND_MS - (askedAt + answeredAt) / 2);
  return Math.abs(ahead) < BLUR_MS + (answeredAt - askedAt) / 2 ? 0 : ahead;
}
