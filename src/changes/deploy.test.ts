import { describe, expect, test } from 'vitest';
import { deployName, LONGEST_DEPLOY } from './change.ts';

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

  test('is kept up to its maximum length, whatever blanks are around it', () => {
    const longest = 'deploy '
      .repeat(LONGEST_DEPLOY)
      .slice(0, LONGEST_DEPLOY - 1)
      .concat('s');
    expect(deployName(` ${longest} `, 'x')).toBe(longest);
  });

  test.each([
    ['', 'What was deployed?'],
    ['  ', 'What was deployed?'],
    ['x'.repeat(LONGEST_DEPLOY + 1), "A deploy's name has at most 200 characters."],
  ])('is refused if it is empty or too long: %j', (typed, what) => {
    const example = '/notif deployed checkout';
    expect(() => deployName(typed, example)).toThrow(
      expect.objectContaining({ name: 'InputError', field: 'what', message: what, example }),
    );
  });
});
