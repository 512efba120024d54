import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nearest } from './closed-list.ts';

const COMMANDS = ['event', 'failures', 'trigger', 'watch', 'watches', 'unwatch', 'env', 'mute', 'status'];

describe('nearest', () => {
  test.each([
    ['failurs', 'failures'],
    ['faliures', 'failures'],
    ['evnet', 'event'],
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

  test('forgives one typo in up to five letters, and two in longer words', () => {
    expect(nearest('evnt', ['event'])).toBe('event');
    expect(nearest('vnt', ['event'])).toBeNull();
    expect(nearest('faliurs', ['failures'])).toBe('failures');
    expect(nearest('falirs', ['failures'])).toBeNull();
  });

  test('finds what any single typo made of a longer word', () => {
    const letter = fc.constantFrom('a', 'b', 'c');
    const word = fc.string({ unit: letter, minLength: 6, maxLength: 9 });
    fc.assert(
      fc.property(word, fc.nat(5), letter, (meant, at, other) => {
        const [before, after] = [meant.slice(0, at), meant.slice(at)];
        for (const typed of [before + after.slice(1), before + other + after, before + other + after.slice(1)])
          expect(nearest(typed, [meant])).toBe(meant);
      }),
    );
  });
});
