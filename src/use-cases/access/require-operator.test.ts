import { describe, expect, test } from 'vitest';
import { parseOperators } from '../../domain/access/operators.ts';
import { NotOperatorError } from '../../domain/errors.ts';
import { requireOperator } from './require-operator.ts';

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
    ['U3', 'U1,S1', true],
    ['U3', '', false],
    ['U3', undefined, false],
  ])(
    'refuses %s with NOTIF_OPERATORS=%s, and reports whether operators are configured',
    async (user, setting, configured) => {
      const refusal = requireOperator(user, parseOperators(setting), groups);
      await expect(refusal).rejects.toMatchObject({ name: 'NotOperatorError', operatorsConfigured: configured });
      await expect(refusal).rejects.toBeInstanceOf(NotOperatorError);
    },
  );

  test('allows a member of one group although another is unknown, and refuses nobody for one that is', async () => {
    const membersOf = async (id: string) => (id === 'S1' ? ['U2'] : Promise.reject(new Error('ratelimited')));
    await requireOperator('U2', parseOperators('S0,S1'), { membersOf });
    await expect(requireOperator('U3', parseOperators('S0,S1'), { membersOf })).rejects.toThrow('ratelimited');
  });
});
