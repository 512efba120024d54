import { expect, it } from 'vitest';
import { at, NOON, reading, sighting, takeCursor } from './examples.testing.ts';
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
    expect(await store().unfinishedIntents(at(-1))).toEqual([{ intent: INTENT, claimedAt: NOON, message: null }]);
    expect(await store().unfinishedIntents(NOON)).toEqual([]);
    await store().noteProgressMessage('intent-1', { channel: 'D1', ts: '1.1' });
    expect(await store().unfinishedIntents(at(-1))).toMatchObject([{ message: { channel: 'D1', ts: '1.1' } }]);
    await store().closeIntent('intent-1', at(1));
    expect(await store().unfinishedIntents(at(-1))).toEqual([]);
  });
});

describeStore('workflows', (store) => {
  it('are those of the events read, as they were seen last, the most recent first', async () => {
    const workflow = (identifier: string, name: string) => ({ id: null, identifier, name, variables: ['orderId'] });
    const cursor = await takeCursor(store());
    const seen = (minute: number, identifier: string, name: string) =>
      sighting({ eventKey: name, createdAt: at(minute), workflow: workflow(identifier, name) });
    const sightings = [seen(1, 'welcome', 'Welcome'), seen(3, 'order', 'Order, new'), seen(2, 'order', 'Order, old')];
    await store().record(cursor, reading({ sightings }), NOON);
    expect(await store().workflows('production')).toEqual([
      workflow('order', 'Order, new'),
      workflow('welcome', 'Welcome'),
    ]);
    await store().record(cursor, reading({ sightings: [seen(0, 'order', 'Order, older still')] }), NOON);
    expect(await store().workflows('production')).toMatchObject([{ name: 'Order, new' }, { name: 'Welcome' }]);
    expect(await store().workflows('staging')).toEqual([]);
  });
});
