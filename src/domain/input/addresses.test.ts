import { expect, test } from 'vitest';
import { parseAddresses } from './addresses.ts';

test('parses email addresses, each once', () => {
  expect(parseAddresses(['anna@example.com', ' anna@example.com ', '', 'Ben+x@people.example'])).toEqual([
    'anna@example.com',
    'Ben+x@people.example',
  ]);
});

test.each([['anna'], ['anna@'], ['anna@b c'], ['a@b@c'], [`${'x'.repeat(250)}@example.com`]])(
  'refuses %j without quoting it',
  (typed) => {
    expect(() => parseAddresses(['anna@example.com', typed])).toThrow('email: takes email addresses.');
  },
);

test('refuses more addresses than are looked up at once', () => {
  const many = Array.from({ length: 11 }, (_, n) => `user-${n}@example.com`);
  expect(() => parseAddresses(many)).toThrow('email: takes at most 10 addresses.');
});
