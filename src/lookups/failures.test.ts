import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ALL_FAILURES, type FailureFilter } from '../judging/filter.ts';
import { anEnvironment } from '../lib/environment.testing.ts';
import { fold } from '../lib/fold.ts';
import type { TimeRange } from '../lib/time/durations.ts';
import type { Check } from '../polling/check-now.ts';
import { noteTrouble } from '../polling/poll.ts';
import { aWorkflow } from '../service/event.testing.ts';
import {
  ALL_CHECKED,
  ALL_TIME,
  at,
  checkedTo,
  covered,
  failure,
  failureOf,
  NOON,
  openedEnvironment,
  reading,
  record,
  recordFailures,
  stretch,
  trackedEvent,
} from '../store/examples.testing.ts';
import { describeStore } from '../store/store.testing.ts';
import { chartFailures } from './chart.ts';
import { eventsIn } from './checked.ts';
import { failuresIn, findFailures } from './failures.ts';

const hour: TimeRange = { from: at(-60), to: NOON };
const TWO_HOURS: TimeRange = { from: at(-120), to: NOON };
const CHECKED: Check = { outcome: 'checked', problem: null };

describeStore('finding failures', (store) => {
  const failAt = async (...minutes: number[]) => {
    const times = minutes.map((minute) => ({ eventKey: `event-${minute}`, occurredAt: at(minute) }));
    const failures = times.map((time) => failure({ ...time, eventCreatedAt: at(-120) }));
    await recordFailures(store(), NOON, failures);
  };

  async function find(range = hour, coverage: TimeRange | null = TWO_HOURS, check = CHECKED, clockAheadMs = 0) {
    await covered(store(), coverage, clockAheadMs);
    const ctx = { db: store().db, checkNow: async () => check, now: () => NOON };
    return findFailures({ ...ctx, environment: anEnvironment() }, range, ALL_FAILURES);
  }

  test('is as current as the check made for the question', async () => {
    await failAt(-5, -4);
    expect(await find()).toMatchObject({
      freshness: { asOf: NOON, isCurrent: true },
      read: hour,
      since: null,
      eventsChecked: 2,
      failedEvents: 2,
    });
  });

  test('leaves what is new unchecked if no check has finished', async () => {
    const check: Check = { outcome: 'still checking', problem: null };
    expect(await find(hour, { from: at(-120), to: at(-0.5) }, check)).toMatchObject({
      freshness: { asOf: at(-0.5), isCurrent: false },
      read: { from: hour.from, to: at(-0.5) },
      unchecked: [{ from: at(-0.5), to: NOON }],
      trouble: null,
    });
  });

  test('reports why the check failed, with what is known', async () => {
    await failAt(-5);
    const problem = { kind: 'key-refused', status: 401 } as const;
    const found = await find(hour, TWO_HOURS, { outcome: 'failed', problem });
    expect(found).toMatchObject({ trouble: { problem }, failedEvents: 1 });
  });

  test('has the outage of the service that is open, unless the range ended before', async () => {
    await covered(store(), { from: at(-120), to: at(-6) });
    const trouble = { problem: { kind: 'key-refused', status: 403 }, pollMs: 60_000 } as const;
    for (const minute of [-5, -4]) await noteTrouble(store().db, await openedEnvironment(store()), trouble, at(minute));
    expect(await find()).toMatchObject({ outage: { id: 1, state: { is: 'firing' } } });
    expect(await find({ from: at(-60), to: at(-30) })).toMatchObject({ outage: null });
  });

  test('says since when the environment has been checked if the range begins before', async () => {
    const found = await find(hour, { from: at(-10), to: NOON });
    expect(found).toMatchObject({ read: { from: at(-10), to: NOON }, since: at(-10) });
  });

  test('has checked nothing of a range before that, and finds nothing in it', async () => {
    await failAt(-140);
    const range = { from: at(-150), to: at(-130) };
    const found = await find(range);
    expect(found).toMatchObject({ read: { from: range.to, to: range.to }, since: at(-120) });
    expect(found.failedEvents).toBe(0);
  });

  test.each([null, { from: at(-150), to: at(-120) }])(
    'has checked nothing yet of a range after the last poll: %j',
    async (coverage) => {
      expect(await find(hour, coverage)).toMatchObject({ read: { from: hour.from, to: hour.from }, since: null });
    },
  );

  test("looks for what the service dates by its own clock, which is behind, and names times by Notif's", async () => {
    await failAt(-68, -35, -13);
    const behind = (range: TimeRange) => find(range, { from: at(-129), to: at(-9) }, CHECKED, -540_000);
    const recent = { from: at(-5), to: NOON };
    expect(await behind(recent)).toMatchObject({ read: recent, since: null, failedEvents: 1 });
    expect((await behind({ from: at(-60), to: at(-30) })).failedEvents).toBe(1);
  });

  test.each([-540_000, 0, 540_000])('charts what it finds, where the clock is %i ms ahead', async (clockAheadMs) => {
    await failAt(-68, -35, -13, 8);
    const tooOld = failure({ eventKey: 'too-old', occurredAt: at(-12), eventCreatedAt: at(-180) });
    await recordFailures(store(), NOON, [tooOld]);
    const ranges = [
      [-20, 0],
      [-60, -30],
      [-240, -180],
    ].map(([from = 0, to = 0]) => ({ from: at(from), to: at(to) }));
    for (const range of ranges) {
      const found = await find(range, { from: at(-130), to: at(-9) }, CHECKED, clockAheadMs);
      const ctx = { db: store().db, checkNow: async () => CHECKED, now: () => NOON, environment: anEnvironment() };
      const chart = await chartFailures(ctx, range, ALL_FAILURES);
      const failures = chart.series.reduce((sum, series) => sum + series.failures, 0);
      const { failedEvents, eventsChecked, unreadable, read } = found;
      expect({ ...chart, failures }).toMatchObject({ failures: failedEvents, eventsChecked, unreadable, read });
    }
  });

  test('counts events that a fast clock dates into the future as now, but not in a range that has ended', async () => {
    await failAt(8);
    expect((await find()).failedEvents).toBe(1);
    expect((await find({ from: at(-60), to: at(-0.1) })).failedEvents).toBe(0);
  });

  test('names the gaps in what is stored, within the range', async () => {
    const unchecked = [
      { from: at(-120), to: at(-50) },
      { from: at(-33), to: at(-20) },
    ];
    const givenUp = { from: at(-50), to: at(-49) };
    const windows = [
      ...unchecked.map((part) => ({ ...part, tries: 0, nextTryAt: at(-10) })),
      { ...givenUp, tries: 9, nextTryAt: null },
    ];
    await checkedTo(store(), at(-20), stretch(at(-120), at(-20), { windows }));
    expect(await find()).toMatchObject({
      unchecked: [{ from: at(-60), to: at(-50) }, unchecked[1]],
      givenUp: [givenUp],
    });
  });
});

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
