import fc from 'fast-check';
import { expect, test } from 'vitest';
import { at } from '../../service/event.testing.ts';
import {
  describeDuration,
  halves,
  joinedRanges,
  lengthWithout,
  overlap,
  type TimeRange,
  withoutRanges,
} from './durations.ts';

const window = (from: number, to: number): TimeRange => ({ from: at(from), to: at(to) });

const seconds = fc.integer({ min: 0, max: 100 });
const windows = fc.array(
  fc.tuple(seconds, seconds).map(([a, b]) => window(Math.min(a, b), Math.max(a, b))),
  { maxLength: 6 },
);
const isIn = (moment: Date) => (one: TimeRange) => moment > one.from && moment < one.to;

test('measures a range without others', () => {
  expect(lengthWithout(window(0, 100), [window(50, 60), window(10, 20)])).toBe(80_000);
  expect(lengthWithout(window(0, 100), [])).toBe(100_000);
  expect(lengthWithout(window(0, 100), [window(-10, 200)])).toBe(0);
  expect(lengthWithout(window(100, 0), [])).toBe(0);
});

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
      for (const range of some) {
        expect(withoutRanges(range, taken).some(isIn(moment))).toBe(isIn(moment)(range) && !isTaken);
        for (const other of taken) {
          const both = overlap(range, other);
          expect(both !== null && isIn(moment)(both)).toBe(isIn(moment)(range) && isIn(moment)(other));
        }
      }
    }),
  );
});

test.each([
  [0, '0 s'],
  [100_000, '100 s'],
  [3_600_000, '1 h'],
  [5_400_000, '90 min'],
  [-1, '0 s'],
])('describeDuration of %d ms is %s', (ms, words) => {
  expect(describeDuration(ms)).toBe(words);
});
