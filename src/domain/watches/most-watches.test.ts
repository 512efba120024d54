import { expect, test } from 'vitest';
import { aWatch } from '../alerting/alert-decision.testing.ts';
import { requireRoom } from './most-watches.ts';

test('a channel has at most twenty watches', () => {
  const watches = (count: number) => Array.from({ length: count }, () => aWatch());
  expect(() => requireRoom(watches(19))).not.toThrow();
  expect(() => requireRoom(watches(20))).toThrow(
    expect.objectContaining({
      field: 'watch',
      message: 'A channel has at most 20 watches. Remove one first.',
      example: '/notif watches',
    }),
  );
});
