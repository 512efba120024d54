import { expect, test } from 'vitest';
import { createServiceClock } from './clock.ts';

const NOON = Date.parse('2026-03-04T12:00:00.000Z');

function aheadBy(date: string | null, tookMs = 100): number | null {
  const clock = createServiceClock();
  clock.observe(new Headers(date === null ? {} : { date }), NOON, NOON + tookMs);
  return clock.aheadMs();
}

test('tells how far the clock of the service is ahead or behind, by the Date of its answers', () => {
  expect(aheadBy('Wed, 04 Mar 2026 12:05:00 GMT')).toBe(5 * 60_000 + 450);
  expect(aheadBy('Wed, 04 Mar 2026 11:30:00 GMT')).toBe(-30 * 60_000 + 450);
});

test('takes what whole seconds and a slow answer blur for no difference', () => {
  expect(aheadBy('Wed, 04 Mar 2026 12:00:01 GMT')).toBe(0);
  expect(aheadBy('Wed, 04 Mar 2026 12:00:08 GMT', 14_000)).toBe(0);
});

test('does not know where answers do not say', () => {
  expect(aheadBy(null)).toBeNull();
  expect(aheadBy('yesterday')).toBeNull();
});
