import { expect, test } from 'vitest';
import { type Operators, parseOperators } from './workspace.ts';

test.each<[setting: string, operators: Partial<Operators>]>([
  ['', { isEverybody: false, users: [], groups: [] }],
  [' , ,', { isEverybody: false, users: [], groups: [] }],
  ['U1,*', { isEverybody: true, users: [], groups: [] }],
  [' U0ANN,S0CREW ,W0BENS,, SOPS', { isEverybody: false, users: ['U0ANN', 'W0BENS'], groups: ['S0CREW', 'SOPS'] }],
])('operators by NOTIF_OPERATORS=%j are everybody, or the listed people and groups', (setting, operators) => {
  expect(parseOperators(setting)).toEqual(operators);
});
