import { expect, test } from 'vitest';
import { at } from '../service/event.testing.ts';
import { type Check, freshnessAfter } from './check.ts';

const CHECKED: Check = { outcome: 'checked', problem: null };

test('an answer is current if a check for the question has finished', () => {
  expect(freshnessAfter(CHECKED, at(3))).toEqual({ asOf: at(3), isCurrent: true });
});

test.for<Check | null>([
  null,
  { ...CHECKED, outcome: 'still checking' },
  { outcome: 'failed', problem: { kind: 'unreachable' } },
])('an answer is as old as the last check if none for the question has finished: %o', (check) => {
  expect(freshnessAfter(check, at(-60))).toEqual({ asOf: at(-60), isCurrent: false });
  expect(freshnessAfter(check, null).asOf).toBeNull();
});
