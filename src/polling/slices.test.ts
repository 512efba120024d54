import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../lib/time/durations.ts';
import { slices } from './slices.ts';

const BEGIN = new Date('2026-05-04T11:00:00.000Z');

describe('the slices of a range', () => {
  test.each([
    [0, [4]],
    [1_200, [2, 4]],
    [90_000, [1, 2, 3, 4]],
  ])('have some 20 pages of %i events, or are a minute', (events, ends) => {
    const begin = BEGIN.getTime();
    const parted = slices({ from: new Date(begin), to: new Date(begin + 4 * MINUTE_MS) }, events);
    expect(parted.map(({ to }) => (to.getTime() - begin) / MINUTE_MS)).toEqual(ends);
  });

  test('cover the range without a hole, in order', () => {
    fc.assert(
      fc.property(fc.nat(90_000), fc.nat(59_999), fc.integer({ min: 1, max: HOUR_MS }), (events, offset, length) => {
        const from = new Date(BEGIN.getTime() + offset);
        const to = new Date(from.getTime() + length);
        const parted = slices({ from, to }, events);
        expect(parted[0]?.from).toEqual(from);
        expect(parted.at(-1)?.to).toEqual(to);
        for (const [index, slice] of parted.entries()) {
          expect(slice.from < slice.to).toBe(true);
          if (index > 0) expect(parted[index - 1]?.to).toEqual(slice.from);
        }
      }),
    );
  });
});
