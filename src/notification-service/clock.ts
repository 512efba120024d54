import { clockAhead } from '../domain/time/clock-ahead.ts';
import type { AnswerHeaders } from './exchange.ts';

/** How the service's clock differs from Notif's, by the `Date` of its responses. */
export interface ServiceClock {
  /** Records a response with the times of Notif's clock, in milliseconds, at which it was requested and received. */
  observe(headers: AnswerHeaders, askedAt: number, answeredAt: number): void;
  /** Returns how far the service's clock is ahead of Notif's, in milliseconds. Null until a response shows it. */
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
