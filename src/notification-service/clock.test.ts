import { expect, test } from 'vitest';
import { createServiceClock } from './clock.ts';

const NOON = Date.parse('2026-03-04T12:00:00.000Z');

function aheadBy(date: string | null, tookMs = 100): number | null {
  const clock = createServiceClock();
  clock.observe(new Headers(date === null ? {} : { date }), NOON, NOON + tookMs);
  return clock.aheadMs();
}

test("the clock shows how far the service's is ahead or behind, by the Date of its responses", () => {
  expect(aheadBy('Wed, 04 Mar 2026 12:05:00 GMT')).toBe(5 * 60_000 + 450);
  expect(aheadBy('Wed, 04 Mar 2026 11:30:00 GMT')).toBe(-30 * 60_000 + 450);
});

test('the clock ignores differences that whole seconds and a slow response explain', () => {
  expect(aheadBy('Wed, 04 Mar 2026 12:00:01 GMT')).toBe(0);
  expect(aheadBy('Wed, 04 Mar 2026 12:00:08 GMT', 14_000)).toBe(0);
});

test('the clock returns null if responses have no Date', () => {
  expect(aheadBy(null)).toBeNull();
  expect(aheadBy('yesterday')).toBeNull();
});
