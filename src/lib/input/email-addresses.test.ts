import { expect, test } from 'vitest';
import { parseAddresses } from './email-addresses.ts';

test('email addresses are parsed, each once', () => {
  expect(parseAddresses(['anna@example.com', ' anna@example.com ', '', 'Ben+x@people.example'])).toEqual([
    'anna@example.com',
    'Ben+x@people.example',
  ]);
});

test.each([['anna'], ['anna@'], ['anna@b c'], ['a@b@c'], ['anna@example.com'.padStart(255, 'x')]])(
  'the address %j is refused without being quoted',
  (typed) => {
    expect(() => parseAddresses(['anna@example.com', typed])).toThrow('email: takes email addresses, at most 10.');
  },
);
