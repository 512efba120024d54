import { describe, expect, test } from 'vitest';
import { clockAhead } from './service-clock.ts';

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

  test('is in whole milliseconds', () => {
    expect(aheadAt(10, 500, 501)).toBe(10_000);
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
