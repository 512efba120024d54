import { expect, test } from 'vitest';
import { aWorkflow } from '../service/event.testing.ts';
import { failureOf, NOON, reading, record, recordFailures, trackedEvent } from '../store/examples.testing.ts';
import { describeStore } from '../store/store.testing.ts';
import { EVERYTHING } from '../watches/settings.ts';
import { matchedIn } from './matched.ts';
import { allUnseenNames, unseenNames } from './unseen-names.ts';

/** More failures than are searched for names. */
const NEWER = `
  INSERT INTO failures (environment, event_key, job_id, provider, as_of, incident_id, verdict, occurred_at, event_created_at, recorded_at, transaction_id, critical)
  SELECT environment, 'newer ' || n, job_id, provider, as_of, incident_id, verdict, occurred_at, event_created_at, recorded_at, transaction_id, critical
  FROM failures, generate_series(1, 2001) AS n`;

describeStore('Unseen names', (store) => {
  test('are those of workflows, channels, providers and severities that no environment has, with the nearest one seen', async () => {
    const seen = { production: 'order-shipped', staging: 'Refund' };
    for (const [environment, name] of Object.entries(seen)) {
      const delivered = [{ channel: 'email', provider: 'sendgrid', domain: null, at: NOON }];
      const event = trackedEvent({ workflow: aWorkflow({ identifier: name, name }), delivered });
      await record(store(), environment, reading({ trackedEvents: [event] }), NOON);
    }
    const environments = Object.keys(seen).map((name) => ({ name }));
    const filter = {
      ...EVERYTHING,
      workflows: ['ordr-shipped', 'Order-Shipped', 'refund', 'launch'],
      channels: ['mail', 'SMS'],
      severities: ['high', 'critical'],
      providers: ['SendGrid', 'sendgird'],
    };
    expect(await unseenNames(store().db, filter, environments)).toEqual([
      { kind: 'workflows', name: 'ordr-shipped', similar: 'order-shipped' },
      { kind: 'workflows', name: 'launch', similar: null },
      { kind: 'channels', name: 'mail', similar: 'email' },
      { kind: 'providers', name: 'sendgird', similar: 'sendgrid' },
      { kind: 'severities', name: 'critical', similar: null },
    ]);
  });
});

describeStore('Without a failure', (store) => {
  test('topics, tags, and contexts and subscribers in the wrong case, are unseen, with the nearest one but for another number of a person', async () => {
    const seen = { topics: ['launch'], tags: ['Vip'], contexts: ['tenant:acme'], subscriberId: 'user-108' };
    await recordFailures(store(), NOON, [failureOf('a', seen)]);
    const typed = { topics: ['LAUNCH', 'lanch'], tags: ['vip', 'new'], contexts: ['tenant:acme', 'acme'] };
    const filter = { ...EVERYTHING, ...typed, subscribers: ['User-108', 'user-108', 'user-109'] };
    expect(await allUnseenNames(store().db, filter, [{ name: 'production' }])).toEqual([
      { kind: 'subscribers', name: 'User-108', similar: 'user-108' },
      { kind: 'subscribers', name: 'user-109', similar: null },
      { kind: 'topics', name: 'lanch', similar: 'launch' },
      { kind: 'contexts', name: 'acme', similar: 'tenant:acme' },
      { kind: 'tags', name: 'new', similar: null },
    ]);
  });
});

describeStore('A tag', (store) => {
  test.each(['VIP', 'vip'])('is found in any case, however many failures are newer: %s', async (tag) => {
    await recordFailures(store(), NOON, [failureOf('a', { tags: ['Vip'] })]);
    await store().db.write(NEWER);
    const filter = { ...EVERYTHING, tags: [tag] };
    const found = await matchedIn(store().db, 'production', [{ id: 1, from: null, to: null }], filter);
    expect(found.get(1)?.total.failures).toBe(1);
    expect(await allUnseenNames(store().db, filter, [{ name: 'production' }])).toEqual([]);
  });
});
