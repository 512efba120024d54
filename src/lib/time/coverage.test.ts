import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { at } from '../../service/event.testing.ts';
import { checkedMs, halves, joinedRanges, shared, shownOf, uncheckedIn, withoutRanges } from './coverage.ts';
import type { TimeRange } from './time-range.ts';

const MINUTE = 60;
const range = (from: number, to: number) => ({ from: at(from), to: at(to) });

describe('the part of a range that is shown', () => {
  const hour = range(0, 60 * MINUTE);

  test.for([
    ['ends with the last check if the rest will be checked soon', range(-60, 56 * MINUTE), range(0, 56 * MINUTE)],
    ['is all of it if five minutes were left out', range(-60, 55 * MINUTE), hour],
    ['is all of it if it was checked to its end', range(-60, 60 * MINUTE), hour],
    ['is all of it if nothing has been checked', null, hour],
    ['is all of it if nothing of it has been checked', range(-60, -1), hour],
  ] as const)('%s', ([, coverage, shown]) => {
    expect(shownOf(hour, { coverage })).toEqual(shown);
  });
});

describe('the unchecked parts of a range', () => {
  const gaps = [range(50, 60), range(10, 20)];

  test('are what lies before and after the coverage, and the gaps, the oldest first', () => {
    expect(uncheckedIn(range(0, 100), { coverage: range(5, 90), gaps })).toEqual([
      range(0, 5),
      range(10, 20),
      range(50, 60),
      range(90, 100),
    ]);
  });

  test('are only what lies within the range', () => {
    expect(uncheckedIn(range(15, 55), { coverage: range(0, 100), gaps })).toEqual([range(15, 20), range(50, 55)]);
    expect(uncheckedIn(range(20, 50), { coverage: range(20, 50), gaps })).toEqual([]);
  });

  test('are all of it if nothing has been checked', () => {
    expect(uncheckedIn(range(0, 100), { coverage: null, gaps })).toEqual([range(0, 100)]);
  });

  test('leave as much checked as they are shorter', () => {
    expect(checkedMs(range(0, 100), gaps)).toBe(80_000);
    expect(checkedMs(range(0, 100), [])).toBe(100_000);
    expect(checkedMs(range(0, 100), [range(-10, 200)])).toBe(0);
    expect(checkedMs(range(100, 0), [])).toBe(0);
  });
});

const window = (from: number, to: number): TimeRange => ({ from: at(from), to: at(to) });

const seconds = fc.integer({ min: 0, max: 100 });
const windows = fc.array(
  fc.tuple(seconds, seconds).map(([a, b]) => window(Math.min(a, b), Math.max(a, b))),
  { maxLength: 6 },
);
const isIn = (moment: Date) => (one: TimeRange) => moment > one.from && moment < one.to;

test('halves a window at a whole second, down to one second', () => {
  expect(halves(window(0, 10), 1_000)).toEqual([window(0, 5), window(5, 10)]);
  expect(halves(window(0.7, 1.2), 1_000)).toEqual([window(0.7, 1), window(1, 1.2)]);
  expect(halves(window(0, 1), 1_000)).toBeNull();
  expect(halves(window(0.2, 0.9), 1_000)).toBeNull();
});

test('agrees moment by moment when it subtracts, joins and intersects', () => {
  fc.assert(
    fc.property(windows, windows, seconds, (some, taken, second) => {
      const moment = at(second + 0.5);
      const isTaken = taken.some(isIn(moment));
      expect(joinedRanges(taken).some(isIn(moment))).toBe(isTaken);
      for (const one of some) {
        expect(withoutRanges(one, taken).some(isIn(moment))).toBe(isIn(moment)(one) && !isTaken);
        for (const other of taken) {
          const both = shared(one, other);
          expect(both !== null && isIn(moment)(both)).toBe(isIn(moment)(one) && isIn(moment)(other));
        }
      }
    }),
  );
});
