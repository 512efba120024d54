import { describe, expect, test } from 'vitest';
import { at, NOON } from '../service/event.testing.ts';
import { emptySummary, shareOfTally } from './summary.ts';
import { A_TALLY } from './tally.testing.ts';

describe("the share of a workflow's events that failed for one cause", () => {
  const range = { from: NOON, to: at(600) };

  test('is of the events checked of that workflow', () => {
    const checked = { ...emptySummary(), workflowEvents: new Map([['order-shipped', 4]]) };
    expect(shareOfTally(checked, A_TALLY, range)).toEqual({ failed: 1, of: 4, ...range });
    expect(shareOfTally(checked, { ...A_TALLY, kind: { ...A_TALLY.kind, workflow: 'invoice' } }, range)).toBeNull();
  });

  test('is unknown for a deleted workflow, whose events nobody counts', () => {
    const checked = { ...emptySummary(), workflowEvents: new Map([['order-shipped', 4]]) };
    expect(shareOfTally(checked, { ...A_TALLY, kind: { ...A_TALLY.kind, workflow: null } }, range)).toBeNull();
  });

  test('is unknown if some of what failed was created before the checked range', () => {
    const workflowEvents = new Map([['order-shipped', 4]]);
    const checked = { ...emptySummary(), workflowEvents, lateTallies: new Set([A_TALLY.kind.key]) };
    expect(shareOfTally(checked, A_TALLY, range)).toBeNull();
  });
});
