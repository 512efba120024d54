import { expect, test } from 'vitest';
import { targetOf } from './looked-up.ts';

test('an event is named by its ID or, without one, by its transaction', () => {
  expect(targetOf({ id: '65f2a1c0d4e5f60718293a4b', transactionId: 'txn_1' })).toEqual({
    kind: 'event',
    id: '65f2a1c0d4e5f60718293a4b',
  });
  expect(targetOf({ id: null, transactionId: 'txn_1' })).toEqual({ kind: 'transaction', id: 'txn_1' });
});
