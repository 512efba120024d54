import { CLOCK_TOLERANCE_MS } from '../lib/time/service-clock.ts';

/**
 * Returns the SQL of how something is dated that occurs at a time of our clock (`datedAheadMs` in TypeScript). Failures and successes keep
 * the service's times, so they are compared with this and not with our times. `cursor` is the environment's row of `environments`.
 */
export function datedAt(time: string, cursor: string): string {
  const aheadMs = `greatest(-${CLOCK_TOLERANCE_MS}, least(0, coalesce(${cursor}.clock_ahead_ms, 0)))`;
  return `(${time} + ${aheadMs} * interval '1 millisecond')`;
}
