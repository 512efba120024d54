import { describe, expect, test } from 'vitest';
import { at, NOON } from '../service/event.testing.ts';
import type { Tally } from './failure.ts';
import { emptySummary, shareOfTally } from './tally.ts';

const tally: Tally = {
  kind: {
    ...{ key: 'k', environment: 'production', workflow: 'order-shipped', workflowName: 'Order shipped' },
    ...{ channel: 'email', provider: 'sendgrid', cause: { key: 'c', text: 'refused' } },
    ...{ announcement: 'announced', isTest: false },
  },
  ...{ incidentId: null, verdict: 'failed', failures: 1, subscribers: 1, events: 1 },
  ...{ firstSeen: NOON, lastSeen: NOON, severity: null, critical: false },
  example: { eventId: null, transactionId: 'txn_1', subscriberId: null },
};

describe("the share of a workflow's events that failed for one cause", () => {
  const range = { from: NOON, to: at(600) };

  test('is of the events checked of that workflow', () => {
    const checked = { ...emptySummary(), workflowEvents: new Map([['order-shipped', 4]]) };
    expect(shareOfTally(checked, tally, range)).toEqual({ failed: 1, of: 4, ...range });
    expect(shareOfTally(checked, { ...tally, kind: { ...tally.kind, workflow: 'invoice' } }, range)).toBeNull();
  });

  test('is unknown for a deleted workflow, whose events nobody counts', () => {
    const checked = { ...emptySummary(), workflowEvents: new Map([['order-shipped', 4]]) };
    expect(shareOfTally(checked, { ...tally, kind: { ...tally.kind, workflow: null } }, range)).toBeNull();
  });

  test('is unknown if some of what failed was created before the checked range', () => {
    const workflowEvents = new Map([['order-shipped', 4]]);
    const checked = { ...emptySummary(), workflowEvents, lateTallies: new Set([tally.kind.key]) };
    expect(shareOfTally(checked, tally, range)).toBeNull();
  });
});
