import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { at } from '../service/event.testing.ts';
import { shareOf } from './summary.ts';

const RANGE = { from: at(0), to: at(600) };

describe('a share', () => {
  test('has a count and a denominator of the same time range', () => {
    expect(shareOf(3, 12, RANGE)).toEqual({ failed: 3, of: 12, ...RANGE });
  });

  test('is the whole if all failed', () => {
    expect(shareOf(12, 12, RANGE)).toMatchObject({ failed: 12, of: 12 });
  });

  test('can be of a single moment', () => {
    expect(shareOf(1, 2, { from: at(0), to: at(0) })).toMatchObject({ failed: 1, of: 2 });
  });

  test.each([
    ['nothing is known of the time range', 0, 0, RANGE],
    ['more failed than is known to have been created', 13, 12, RANGE],
    ['it ends before it begins', 3, 12, { from: at(1), to: at(0) }],
  ])('is null if %s', (_, failed, of, range) => {
    expect(shareOf(failed, of, range)).toBeNull();
  });

  test('never exceeds the whole', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e6 }), fc.integer({ min: 0, max: 1e6 }), (failed, of) => {
        const share = shareOf(failed, of, RANGE);
        if (share !== null) expect(share.failed / share.of).toBeLessThanOrEqual(1);
      }),
    );
  });
});
