/** How the service's clock differs from ours, by the `Date` of its answers. */
export interface ServiceClock {
  /** Takes note of an answer that came between two moments of ours, in milliseconds. */
  observe(headers: Headers, askedAt: number, answeredAt: number): void;
  /** How far the service's clock is ahead of ours, in milliseconds; null before an answer that tells. */
  aheadMs(): number | null;
}

/** `Date` counts whole seconds, and an answer takes a moment: less than this is no difference. */
const BLUR_MS = 2_000;
const HALF_A_SECOND_MS = 500;

export function createServiceClock(): ServiceClock {
  let aheadMs: number | null = null;
  return {
    observe(headers, askedAt, answeredAt) {
      const date = Date.parse(headers.get('date') ?? '');
      if (Number.isNaN(date)) return;
      const ahead = Math.round(date + HALF_A_SECOND_MS - (askedAt + answeredAt) / 2);
      aheadMs = Math.abs(ahead) < BLUR_MS + (answeredAt - askedAt) / 2 ? 0 : ahead;
    },
    aheadMs: () => aheadMs,
  };
}
