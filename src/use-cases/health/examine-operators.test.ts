import { expect, test } from 'vitest';
import type { Operators } from '../../domain/access/operators.ts';
import { troublesOf } from './examine.testing.ts';
import { operatorsCheck } from './examine-operators.ts';

function troubles(operators: Operators) {
  const check = operatorsCheck({
    operators,
    workspace: {
      person: async (id) => (id === 'U1' ? { timeZone: null } : null),
      userGroups: async () => [
        { id: 'S1', handle: 'oncall' },
        { id: 'S2', handle: 'nobody' },
      ],
    },
    groups: { membersOf: async (id) => (id === 'S1' ? ['U1'] : []) },
  });
  return troublesOf([check]);
}

const listed = (users: readonly string[], groups: readonly string[] = []) => troubles({ who: 'listed', users, groups });

test('finds nothing if all operators are known, or everybody is one', async () => {
  expect(await listed(['U1'], ['S1'])).toEqual([]);
  expect(await troubles({ who: 'everybody' })).toEqual([]);
});

test('finds that there are no operators', async () => {
  expect(await troubles({ who: 'nobody' })).toEqual([
    "advice Operators: Sending tests and changing credentials are off: NOTIF_OPERATORS isn't set.",
  ]);
});

test('finds people and user groups that are gone, and empty groups', async () => {
  expect(await listed(['U1', 'U2'], ['S1', 'S2', 'S3'])).toEqual([
    'problem Operators: Slack knows no active person with the ID U2',
    'problem Operators: No user group in use has the ID S3',
    'problem Operators: Nobody is in the user group S2',
  ]);
});
