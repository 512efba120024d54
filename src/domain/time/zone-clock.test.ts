import { expect, test } from 'vitest';
import { clockTime, dayAndTime, spanOnClock, weekdayAndDay } from './zone-clock.ts';

const MIDNIGHT = new Date('2026-03-05T00:00:00Z');
const later = (hours: number) => ({ from: MIDNIGHT, to: new Date(MIDNIGHT.getTime() + hours * 3_600_000) });

test("a moment is formatted in a zone's local time", () => {
  expect(clockTime(MIDNIGHT, 'Asia/Kolkata')).toBe('05:30');
  expect(weekdayAndDay(MIDNIGHT, 'America/New_York')).toBe('Wed 4');
  expect(dayAndTime(MIDNIGHT, 'UTC')).toBe('Thu 5 Mar 00:00');
});

test.each([
  ['Europe/Berlin', '2026-10-25T00:10:00Z', '2026-10-25T01:10:00Z', 'Sun 25 Oct 02:10 CEST – 02:10 CET'],
  ['Europe/Berlin', '2026-03-28T12:00:00Z', '2026-03-29T12:00:00Z', 'Sat 28 Mar 13:00 CET – Sun 29 Mar 14:00 CEST'],
  ['America/New_York', '2026-11-01T05:30:00Z', '2026-11-01T06:20:00Z', 'Sun 1 Nov 01:30 EDT – 01:20 EST'],
  ['Europe/London', '2026-10-25T00:30:00Z', '2026-10-25T01:20:00Z', 'Sun 25 Oct 01:30 BST – 01:20 GMT'],
  ['Australia/Sydney', '2026-04-04T15:30:00Z', '2026-04-04T16:20:00Z', 'Sun 5 Apr 02:30 AEDT – 02:20 AEST'],
  [
    'America/Sao_Paulo',
    '2018-11-03T12:00:00Z',
    '2018-11-04T12:00:00Z',
    'Sat 3 Nov 09:00 GMT-3 – Sun 4 Nov 10:00 GMT-2',
  ],
])('a range over a clock change in %s says which clock each end is on', (timeZone, from, to, words) => {
  expect(spanOnClock({ from: new Date(from), to: new Date(to) }, timeZone)).toBe(words);
});

test('a range names its days', () => {
  expect(spanOnClock(later(2), 'Europe/Berlin')).toBe('Thu 5 Mar 01:00 – 03:00');
  expect(spanOnClock(later(2), 'America/New_York')).toBe('Wed 4 Mar 19:00 – 21:00');
  expect(spanOnClock(later(48), 'UTC')).toBe('Thu 5 Mar 00:00 – Sat 7 Mar 00:00');
});
