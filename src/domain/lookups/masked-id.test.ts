import { expect, test } from 'vitest';
import { InputError } from '../errors.ts';
import { refuseMasked } from './masked-id.ts';

const refusal = (text: string): unknown => {
  try {
    refuseMasked(text);
  } catch (error) {
    return Object(error).example;
  }
  return 'taken';
};

test.each(['a•••@example.com', '•••67', 'subscriber a•••@example.com'])('a masked ID is refused: %s', (text) => {
  expect(refusal(text)).toBe('/notif event txn_8f2c91');
});

test.each(['a•••@example.com #fbhkmgacpela', '•••67 #fbhkmgacpela'])(
  'one with its hash is found among failures: %s',
  (text) => {
    expect(refusal(text)).toBe(`/notif failures subscriber:"${text}"`);
  },
);

test.each(['txn_8f2c91 for a•••@example.com #fbhkmgacpela', 'anna@example.com', 'user-1'])(
  'another ID beside it, or a whole one, is taken: %s',
  (text) => {
    expect(refusal(text)).toBe('taken');
  },
);

test('the person learns why it is refused, and that the hash belongs to the ID before it', () => {
  const what = 'This ID is masked, and the service knows only the whole one. Give that, or a transaction ID.';
  const example = '/notif failures subscriber:"a•••@example.com #fbhkmgacpela"';
  const text = 'what about a•••@example.com #fbhkmgacpela and more';
  expect(() => refuseMasked(text)).toThrow(new InputError('event', what, example));
  expect(refusal(text)).toBe(example);
});
