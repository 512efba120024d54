import { expect, test } from 'vitest';
import { aCandidate, NOON } from './alert-decision.testing.ts';
import { type DigestContent, type DigestRow, failuresIn } from './delivery.ts';

const aRow = (failures: number): DigestRow => ({
  ...{ episodeId: failures, reason: 'new', asOf: NOON, outageSince: NOON, state: { is: 'firing' }, relapses: 0 },
  ...{ parts: [], moreParts: 0, shared: null, changedBefore: null, lastTime: null, note: null, mute: null },
  ...{ acknowledged: null, unacknowledged: null, assigned: null, missed: null, before: null, grown: null },
  tally: aCandidate({ failures }).tally,
  lately: { window: { from: NOON, to: NOON }, failures, attempts: null, lastSuccessAt: null, trend: [] },
});

const aDigest = (rows: readonly DigestRow[]): DigestContent => ({
  ...{ kind: 'digest', id: 'message-1', channel: 'C1', environment: 'production', isFirst: false, rows },
  ...{ covered: { from: NOON, to: NOON }, unchecked: [], eventsChecked: 9, unreadable: 0, moreIncidents: 0 },
  ...{ moreStates: { over: 0, resolved: 0 }, reasons: {}, heldBack: null, mention: null },
});

test("a message shows its rows' failures, or none", () => {
  expect(failuresIn(aDigest([aRow(3), aRow(5)]))).toBe(8);
  expect(failuresIn(aDigest([]))).toBe(0);
});
