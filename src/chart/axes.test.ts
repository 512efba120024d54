import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../domain/time/durations.ts';
import { countLabels, countTicks, tickLabel, timeTicks } from './axes.ts';

const NOON = new Date('2026-03-04T12:00:00Z');
const later = (ms: number) => new Date(NOON.getTime() + ms);

describe('a count axis', () => {
  test.each([
    [1, [0, 1]],
    [3, [0, 1, 2, 3]],
    [7, [0, 2, 4, 6, 8]],
    [12, [0, 5, 10, 15]],
    [95, [0, 20, 40, 60, 80, 100]],
    [1_234, [0, 250, 500, 750, 1_000, 1_250]],
  ])('up to %i has the ticks %j', (most, ticks) => {
    expect(countTicks(most)).toEqual(ticks);
  });

  test('has whole numbers, includes the largest count, and has at most six ticks', () => {
    fc.assert(
      fc.property(fc.nat(10_000_000), (most) => {
        const ticks = countTicks(most);
        expect(ticks.every(Number.isInteger)).toBe(true);
        expect(ticks.at(-1)).toBeGreaterThanOrEqual(Math.max(1, most));
        expect(ticks.length).toBeLessThanOrEqual(6);
      }),
    );
  });

  test.each([
    [
      [0, 2_500, 5_000],
      ['0', '2,500', '5,000'],
    ],
    [
      [0, 5_000, 10_000],
      ['0', '5k', '10k'],
    ],
    [
      [0, 500_000, 1_000_000],
      ['0', '0.5M', '1M'],
    ],
  ])('labels %j as %j', (ticks, labels) => {
    expect(countLabels(ticks)).toEqual(labels);
  });
});

describe('a time axis', () => {
  const labels = (hours: number, timeZone: string, from = NOON) =>
    timeTicks({ from, to: new Date(from.getTime() + hours * HOUR_MS) }, timeZone, 7).map((at) =>
      tickLabel(at, timeZone),
    );

  test('has round times in the given zone', () => {
    expect(labels(1, 'UTC')).toEqual(['12:00', '12:10', '12:20', '12:30', '12:40', '12:50', '13:00']);
    expect(labels(2, 'Asia/Kolkata', later(3 * MINUTE_MS))).toEqual([
      '17:40',
      '18:00',
      '18:20',
      '18:40',
      '19:00',
      '19:20',
    ]);
    expect(labels(72, 'Europe/Berlin')).toEqual(['Thu 5', '12:00', 'Fri 6', '12:00', 'Sat 7', '12:00']);
  });

  test.each([
    ['the end of summer', '2026-10-24T09:00:00Z', 72, 'Europe/Berlin', '12:00 Sun 25|12:00 Mon 26|12:00 Tue 27'],
    ['its beginning', '2026-03-28T10:00:00Z', 72, 'Europe/Berlin', '12:00 Sun 29|12:00 Mon 30|12:00 Tue 31|12:00'],
    [
      'an hour that is there twice',
      '2026-10-24T23:30:00Z',
      3,
      'Europe/Berlin',
      '01:30 02:00 02:30 02:00 02:30 03:00 03:30',
    ],
    [
      'a midnight that is not there',
      '2026-03-27T10:00:00Z',
      72,
      'Asia/Beirut',
      '12:00 Sat 28|12:00 Sun 29|12:00 Mon 30|12:00',
    ],
    [
      'a midnight that is there twice',
      '2026-10-31T22:00:00Z',
      12,
      'America/Havana',
      '18:00 20:00 22:00 Sun 1|02:00 04:00',
    ],
  ])('has round times after a clock change, and names each day: %s', (_when, from, hours, timeZone, expected) => {
    expect(
      labels(hours, timeZone, new Date(from))
        .join(' ')
        .replace(/(?<=[a-z] \d+) /g, '|'),
    ).toBe(expected);
  });

  test('has two to seven ticks within it, whatever its length', () => {
    fc.assert(
      fc.property(fc.integer({ min: 20 * MINUTE_MS, max: 60 * 24 * HOUR_MS }), (length) => {
        const ticks = timeTicks({ from: NOON, to: later(length) }, 'America/New_York', 7);
        expect(ticks).toEqual(ticks.toSorted((a, b) => a.getTime() - b.getTime()));
        expect(ticks.length).toBeGreaterThan(1);
        expect(ticks.length).toBeLessThanOrEqual(7);
        expect(ticks.every((at) => at >= NOON && at <= later(length))).toBe(true);
      }),
    );
  });
});
