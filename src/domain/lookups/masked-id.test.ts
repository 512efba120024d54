import { expect, test } from 'vitest';
import { InputError } from '../errors.ts';
import { refuseMasked } from './masked-id.ts';

test.each(['a•••@example.com', '•••67', 'subscriber a•••@example.com'])('a masked ID is refused: %s', (text) => {
  expect(() => refuseMasked(text)).toThrow(InputError);
});

test.each(['txn_8f2c91 for a•••@example.com', 'anna@example.com', 'user-1'])(
  'another ID beside it, or a whole one, is taken: %s',
  (text) => {
    expect(() => refuseMasked(text)).not.toThrow();
  },
);
