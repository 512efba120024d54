import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bestOf, maximum, median, medianRatio, percentile } from './statistics.ts';

const values = fc.array(fc.double({ noNaN: true }), { minLength: 1 });
const share = fc.double({ min: 0, max: 1, noNaN: true });

describe('percentile', () => {
  test('returns the nearest rank', () => {
    const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);
    expect([0, 0.5, 0.99, 1].map((part) => percentile(hundred, part))).toEqual([1, 50, 99, 100]);
  });

  test("returns a measured value that at least that share doesn't exceed", () => {
    fc.assert(
      fc.property(values, share, (measured, part) => {
        const answer = percentile(measured, part);
        expect(measured).toContain(answer);
        expect(measured.filter((value) => value <= answer).length).toBeGreaterThanOrEqual(measured.length * part);
      }),
    );
  });

  test('returns NaN without values', () => {
    expect([percentile([], 0.99), median([]), maximum([])]).toEqual([Number.NaN, Number.NaN, Number.NaN]);
  });
});

describe('median', () => {
  test('returns the middle value in any order', () => {
    expect(median([9, 1, 5])).toBe(5);
    expect(median([4, 1, 3, 2])).toBe(2);
  });
});

describe('medianRatio', () => {
  test('compares round by round', () => {
    expect(medianRatio([2, 30, 4], [1, 10, 2])).toBe(2);
  });
});

describe('bestOf', () => {
  test('keeps the lowest cost in each place, which hides a disturbed run', () => {
    const runs = [
      [1, 90, 3],
      [2, 2, 80],
      [70, 3, 4, 5],
    ];
    expect(bestOf(runs)).toEqual([1, 2, 3]);
  });

  test('returns nothing without runs', () => {
    expect(bestOf([])).toEqual([]);
  });
});
