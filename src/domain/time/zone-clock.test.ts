import { expect, test } from 'vitest';
import { clockTime, dayAndTime, spanOnClock, weekdayAndDay } from './zone-clock.ts';

const MIDNIGHT = new Date('2026-03-05T00:00:00Z');
const later = (hours: number) => ({ from: MIDNIGHT, to: new Date(MIDNIGHT.getTime() + hours * 3_600_000) });

test("a moment is formatted in a zone's local time", () => {
  expect(clockTime(MIDNIGHT, 'Asia/Kolkata')).toBe('05:30');
  expect(weekdayAndDay(MIDNIGHT, 'America/New_York')).toBe('Wed 4');
  expect(dayAndTime(MIDNIGHT, 'UTC')).toBe('Thu 5 Mar 00:00');
});

test('a range names its days', () => {
  expect(spanOnClock(later(2), 'Europe/Berlin')).toBe('Thu 5 Mar 01:00 – 03:00');
  expect(spanOnClock(later(2), 'America/New_York')).toBe('Wed 4 Mar 19:00 – 21:00');
  expect(spanOnClock(later(48), 'UTC')).toBe('Thu 5 Mar 00:00 – Sat 7 Mar 00:00');
});
