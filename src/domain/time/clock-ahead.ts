/** `Date` counts whole seconds, and an answer takes a moment: less than this is no difference. */
const BLUR_MS = 2_000;
const HALF_A_SECOND_MS = 500;

/**
 * How far another clock is ahead of ours, in milliseconds, by the `Date` of an answer that came between two moments of ours; null where
 * the answer does not say.
 */
export function clockAhead(date: string | null, askedAt: number, answeredAt: number): number | null {
  const told = Date.parse(date ?? '');
  if (Number.isNaN(told)) return null;
  const ahead = Math.round(told + HALF_A_SECOND_MS - (askedAt + answeredAt) / 2);
  return Math.abs(ahead) < BLUR_MS + (answeredAt - askedAt) / 2 ? 0 : ahead;
}
