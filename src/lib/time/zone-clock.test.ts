import { expect, test } from 'vitest';
import { clockTime, weekdayAndDay } from './wall-clock.ts';

test("a moment is formatted in a zone's local time", () => {
  const midnight = new Date('2026-03-05T00:00:00Z');
  expect(clockTime(midnight, 'Asia/Kolkata')).toBe('05:30');
  expect(weekdayAndDay(midnight, 'America/New_York')).toBe('Wed 4');
});
