import { describe, expect, test } from 'vitest';
import { InputError } from '../errors.ts';
import { deployName, LONGEST_DEPLOY } from './deploy.ts';

const SHA = '3f786850e387550fdab836ed7e6dc881de23001b';

describe("a deploy's name", () => {
  test.each([
    ['  checkout 2.3 ', 'checkout 2.3'],
    ['mail\ntemplates', 'mail templates'],
    [`api ${SHA.slice(0, 12)}`, `api ${SHA.slice(0, 12)}`],
    ['for anna@example.com', 'for a•••@example.com'],
  ])('is stored on one line, without contacts: %j', (typed, name) => {
    expect(deployName(typed, 'x')).toBe(name);
  });

  test.each(['', '  ', 'x'.repeat(LONGEST_DEPLOY + 1)])('is refused if it is empty or too long', (typed) => {
    expect(() => deployName(typed, 'x')).toThrow(InputError);
  });
});
