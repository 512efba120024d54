import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nearest, notInList, oneOf } from './closed-list.ts';

const VERDICTS = ['failed', 'partly-failed', 'in_app'] as const;

describe('a value of a closed list', () => {
  test.each([
    [' Partly _ FAILED ', 'partly-failed'],
    ['in-app', 'in_app'],
  ])('is recognized in %j', (typed, value) => {
    expect(oneOf('verdict', typed, VERDICTS)).toBe(value);
  });

  test('is refused with the nearest one, or else with all of them', () => {
    expect(() => oneOf('verdict', 'partly fialed', VERDICTS)).toThrow(
      'There is no verdict partly fialed. Did you mean partly-failed?',
    );
    expect(() => oneOf('verdict', 'part', VERDICTS)).toThrow('Did you mean partly-failed?');
    expect(() => oneOf('sort', 'name', VERDICTS, 'order')).toThrow(
      'There is no order name. There are: failed, partly-failed, in_app.',
    );
  });

  test('is refused with a part of a long list, and without an example unless the command has one', () => {
    const many = Array.from({ length: 20 }, (_, n) => `place-${n}`);
    expect(notInList('env', 'x', many, 'environment')).toMatchObject({
      field: 'env',
      message: expect.stringMatching(/place-11, 8 more\.$/),
      example: null,
    });
    expect(notInList('env', 'x', many.slice(0, 12), 'environment').message).toMatch(/place-11\.$/);
  });

  test('is refused without an example while none is known', () => {
    const message = 'There is no workflow x. None is known yet: leave workflow: out.';
    expect(notInList('workflow', 'x', [])).toMatchObject({ message, example: null });
  });
});

const COMMANDS = ['event', 'failures', 'trigger', 'watch', 'watches', 'unwatch', 'env', 'mute', 'status'];

describe('nearest', () => {
  test.each([
    ['failurs', 'failures'],
    ['faliures', 'failures'],
    ['evnet', 'event'],
  ])('corrects %s to %s', (word, name) => {
    expect(nearest(word, COMMANDS)).toBe(name);
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
