import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { at } from '../service/event.testing.ts';
import { shareOf } from './share.ts';

const STRETCH = { from: at(0), to: at(600) };

describe('a share', () => {
  test('has a count and a denominator of the same time range', () => {
    expect(shareOf(3, 12, STRETCH)).toEqual({ failed: 3, of: 12, ...STRETCH });
  });

  test('is the whole if all failed', () => {
    expect(shareOf(12, 12, STRETCH)).toMatchObject({ failed: 12, of: 12 });
  });

  test('can be of a single moment', () => {
    expect(shareOf(1, 2, { from: at(0), to: at(0) })).toMatchObject({ failed: 1, of: 2 });
  });

  test.each([
    ['nothing is known of the stretch', 0, 0, STRETCH],
    ['more failed than is known to have been created', 13, 12, STRETCH],
    ['the stretch ends before it begins', 3, 12, { from: at(1), to: at(0) }],
  ])('is null if %s', (_, failed, of, stretch) => {
    expect(shareOf(failed, of, stretch)).toBeNull();
  });

  test('never exceeds the whole', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e6 }), fc.integer({ min: 0, max: 1e6 }), (failed, of) => {
        const share = shareOf(failed, of, STRETCH);
        if (share !== null) expect(share.failed / share.of).toBeLessThanOrEqual(1);
      }),
    );
  });
});
