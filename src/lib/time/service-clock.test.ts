import { describe, expect, test } from 'vitest';
import { byServiceClock, clockAhead, lagMs, listEnd, listStart } from './service-clock.ts';

const now = new Date('2026-03-04T12:00:00.000Z');
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const ago = (ms: number) => new Date(now.getTime() - ms);

describe('a list of what there is now', () => {
  const endsAhead = (aheadMs: number | null) => listEnd(now, aheadMs).getTime() - now.getTime();
  const beginsBefore = (aheadMs: number | null) => now.getTime() - listStart(now, aheadMs).getTime();
  const aFewSeconds = 10_000;

  test.each([0, 5_000, 3 * HOUR])("ends a few seconds beyond the service's time, %i ms ahead of ours", (aheadMs) => {
    expect(endsAhead(aheadMs)).toBeGreaterThan(aheadMs);
    expect(endsAhead(aheadMs)).toBeLessThanOrEqual(aheadMs + aFewSeconds);
  });

  test("has an hour to spare at both ends while the service hasn't said its time", () => {
    expect(endsAhead(null)).toBe(endsAhead(HOUR));
    expect(beginsBefore(null)).toBe(beginsBefore(-HOUR));
  });

  test.each([0, -5_000, -3 * HOUR])(
    "begins ten minutes before the service's time, %i ms from ours, since the difference may have changed",
    (aheadMs) => {
      expect(beginsBefore(aheadMs)).toBe(-aheadMs + 10 * MINUTE);
    },
  );
});

test.each([
  [5 * MINUTE, 5 * MINUTE],
  [-5 * MINUTE, -5 * MINUTE],
  [null, 0],
  [5 * HOUR, 5 * HOUR],
  [-5 * HOUR, -5 * HOUR],
])('a time by another clock of a service that is %s ms ahead of ours counts as %i ms ahead', (aheadMs, counted) => {
  expect(byServiceClock(now, aheadMs)).toEqual(ago(-counted));
  expect(lagMs(aheadMs)).toBe(Math.max(0, -counted));
});

const NOON = Date.parse('2026-03-04T12:00:00Z');

const aheadAt = (seconds: number, askedMs: number, answeredMs: number) =>
  clockAhead(new Date(NOON + seconds * 1000).toUTCString(), NOON + askedMs, NOON + answeredMs);

describe("the difference of a service's clock", () => {
  test.for([null, '', 'soon'])('is unknown if a response is dated %s', (date) => {
    expect(clockAhead(date, NOON, NOON)).toBeNull();
  });

  test.for([
    [10, 10_000],
    [-10, -10_000],
    [3_600, 3_600_000],
  ] as const)('is measured in the middle of the request: dated %i s later', ([seconds, ahead]) => {
    expect(aheadAt(seconds, 0, 1_000)).toBe(ahead);
    expect(aheadAt(seconds, 250, 750)).toBe(ahead);
  });

  test.for([-1, 0, 1])('is none if it is less than two seconds: dated %i s later', (seconds) => {
    expect(aheadAt(seconds, 500, 500)).toBe(0);
  });

  test.for([-2, 2])('is shown from two seconds on: dated %i s later', (seconds) => {
    expect(aheadAt(seconds, 500, 500)).toBe(seconds * 1000);
  });

  test('is none if a slow response explains it', () => {
    expect(aheadAt(11, 0, 10_000)).toBe(0);
    expect(aheadAt(12, 0, 10_000)).toBe(7_500);
  });
});
