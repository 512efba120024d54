import { clockAhead } from '../domain/time/clock-ahead.ts';
import type { AnswerHeaders } from './exchange.ts';

/** How the service's clock differs from ours, by the `Date` of its answers. */
export interface ServiceClock {
  /** Takes note of an answer that came between two moments of ours, in milliseconds. */
  observe(headers: AnswerHeaders, askedAt: number, answeredAt: number): void;
  /** How far the service's clock is ahead of ours, in milliseconds; null before an answer that tells. */
  aheadMs(): number | null;
}

export function createServiceClock(): ServiceClock {
  let aheadMs: number | null = null;
  return {
    observe(headers, askedAt, answeredAt) {
      aheadMs = clockAhead(headers.get('date'), askedAt, answeredAt) ?? aheadMs;
    },
    aheadMs: () => aheadMs,
  };
}
