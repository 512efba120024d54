import { expect, test } from 'vitest';
import { at, NOON } from '../store/examples.testing.ts';
import { prune } from '../store/prune.ts';
import { describeStore } from '../store/store.testing.ts';
import { auditEntries, recordEntry, settleChange } from './audit.ts';
import type { AuditEntry, Change } from './entry.ts';

const TRIGGER: AuditEntry = {
  at: NOON,
  actor: 'U1',
  channel: 'C1',
  environment: 'production',
  change: { action: 'trigger', workflow: 'order-shipped', recipients: 3 },
  outcome: { is: 'begun' },
  intentId: 'intent-1',
};

describeStore('the audit trail', (store) => {
  const all = { since: at(-60), environments: [], olderThan: null, limit: 10 };
  const outcomes = async () => (await auditEntries(store().db, all)).entries.map(({ outcome }) => outcome);

  test('has one entry per intent, however often it is recorded concurrently', async () => {
    const recorded = await Promise.all([1, 2, 3].map(() => recordEntry(store().db, TRIGGER)));
    expect(recorded.filter(Boolean)).toHaveLength(1);
    expect((await auditEntries(store().db, all)).entries).toEqual([{ ...TRIGGER, number: expect.any(Number) }]);
  });

  test('accepts any number of changes without an intent', async () => {
    await recordEntry(store().db, { ...TRIGGER, intentId: null });
    expect(await recordEntry(store().db, { ...TRIGGER, intentId: null })).toBe(true);
    expect(await outcomes()).toHaveLength(2);
  });

  test('keeps the first certain outcome', async () => {
    await recordEntry(store().db, TRIGGER);
    await settleChange(store().db, 'intent-1', { is: 'unknown' });
    expect(await outcomes()).toEqual([{ is: 'unknown' }]);
    await settleChange(store().db, 'intent-1', { is: 'sent', accepted: 2, refused: 1 });
    await settleChange(store().db, 'intent-1', { is: 'unknown' });
    expect(await outcomes()).toEqual([{ is: 'sent', accepted: 2, refused: 1 }]);
  });

  test('pages from the newest to the oldest, by time and environment', async () => {
    for (const minute of [0, 1, 2, 3]) {
      const environment = minute === 2 ? 'staging' : 'production';
      await recordEntry(store().db, { ...TRIGGER, at: at(minute), environment, intentId: `intent-${minute}` });
    }
    const query = { since: at(1), environments: ['production'], olderThan: null, limit: 1 };
    const first = await auditEntries(store().db, query);
    expect(first).toMatchObject({ entries: [{ intentId: 'intent-3' }], hasOlder: true });
    const second = await auditEntries(store().db, { ...query, olderThan: first.entries[0]?.number ?? 0 });
    expect(second).toMatchObject({ entries: [{ intentId: 'intent-1' }], hasOlder: false });
  });

  const incident = { number: 20, channel: 'email', provider: null };
  const changes: Change[] = [
    { action: 'credentials', subscriberId: 'anna', provider: 'fcm' },
    { action: 'watch-made', watch: 'everything' },
    { action: 'watch-muted', watch: 'everything', until: at(60) },
    { action: 'watch-unmuted', watch: 'everything' },
    { action: 'incident-muted', incident, until: at(60) },
    { action: 'acknowledged', incident },
    { action: 'channel-environment', to: null },
  ];

  test.each(changes)('returns a change as it was recorded: $action', async (change) => {
    await recordEntry(store().db, { ...TRIGGER, channel: null, environment: null, change, outcome: { is: 'done' } });
    expect((await auditEntries(store().db, all)).entries).toMatchObject([{ change, channel: null, environment: null }]);
  });

  test('is deleted after the configured days', async () => {
    await recordEntry(store().db, TRIGGER);
    await prune(store(), at(60 * 24 * 30 - 1), 30);
    expect(await outcomes()).toHaveLength(1);
    await prune(store(), at(60 * 24 * 30 + 1), 30);
    expect(await outcomes()).toEqual([]);
  });
});
