import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Evidence, stateBy, successesNeeded } from './incident.ts';

const NOON = new Date('2026-05-04T12:00:00.000Z');
const minutesLater = (minutes: number) => new Date(NOON.getTime() + minutes * 60_000);

function evidence(change: Partial<Evidence> = {}): Evidence {
  return {
    lastFailureAt: NOON,
    lastRecordedAt: NOON,
    checkedTo: minutesLater(10_000),
    unchecked: [],
    failures: 40,
    successesMeanwhile: 40,
    successesSince: 300,
    hasOwnSuccess: true,
    ...change,
  };
}

describe('an incident', () => {
  test.each([
    [4, 'firing'],
    [5, 'recovering'],
    [14, 'recovering'],
    [15, 'resolved'],
  ])('%i minutes after its last failure, with enough delivered since, is %s', (minutes, state) => {
    expect(stateBy(evidence(), minutesLater(minutes))).toBe(state);
  });

  test('keeps firing while too few deliveries succeeded to tell, and is quiet after an hour', () => {
    const few = evidence({ successesSince: 4 });
    expect(stateBy(few, minutesLater(59))).toBe('firing');
    expect(stateBy(few, minutesLater(60))).toBe('quiet');
  });

  test('has ended with exactly as many successes as its rule requires', () => {
    const needed = successesNeeded(40, 40);
    expect(stateBy(evidence({ successesSince: needed }), minutesLater(5))).toBe('recovering');
    expect(stateBy(evidence({ successesSince: needed - 1 }), minutesLater(5))).toBe('firing');
  });

  test("doesn't end by the successes of workflows that had not failed", () => {
    expect(stateBy(evidence({ hasOwnSuccess: false }), minutesLater(20))).toBe('firing');
  });

  test('is judged until its environment was last checked', () => {
    expect(stateBy(evidence({ checkedTo: minutesLater(4) }), minutesLater(30))).toBe('firing');
  });

  test("isn't calm while nothing was checked", () => {
    const unchecked = [{ from: minutesLater(2), to: minutesLater(20) }];
    expect(stateBy(evidence({ unchecked }), minutesLater(22))).toBe('firing');
    expect(stateBy(evidence({ unchecked }), minutesLater(23))).toBe('recovering');
    const few = evidence({ unchecked, successesSince: 4 });
    expect(stateBy(few, minutesLater(77))).toBe('firing');
    expect(stateBy(few, minutesLater(78))).toBe('quiet');
  });
});

describe('the successes that prove a fix', () => {
  test.each([
    [10, 0, 1],
    [1, 0, 1],
    [40, 40, 5],
    [10, 90, 29],
    [1, 99, 299],
  ])('after %i failures and %i successes are %i', (failures, successes, needed) => {
    expect(successesNeeded(failures, successes)).toBe(needed);
  });

  test("would occur by chance in at most one of twenty cases, and one fewer wouldn't be enough", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000 }), fc.integer({ min: 1, max: 100_000 }), (failures, successes) => {
        const delivered = successes / (failures + successes);
        const needed = successesNeeded(failures, successes);
        expect(delivered ** needed).toBeLessThanOrEqual(0.05 + 1e-9);
        if (needed > 1) expect(delivered ** (needed - 1)).toBeGreaterThan(0.05 - 1e-9);
      }),
    );
  });
});
