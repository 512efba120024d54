import { expect, test } from 'vitest';
import { at, failureOf, finishPresent, openedEnvironment, reading, record, trackedEvent } from '../examples.testing.ts';
import { describeStore } from '../store.testing.ts';

describeStore('failing providers', (store) => {
  test('are found by their last five minutes, with their open incidents', async () => {
    const failures = [
      ...Array.from({ length: 3 }, (_, n) => failureOf('key revoked', { eventKey: `now ${n}`, occurredAt: at(10) })),
      failureOf('other', { channel: 'sms', provider: 'twilio', eventKey: 'before', occurredAt: at(1) }),
    ];
    const step = { channel: 'email', provider: 'sendgrid', at: at(10) };
    const trackedEvents = [trackedEvent({ eventKey: 'delivered', createdAt: at(10), delivered: [step] })];
    const { incidents } = store();
    const cursor = await openedEnvironment(store());
    await record(store(), cursor, reading({ failures, trackedEvents }), at(11));
    await finishPresent(store(), cursor, { to: at(11), setAside: [], clockAheadMs: null, newestEventAt: null }, at(11));
    expect(await incidents.failingProviders('production', at(11))).toMatchObject([
      { channel: 'email', provider: 'sendgrid', failures: 3, attempts: 4, incidents: [{ tally: { failures: 3 } }] },
    ]);
    expect(await incidents.failingProviders('staging', at(11))).toEqual([]);
  });

  test('each have their own failures, deliveries and incidents, the last episode of each', async () => {
    const { incidents } = store();
    const failures = (causes: readonly string[], provider: string | null, now: Date) =>
      causes.map((cause) =>
        failureOf(cause, { provider, eventKey: `${cause} ${provider} ${now.toISOString()}`, occurredAt: now }),
      );
    const recordIn = async (environment: string, now: Date, delivered: number) => {
      const all = [...failures(['a', 'b', 'c'], 'ses', now), ...failures(['a'], null, now)];
      const steps = ['ses', null].flatMap((provider) =>
        Array.from({ length: delivered }, () => ({ channel: 'email', provider, at: now })),
      );
      const sent = trackedEvent({ eventKey: now.toISOString(), createdAt: now, delivered: steps });
      const cursor = await openedEnvironment(store(), environment, at(-60));
      await record(store(), cursor, reading({ failures: all, trackedEvents: [sent] }), now);
      const present = { to: now, setAside: [], clockAheadMs: null, newestEventAt: null };
      await finishPresent(store(), cursor, present, now);
    };
    const pass = async (environment: string, now: Date) => {
      const cursor = await openedEnvironment(store(), environment, at(-60));
      await finishPresent(store(), cursor, { to: now, setAside: [], clockAheadMs: null, newestEventAt: null }, now);
    };
    for (const [environment, delivered] of [
      ['production', 1],
      ['staging', 5],
    ] as const) {
      await recordIn(environment, at(0), delivered);
      await pass(environment, at(69));
      await recordIn(environment, at(70), delivered);
    }
    const found = await incidents.failingProviders('production', at(71));
    expect(found).toMatchObject([
      { provider: null, failures: 1, attempts: 2, incidents: [{ tally: { failures: 1, group: { provider: null } } }] },
      { provider: 'ses', failures: 3, attempts: 4, incidents: [{ tally: { firstSeen: at(70) } }, {}] },
    ]);
    expect(found.flatMap((one) => one.incidents.map(({ tally }) => tally.group.environment))).toEqual([
      'production',
      'production',
      'production',
    ]);
  });
});
