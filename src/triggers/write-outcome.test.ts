import { expect, test } from 'vitest';
import { InputError, ServiceError } from '../lib/errors.ts';
import { writeOutcome } from './write-outcome.ts';

const conflict = (outcomeUnknown: boolean) =>
  new ServiceError('production', 'triggerEvents', { kind: 'still-running' }, { outcomeUnknown });

test.each([
  [conflict(true), 'unknown'],
  [conflict(false), 'refused'],
  [new InputError('events', 'One at least.'), 'refused'],
  [new TypeError('a mistake of Notif'), 'unknown'],
])('a write that ends with %s is %s', async (error, is) => {
  expect(await writeOutcome(() => Promise.reject(error))).toEqual({ is, error });
});

test('a write that is answered is done', async () => {
  expect(await writeOutcome(async () => 1)).toEqual({ is: 'done', result: 1 });
});
