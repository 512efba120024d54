import { expect, test } from 'vitest';
import { missingScopes } from './missing-scopes.ts';

test('lists the needed scopes that were not granted, with their purposes', () => {
  const needed = { 'chat:write': 'posts', 'files:write': 'sends files', 'users:read': 'knows guests' };
  expect(missingScopes(['users:read', 'commands'], needed)).toEqual([
    { scope: 'chat:write', use: 'posts' },
    { scope: 'files:write', use: 'sends files' },
  ]);
  expect(missingScopes(Object.keys(needed), needed)).toEqual([]);
});
