import { describe, expect, test } from 'vitest';
import { InputError } from '../errors.ts';
import { parseCommandText } from './filters.ts';
import cases from './typed-targets.cases.json' with { type: 'json' };
import { refuseMasked, typedTargets } from './typed-targets.ts';

const refusal = (text: string): string => {
  const typed = parseCommandText(text);
  try {
    typedTargets(typed, []);
  } catch (error) {
    return `${Object(error).message} ${Object(error).example}`;
  }
  return 'looked up';
};

test.each(cases.refused)('a lookup refuses a filter that it would not apply: %s', (text, key) => {
  expect(refusal(text)).toBe(
    `/notif can't filter by ${key}:. It takes subscriber:, email:, tx:, env:. /notif events email:anna@example.com workflow:order-shipped`,
  );
});

test.each(['txn_8f2c91', 'txn_8f2c91 env:staging', 'tx:txn_8f2c91', 'subscriber:user-42', 'email:anna@example.com'])(
  'a lookup takes %s',
  (text) => {
    expect(refusal(text)).toBe('looked up');
  },
);

test('words without an ID may have any filter: they are no lookup', () => {
  expect(refusal('weekly since:2h')).toBe('looked up');
});

describe('what is looked up', () => {
  const targets = (text: string) =>
    typedTargets(parseCommandText(text), []).map(({ target: { kind, id } }) => `${kind} ${id}`);

  test.each(cases.targets)('is the value of a filter whatever it looks like: $text', ({ text, expected }) => {
    expect(targets(text)).toEqual(expected);
  });

  test.each([
    ['email:anna', 'email: takes email addresses, at most 10.'],
    ['tx:"two words"', 'Give an event ID, a transaction ID of at most 200 characters'],
  ])('is refused if the filter cannot have the value: %s', (text, what) => {
    expect(() => targets(text)).toThrow(what);
  });
});

test.each(['a•••@example.com', '•••67', 'subscriber a•••@example.com'])('a masked ID is refused: %s', (text) => {
  expect(() => refuseMasked(text)).toThrow(InputError);
});

test.each(['txn_8f2c91 for a•••@example.com', 'anna@example.com', 'user-1'])(
  'another ID beside it, or a whole one, is taken: %s',
  (text) => {
    expect(() => refuseMasked(text)).not.toThrow();
  },
);
