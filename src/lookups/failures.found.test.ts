import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ALL_FAILURES, type FailureFilter } from '../judging/filter.ts';
import { fold } from '../lib/fold.ts';
import { aWorkflow } from '../service/event.testing.ts';
import {
  ALL_CHECKED,
  ALL_TIME,
  at,
  failure,
  failureOf,
  NOON,
  openedEnvironment,
  reading,
  record,
  recordFailures,
  trackedEvent,
} from '../store/examples.testing.ts';
import { describeStore } from '../store/store.testing.ts';
import { eventsIn } from './checked.ts';
import { failuresIn } from './failures.ts';

describeStore('the failures found', (store) => {
  const found = (filter: Partial<FailureFilter> = {}, range = ALL_TIME, coverage = ALL_TIME) =>
    failuresIn(store().db, 'production', { range, coverage }, { ...ALL_FAILURES, ...filter });

  const recordNamed = async (environment: string, createdAt: Date, name: string, eventKey: string) => {
    const workflow = aWorkflow({ id: 'workflow-1', identifier: 'order-shipped', name });
    const page = reading({
      trackedEvents: [trackedEvent({ eventKey, createdAt, workflow })],
      failures: [failure({ eventKey, workflowName: name })],
    });
    await record(store(), await openedEnvironment(store(), environment, at(-60)), page, at(10));
  };

  test('are counted by cause, verdict and event', async () => {
    await recordFailures(store(), NOON, [
      failureOf('a', { eventKey: 'one', occurredAt: at(-3), subscriberId: 'anna' }),
      failureOf('a', { eventKey: 'one', jobId: 'job-2', occurredAt: at(-2), subscriberId: 'anna' }),
      failureOf('a', { eventKey: 'two', occurredAt: at(-1), subscriberId: 'ben', workflow: 'welcome', critical: true }),
      failureOf('b', { eventKey: 'two', jobId: 'job-2', verdict: 'undeliverable' }),
    ]);
    const summary = await found();
    expect(summary).toMatchObject({ counts: { failed: 3, undeliverable: 1 }, failedEvents: 2 });
    expect(summary.causes).toMatchObject([
      {
        incidentId: 1,
        verdict: 'failed',
        failures: 3,
        subscribers: 2,
        critical: true,
        firstSeen: at(-3),
        lastSeen: at(-1),
        example: { eventId: 'two', transactionId: 'transaction-of-two', subscriberId: 'ben' },
        workflows: [
          { name: 'order-shipped', failures: 2 },
          { name: 'welcome', failures: 1 },
        ],
      },
    ]);
    const { causes } = await found({ verdicts: ['undeliverable'] });
    expect(causes).toMatchObject([{ incidentId: 2 }]);
  });

  test('are in a range that ended when they were seen, even if the service dates them later', async () => {
    await recordFailures(store(), NOON, [failureOf('a', { occurredAt: at(2) })]);
    const { causes } = await found({}, { from: at(-60), to: NOON });
    expect(causes).toMatchObject([{ failures: 1, firstSeen: NOON, lastSeen: NOON }]);
  });

  test('are in the range by their own time and in the coverage by their event’s, both ends included', async () => {
    await recordFailures(store(), NOON, [
      failureOf('before', { occurredAt: at(-11) }),
      failureOf('first', { occurredAt: at(-10) }),
      failureOf('last', { occurredAt: at(-1) }),
      failureOf('after', { occurredAt: at(0) }),
      failureOf('late detail of an old event', { occurredAt: at(-5), eventCreatedAt: at(-90) }),
    ]);
    const inSpan = await found({}, { from: at(-10), to: at(-1) }, { from: at(-60), to: NOON });
    expect(inSpan.causes.map(({ lastSeen }) => lastSeen)).toEqual(expect.arrayContaining([at(-10), at(-1)]));
    expect(inSpan.causes).toHaveLength(2);
  });

  test('are a share of the events created in the range and the coverage', async () => {
    const cursor = await openedEnvironment(store());
    const trackedEvents = [-70, -20, -10, 5].map((minute) =>
      trackedEvent({ eventKey: `${minute}`, createdAt: at(minute) }),
    );
    await record(store(), cursor, reading({ trackedEvents }), NOON);
    const scope = { range: { from: at(-30), to: NOON }, coverage: { from: at(-60), to: at(10) } };
    const { eventsChecked } = await eventsIn(store().db, 'production', scope);
    expect(eventsChecked).toBe(2);
  });

  test('are listed by whether they still fail, then by what matters', async () => {
    const critical = { critical: true };
    await recordFailures(store(), NOON, [failureOf('a', critical), failureOf('b'), failureOf('c', critical)]);
    await store().db.write(`UPDATE incidents SET state = (ARRAY['resolved', 'firing', 'recovering'])[id]`);
    const { causes } = await found({});
    expect(causes.map(({ incidentId }) => incidentId)).toEqual([2, 3, 1]);
  });

  test('list the five hundred largest causes', async () => {
    await recordFailures(store(), NOON, [failureOf('a')]);
    // 502 more causes, of a failure each.
    const copy = (table: string, changes: string) =>
      store().db.write(`INSERT INTO ${table} OVERRIDING SYSTEM VALUE
        SELECT (jsonb_populate_record(r, jsonb_build_object(${changes}))).*
        FROM ${table} AS r, generate_series(1, 502) AS n`);
    await copy('incidents', "'id', r.id + n, 'key', n");
    await copy('failures', "'seq', -n, 'incident_id', r.incident_id + n, 'event_key', n");
    await recordFailures(store(), NOON, [failureOf('a', { eventKey: 'again' })]);
    const { causes } = await found({});
    expect([causes.length, causes[0]?.failures]).toEqual([500, 2]);
  });

  describe('can be filtered by', () => {
    const failures = [
      failure({ eventKey: 'a' }),
      failure({ eventKey: 'b', workflow: 'welcome', workflowName: 'Welcome', channel: 'sms', provider: null }),
      failure({ eventKey: 'd', workflow: 'ΟΔΟΣ', topics: ['İstanbul'], tags: ['Checkout'], contexts: ['tenant:acme'] }),
      failure({ eventKey: 'e', verdict: 'bounced' }),
      failure({ eventKey: 'c', workflow: null, workflowName: null, severity: null, subscriberId: null }),
    ];

    test('each of its values, in any case but for IDs', async () => {
      await recordFailures(store(), NOON, failures);
      const filters: [Partial<FailureFilter>, failedEvents: number][] = [
        [{ workflows: ['ORDER-shipped'] }, 2],
        [{ workflows: ['order SHIPPED', 'welcome'] }, 4],
        [{ channels: ['SMS'] }, 1],
        [{ providers: ['SendGrid'] }, 4],
        [{ subscribers: ['subscriber-of-b', 'subscriber-of-z'] }, 1],
        [{ subscribers: ['SUBSCRIBER-OF-B'] }, 0],
        [{ transactions: ['transaction-of-c'] }, 1],
        [{ channels: ['email'], severities: ['high'] }, 3],
        [{ workflows: ["'; DROP TABLE failures; --"] }, 0],
        [{ workflows: ['οδος'] }, 1],
        [{ topics: ['ISTANBUL', 'i\u0307stanbul'] }, 1],
        [{ tags: ['checkout', 'nothing'] }, 1],
        [{ contexts: ['tenant:acme'] }, 1],
        [{ contexts: ['TENANT:ACME'] }, 0],
        [{ verdicts: ['bounced'] }, 1],
      ];
      for (const [filter, expected] of filters)
        expect((await found(filter)).failedEvents, JSON.stringify(filter)).toBe(expected);
    });

    test("its workflow's new name once that is renamed, in its own environment alone", async () => {
      const both = ['production', 'staging'];
      for (const environment of both) await recordNamed(environment, NOON, 'Order shipped', 'before');
      await recordNamed('production', at(5), 'Parcel sent', 'after');
      const counts = async (environment: string, name: string) =>
        (await failuresIn(store().db, environment, ALL_CHECKED, { ...ALL_FAILURES, workflows: [name] })).counts;
      expect(await counts('production', 'parcel sent')).toEqual({ failed: 2 });
      expect(await counts('staging', 'order shipped')).toEqual({ failed: 1 });
      await recordNamed('production', at(-5), 'Order shipped', 'read late');
      expect(await counts('production', 'parcel sent')).toEqual({ failed: 3 });
    });

    test('its own name, in any spelling', async () => {
      const names = fc.sample(fc.string({ unit: 'grapheme', minLength: 1 }), { numRuns: 20, seed: 7 });
      const kept = [...new Set(names)].filter((name) => !name.includes('\0'));
      await recordFailures(
        store(),
        NOON,
        kept.map((workflow, index) => failure({ eventKey: `${index}`, workflow, tags: [workflow] })),
      );
      for (const name of kept)
        expect((await found({ workflows: [name], tags: [fold(name)] })).failedEvents).toBeGreaterThan(0);
    });
  });
});
