import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nearest } from './nearest.ts';

const COMMANDS = ['event', 'failures', 'trigger', 'watch', 'watches', 'unwatch', 'env', 'mute', 'status'];

describe('nearest', () => {
  test.each([
    ['failurs', 'failures'],
    ['faliures', 'failures'],
    ['FAILURES', 'failures'],
    ['evnet', 'event'],
    ['watche', 'watch'],
    ['env', 'env'],
    ['stauts', 'status'],
  ])('corrects %s to %s', (word, meant) => {
    expect(nearest(word, COMMANDS)).toBe(meant);
  });

  test.each(['', 'digest', 'x', 'evvvent!', 'constructor'])('finds no match for %j', (word) => {
    expect(nearest(word, COMMANDS)).toBeNull();
  });

  test('takes the nearest of several, and the first of those that are equally near', () => {
    expect(nearest('statusses', ['status', 'statuses'])).toBe('statuses');
    expect(nearest('wotch', ['watch', 'witch'])).toBe('watch');
    expect(nearest('watch', ['wxtch', 'watch'])).toBe('watch');
  });

  test('allows one slip in up to five letters, and two in longer words', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 });
    fc.assert(
      fc.property(word, word, (typed, candidate) => {
        const allowed = Math.max(typed.length, candidate.length) <= 5 ? 1 : 2;
        expect(nearest(typed, [candidate]) !== null).toBe(slipsBetween(typed, candidate) <= allowed);
      }),
      { numRuns: 2_000 },
    );
  });

  test('compares words of up to 200 letters', () => {
    const word = 'x'.repeat(200);
    expect(nearest(word, [`${word}x`])).toBe(`${word}x`);
    expect(nearest(`${word}x`, [word])).toBeNull();
  });
});

/** Returns the fewest slips by which one word becomes the other: what one more letter on either side, or a swap of two, costs. */
function slipsBetween(one: string, other: string): number {
  if (one === '' || other === '') return one.length + other.length;
  const [a, b] = [one.slice(1), other.slice(1)];
  if (one[0] === other[0]) return slipsBetween(a, b);
  const isSwapped = one.length > 1 && one[0] === other[1] && one[1] === other[0];
  const swapped = isSwapped ? [slipsBetween(a.slice(1), b.slice(1))] : [];
  return 1 + Math.min(slipsBetween(a, b), slipsBetween(a, other), slipsBetween(one, b), ...swapped);
}
