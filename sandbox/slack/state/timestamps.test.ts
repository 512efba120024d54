import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { timestamps } from './messages.ts';

describe('timestamps', () => {
  test('have the clock’s time in seconds with six decimals', () => {
    expect(timestamps(() => 1_712_345_678_009)()).toBe('1712345678.009000');
  });

  test('increase with every call, even if the clock stands still or goes back', () => {
    const clock = fc.array(fc.integer({ min: 1_000_000_000_000, max: 2_000_000_000_000 }), { minLength: 2 });
    fc.assert(
      fc.property(clock, (times) => {
        const left = [...times];
        const next = timestamps(() => left.shift() ?? 0);
        const stamps = times.map(() => next());
        expect(stamps.toSorted()).toEqual(stamps);
        expect(new Set(stamps).size).toBe(stamps.length);
      }),
    );
  });
});
