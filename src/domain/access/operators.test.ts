import { describe, expect, test } from 'vitest';
import { listedUsers, type Operators, parseOperators } from './operators.ts';

describe('the operators', () => {
  test.each<[setting: string | undefined, who: Operators['who']]>([
    [undefined, 'nobody'],
    ['', 'nobody'],
    [' , ,', 'nobody'],
    ['*', 'everybody'],
    ['U0ANN, *', 'everybody'],
  ])('with NOTIF_OPERATORS=%j are %s, none of whom is listed', (setting, who) => {
    const operators = parseOperators(setting);
    expect(operators).toEqual({ who });
    expect(listedUsers(operators)).toEqual([]);
  });

  test('are the listed people and groups, of whom people can be messaged', () => {
    const operators = parseOperators(' U0ANN,S0CREW ,W0BENS,, SOPS');
    expect(operators).toEqual({ who: 'listed', users: ['U0ANN', 'W0BENS'], groups: ['S0CREW', 'SOPS'] });
    expect(listedUsers(operators)).toEqual(['U0ANN', 'W0BENS']);
  });
});
