import { describe, expect, test } from 'vitest';
import { notInList, oneOf } from './closed-list.ts';

const VERDICTS = ['failed', 'partly-failed', 'in_app'] as const;

describe('a value of a closed list', () => {
  test.each([
    ['FAILED', 'failed'],
    [' Partly failed ', 'partly-failed'],
    ['partly_failed', 'partly-failed'],
    ['partly - failed', 'partly-failed'],
    ['in-app', 'in_app'],
  ])('is recognized in %j', (typed, value) => {
    expect(oneOf({ key: 'verdict' }, typed, VERDICTS)).toBe(value);
  });

  test('is refused without the separators in it', () => {
    expect(() => oneOf({ key: 'verdict' }, 'partlyfailed', VERDICTS)).toThrow('Did you mean partly-failed?');
  });

  test('is refused with the nearest one, or else with all of them', () => {
    expect(() => oneOf({ key: 'verdict' }, 'partly fialed', VERDICTS)).toThrow(
      'There is no verdict partly fialed. Did you mean partly-failed?',
    );
    expect(() => oneOf({ key: 'sort', noun: 'order' }, 'name', VERDICTS)).toThrow(
      'There is no order name. There are: failed, partly-failed, in_app.',
    );
  });

  test('is refused with an example, and with a part of a long list', () => {
    const many = Array.from({ length: 20 }, (_, n) => `place-${n}`);
    expect(notInList({ key: 'env', noun: 'environment' }, 'x', many)).toMatchObject({
      field: 'env',
      message: expect.stringMatching(/place-11, 8 more\.$/),
      example: 'env:place-0',
    });
    expect(notInList({ key: 'env', noun: 'environment' }, 'x', many.slice(0, 12)).message).toMatch(/place-11\.$/);
  });
});
