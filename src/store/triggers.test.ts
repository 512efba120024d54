import { expect, it } from 'vitest';
import { at, NOON } from './examples.testing.ts';
import { describeStore } from './store.testing.ts';

const INTENT = {
  id: 'intent-1',
  environment: 'production',
  actor: 'U1',
  workflow: 'order-shipped',
  recipients: [{ subscriberId: 'anna', transactionId: 'transaction-1' }],
};

describeStore('triggers', (store) => {
  it('are claimed once, however often a modal is submitted at the same time', async () => {
    const claims = await Promise.all([1, 2, 3].map(() => store().claimIntent(INTENT, NOON)));
    expect(claims.filter(Boolean)).toHaveLength(1);
  });

  it('are unfinished until they are closed', async () => {
    await store().claimIntent(INTENT, NOON);
    expect(await store().unfinishedIntents(at(-1))).toEqual([
      { intent: INTENT, claimedAt: NOON, results: null, message: null },
    ]);
    expect(await store().unfinishedIntents(NOON)).toEqual([]);
    await store().noteProgressMessage('intent-1', { channel: 'D1', ts: '1.1' });
    expect(await store().unfinishedIntents(at(-1))).toMatchObject([{ message: { channel: 'D1', ts: '1.1' } }]);
    await store().closeIntent('intent-1', at(1));
    expect(await store().unfinishedIntents(at(-1))).toEqual([]);
  });

  it('are kept with what the service answered', async () => {
    const results = [{ acknowledged: true, status: 'trigger_not_active', errors: ['inactive'], transactionId: null }];
    await store().claimIntent(INTENT, NOON);
    await store().noteResults('intent-1', results);
    expect(await store().keptTrigger('intent-1')).toMatchObject({ intent: INTENT, claimedAt: NOON, results });
    expect(await store().keptTrigger('intent-2')).toBeNull();
  });
});
