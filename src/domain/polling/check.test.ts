import { describe, expect, test } from 'vitest';
import { at } from '../service/event.testing.ts';
import { ALL_RECHECKED, type Check, freshnessAfter, isCheckedAgain } from './check.ts';

const CHECKED: Check = { outcome: 'checked', problem: null, notRechecked: ALL_RECHECKED };

describe('an answer', () => {
  test('is current if a check for the question has finished', () => {
    expect(freshnessAfter(CHECKED, at(3))).toEqual({ asOf: at(3), isCurrent: true, notRechecked: ALL_RECHECKED });
  });

  test.for<Check | null>([
    null,
    { ...CHECKED, outcome: 'still checking' },
    { ...CHECKED, outcome: 'failed', problem: { kind: 'unreachable' } },
  ])('is as old as the last check if none for the question has finished: %o', (check) => {
    expect(freshnessAfter(check, at(-60))).toEqual({ asOf: at(-60), isCurrent: false, notRechecked: ALL_RECHECKED });
    expect(freshnessAfter(check, null).asOf).toBeNull();
  });

  test('says what its check left out', () => {
    const notRechecked = { inProgress: 2, settled: 5 };
    expect(freshnessAfter({ ...CHECKED, notRechecked }, at(3)).notRechecked).toEqual(notRechecked);
  });

  test.for([
    [true, 0, 0, true],
    [false, 0, 0, false],
    [true, 1, 0, false],
    [true, 0, 1, false],
    [true, 1, 1, false],
  ] as const)('is complete only if it is current and nothing was left out', ([isCurrent, inProgress, settled, is]) => {
    expect(isCheckedAgain({ asOf: at(0), isCurrent, notRechecked: { inProgress, settled } })).toBe(is);
  });
});
