import { expect, test } from 'vitest';
import { type Access, type GuestPolicy, isOpenToVisitors } from './people.ts';

test.each<[access: Access, policy: GuestPolicy, isOpen: boolean]>([
  ['everyone', 'allow', true],
  ['everyone', 'refuse', false],
  ['members', 'allow', false],
  ['members', 'refuse', false],
  ['operators', 'allow', false],
  ['operators', 'refuse', false],
])('what is for %s is open to guests and strangers with NOTIF_GUESTS=%s: %s', (access, policy, isOpen) => {
  expect(isOpenToVisitors(access, policy)).toBe(isOpen);
});
