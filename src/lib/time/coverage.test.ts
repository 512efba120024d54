import { describe, expect, test } from 'vitest';
import { at } from '../../service/event.testing.ts';
import { checkedMs, joinedRanges, shownOf, uncheckedIn } from './coverage.ts';

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

  test('is all of a short range that begins where the last check ended', () => {
    expect(shownOf(range(0, 60), { coverage: range(-60, 0) })).toEqual(range(0, 60));
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

describe('ranges', () => {
  test('are joined where they touch or overlap, the oldest first', () => {
    const parts = [range(30, 40), range(5, 12), range(0, 10), range(12, 15), range(31, 35)];
    expect(joinedRanges(parts)).toEqual([range(0, 15), range(30, 40)]);
  });
});
