import { describe, expect, test } from 'vitest';
import { NotOperatorError } from './errors.ts';
import { type Operators, parseOperators, requireOperator } from './people.ts';

describe('the operators', () => {
  test.each<[setting: string, who: Operators['who']]>([
    ['', 'nobody'],
    [' , ,', 'nobody'],
    ['*', 'everybody'],
  ])('with NOTIF_OPERATORS=%j are %s', (setting, who) => {
    expect(parseOperators(setting)).toEqual({ who });
  });

  test('are the listed people and groups', () => {
    const operators = parseOperators(' U0ANN,S0CREW ,W0BENS,, SOPS');
    expect(operators).toEqual({ who: 'listed', users: ['U0ANN', 'W0BENS'], groups: ['S0CREW', 'SOPS'] });
  });
});

const groups = { membersOf: async (id: string) => (id === 'S1' ? ['U2'] : []) };

describe('requireOperator', () => {
  test.each([
    ['U1', 'U1, S1'],
    ['U2', 'U1, S1'],
    ['U9', '*'],
  ])('allows %s with NOTIF_OPERATORS=%s', async (user, setting) => {
    await expect(requireOperator(user, parseOperators(setting), groups)).resolves.toBeUndefined();
  });

  test.each([
    ['U3', 'U1,S1'],
    ['U3', ''],
  ])('refuses %s with NOTIF_OPERATORS=%s', async (user, setting) => {
    const refusal = requireOperator(user, parseOperators(setting), groups);
    await expect(refusal).rejects.toBeInstanceOf(NotOperatorError);
  });

  test('allows a member of one user group although another is unknown, and refuses nobody for one that is', async () => {
    const membersOf = async (id: string) => (id === 'S1' ? ['U2'] : Promise.reject(new Error('ratelimited')));
    await requireOperator('U2', parseOperators('S0,S1'), { membersOf });
    await expect(requireOperator('U3', parseOperators('S0,S1'), { membersOf })).rejects.toMatchObject({
      name: 'PersonUnknownError',
      cause: new Error('ratelimited'),
    });
  });
});
