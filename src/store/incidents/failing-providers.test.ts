import { expect, it } from 'vitest';
import { at, failureOf, reading, takeCursor, trackedEvent } from '../examples.testing.ts';
import { describeStore } from '../store.testing.ts';

describeStore('failing providers', (store) => {
  it('are found by their last five minutes, with their open incidents', async () => {
    const failures = [
      ...Array.from({ length: 3 }, (_, n) => failureOf('key revoked', { eventKey: `now ${n}`, occurredAt: at(10) })),
      failureOf('other', { channel: 'sms', provider: 'twilio', eventKey: 'before', occurredAt: at(1) }),
    ];
    const step = { channel: 'email', provider: 'sendgrid', at: at(10) };
    const trackedEvents = [trackedEvent({ eventKey: 'delivered', createdAt: at(10), delivered: [step] })];
    const { polling, incidents } = store();
    const cursor = await takeCursor(store());
    await polling.record(cursor, reading({ failures, trackedEvents }), at(11));
    await polling.finishPresent(cursor, { to: at(11), setAside: [], clockAheadMs: null, newestEventAt: null }, at(11));
    expect(await incidents.failingProviders('production', at(11))).toMatchObject([
      { channel: 'email', provider: 'sendgrid', failures: 3, attempts: 4, incidents: [{ tally: { failures: 3 } }] },
    ]);
    expect(await incidents.failingProviders('staging', at(11))).toEqual([]);
  });
});
