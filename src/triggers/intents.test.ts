import { expect, test } from 'vitest';
import { at, NOON } from '../store/examples.testing.ts';
import { describeStore } from '../store/store.testing.ts';

const INTENT = {
  id: 'intent-1',
  environment: 'production',
  actor: 'U1',
  workflow: 'order-shipped',
  recipients: [{ subscriberId: 'anna', transactionId: 'transaction-1' }],
};

const ENTRY = {
  at: NOON,
  actor: 'U1',
  channel: 'C0GENERAL',
  environment: 'production',
  change: { action: 'trigger', workflow: 'order-shipped', recipients: 1 },
  outcome: { is: 'begun' },
  intentId: 'intent-1',
} as const;

describeStore('triggers', (store) => {
  test('are claimed and audited once, however often a modal is submitted concurrently', async () => {
    const claims = await Promise.all([1, 2, 3].map(() => store().triggers.claimIntent(INTENT, ENTRY)));
    expect(claims.filter(Boolean)).toHaveLength(1);
    const asked = { since: at(-1), environments: [], olderThan: null, limit: 9 };
    expect((await store().audit.auditEntries(asked)).entries).toMatchObject([ENTRY]);
  });

  test('are unfinished until they are closed', async () => {
    await store().triggers.claimIntent(INTENT, ENTRY);
    expect(await store().triggers.unfinishedIntents(at(-1))).toEqual([
      { intent: INTENT, claimedAt: NOON, results: null, message: null },
    ]);
    expect(await store().triggers.unfinishedIntents(NOON)).toEqual([]);
    await store().triggers.noteProgressMessage('intent-1', { channel: 'D1', ts: '1.1' });
    expect(await store().triggers.unfinishedIntents(at(-1))).toMatchObject([{ message: { channel: 'D1', ts: '1.1' } }]);
    await store().triggers.closeIntent('intent-1', at(1));
    expect(await store().triggers.unfinishedIntents(at(-1))).toEqual([]);
  });

  test("are stored with the service's answer", async () => {
    const results = [{ acknowledged: true, status: 'trigger_not_active', errors: ['inactive'], transactionId: null }];
    await store().triggers.claimIntent(INTENT, ENTRY);
    await store().triggers.noteResults('intent-1', results);
    expect(await store().triggers.keptTrigger('intent-1')).toMatchObject({ intent: INTENT, claimedAt: NOON, results });
    expect(await store().triggers.keptTrigger('intent-2')).toBeNull();
  });
});
