import { expect, test } from 'vitest';
import { readAdvanced } from './plan.ts';

test('everything that the contract has besides is read', () => {
  const typed = {
    ...{ transactionId: 'mine-1', actor: 'user-0', tenant: 'acme', context: { region: 'eu' } },
    ...{ overrides: { sendgrid: { templateId: 'd-17' } }, profile: { firstName: 'Ada', data: { vip: true } } },
  };
  const { options, transactionId, profile } = readAdvanced(typed, 1);
  expect(options).toMatchObject({ actor: 'user-0', tenant: 'acme', context: { region: 'eu' } });
  expect(options.overrides?.forTrigger()).toEqual(typed.overrides);
  expect(profile?.forTrigger()).toEqual(typed.profile);
  expect(transactionId).toBe('mine-1');
});

test('nothing typed is nothing', () => {
  const nothing = { overrides: null, actor: null, tenant: null, context: null };
  expect(readAdvanced({}, 2)).toEqual({ options: nothing, transactionId: null, profile: null });
});

test.each([
  [{ tenants: 'acme' }, 'Only these can stand here: transactionId, overrides, actor, tenant, context, profile.'],
  [{ actor: 'a b' }, "actor must be a subscriber's ID."],
  [{ overrides: [] }, 'overrides must be an object with provider IDs as keys.'],
  [{ context: { region: 1 } }, 'context must be an object with texts'],
  [{ profile: { mail: 'a' } }, 'profile must be an object with firstName'],
])('a mistake is named: %j', (typed, what) => {
  expect(() => readAdvanced(typed, 1)).toThrow(what);
});

test('a transaction ID and a profile are for a single subscriber', () => {
  expect(() => readAdvanced({ transactionId: 'mine-1' }, 2)).toThrow('for a single subscriber only');
  expect(() => readAdvanced({ profile: { firstName: 'Ada' } }, 2)).toThrow('for a single subscriber only');
});
