import { expect, test } from 'vitest';
import { ALL_FAILURES, type FailureFilter } from '../failures/filter.ts';
import { act } from '../incidents/actions.ts';
import { openIncidents } from '../incidents/lists.ts';
import { MINUTE_MS } from '../lib/time/durations.ts';
import { aWorkflow } from '../service/event.testing.ts';
import {
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
import { describeStore, silent } from '../store/store.testing.ts';
import { countedIn } from './chart.ts';

describeStore("a chart's data", (store) => {
  const HOUR = { from: at(-60), to: NOON, bucketMs: MINUTE_MS, count: 60 };
  const totalOf = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0);
  const counted = (filter: Partial<FailureFilter> = {}) =>
    countedIn(store().db, 'production', HOUR, { is: 'filter', filter: { ...ALL_FAILURES, ...filter } });
  const bars = (counts: readonly number[]) =>
    Object.fromEntries(counts.flatMap((count, bucket) => (count === 0 ? [] : [[bucket - 60, count]])));
  const failedAt = (minute: number, changes: Parameters<typeof failure>[0] = {}) =>
    failure({ occurredAt: at(minute), eventKey: `event-${minute}-${JSON.stringify(changes)}`, ...changes });

  const acts = (now: Date) => ({ db: store().db, logger: silent, now: () => now, wakeDelivery: async () => {} });
  const incidentOf = async (provider: string) => {
    const { incidents } = await openIncidents(store().db, ['production'], 9, NOON);
    return incidents.find(({ tally }) => tally.kind.provider === provider)?.id ?? 0;
  };

  test('counts the failures of each kind by the bucket in which they occurred, both ends included', async () => {
    await recordFailures(store(), NOON, [
      ...[-61, -60, -30.5, -30.1, 0].map((minute) => failedAt(minute)),
      failedAt(-10, { provider: 'ses', workflow: 'weekly' }),
    ]);
    const { kinds, rest } = await counted();
    expect(kinds.map(({ counts, ...kind }) => ({ ...kind, bars: bars(counts) }))).toEqual([
      {
        ...{ channel: 'email', provider: 'sendgrid', workflow: 'order-shipped', cause: 'Provider refused the request' },
        bars: { '-60': 1, '-31': 2, '-1': 1 },
      },
      {
        ...{ channel: 'email', provider: 'ses', workflow: 'weekly', cause: 'Provider refused the request' },
        bars: { '-10': 1 },
      },
    ]);
    expect(totalOf(rest)).toBe(0);
  });

  test('counts the checked events of the requested workflows', async () => {
    const events = [-50, -50, -20].map((minute, index) =>
      trackedEvent({ eventKey: `event-${index}`, createdAt: at(minute) }),
    );
    const other = trackedEvent({
      ...{ eventKey: 'other', createdAt: at(-5) },
      workflow: aWorkflow({ id: 'w-2', identifier: 'weekly', name: 'Weekly digest' }),
    });
    await record(store(), await openedEnvironment(store()), reading({ trackedEvents: [...events, other] }), NOON);
    expect((await counted()).events).toBe(4);
    expect((await counted({ workflows: ['weekly'] })).events).toBe(1);
    expect((await counted({ workflows: ['weekly DIGEST'] })).events).toBe(1);
  });

  test('counts the unreadable events of the range, whatever workflow they may be of', async () => {
    const unreadable = [-70, -50, -5].map((minute) => ({ key: `odd-${minute}`, createdAt: at(minute) }));
    await record(store(), await openedEnvironment(store()), reading({ unreadable }), NOON);
    expect(await counted({ workflows: ['weekly'] })).toMatchObject({ unreadable: 2 });
  });

  test('omits failures that are only counted, unless their verdict is requested', async () => {
    await recordFailures(store(), NOON, [failedAt(-10), failedAt(-5, { verdict: 'undeliverable' })]);
    const total = async (filter: Partial<FailureFilter>) =>
      totalOf((await counted(filter)).kinds.map(({ counts }) => totalOf(counts)));
    expect(await total({})).toBe(1);
    expect(await total({ verdicts: ['undeliverable'] })).toBe(1);
    expect(await total({ channels: ['SMS'] })).toBe(0);
  });

  test('sums up the kinds beyond the largest hundred', async () => {
    const many = Array.from({ length: 130 }, (_, index) => failureOf(`cause ${index}`, { occurredAt: at(-7) }));
    await recordFailures(store(), NOON, many);
    const { kinds, rest } = await counted();
    expect(kinds).toHaveLength(100);
    expect(bars(rest)).toEqual({ '-7': 30 });
  });

  test('has deploys, and changes of the failing channels and workflows', async () => {
    await recordFailures(store(), NOON, [failedAt(-20)]);
    const changed = [
      [at(-30), { kind: 'deploy', name: 'api 1.2' }],
      [at(-25), { kind: 'integration', name: 'SendGrid', channel: 'email' }],
      [at(-24), { kind: 'integration', name: 'Twilio', channel: 'sms' }],
      [at(-23), { kind: 'workflow', name: 'Order shipped', identifier: 'order-shipped' }],
      [at(-90), { kind: 'deploy', name: 'api 1.1' }],
    ] as const;
    for (const [moment, what] of changed) {
      const add = `INSERT INTO changes (environment, at, what) VALUES ('production', $1, $2::jsonb)`;
      await store().db.write(add, [moment, JSON.stringify(what)]);
    }
    expect((await counted()).marks).toEqual([
      { kind: 'deploy', name: 'api 1.2', at: at(-30) },
      { kind: 'change', name: 'SendGrid', at: at(-25) },
      { kind: 'change', name: 'Order shipped', at: at(-23) },
    ]);
  });

  test('of an incident covers all of its workflows, with its acknowledgment', async () => {
    await recordFailures(store(), NOON, [
      failedAt(-20),
      failedAt(-19),
      failedAt(-10, { workflow: 'weekly' }),
      failedAt(-5, { provider: 'ses' }),
    ]);
    const incidentId = await incidentOf('sendgrid');
    await act(acts(at(-1)), { messageId: null, incidentId }, { what: 'acknowledged' }, 'U0ANN');
    const { kinds, marks } = await countedIn(store().db, 'production', HOUR, {
      is: 'incident',
      incidentId,
    });
    expect(kinds.map(({ workflow, counts }) => [workflow, bars(counts)])).toEqual([
      ['order-shipped', { '-20': 1, '-19': 1 }],
      ['weekly', { '-10': 1 }],
    ]);
    expect(marks).toEqual([{ kind: 'acknowledged', name: null, at: at(-1) }]);
  });

  test('has no marks of incidents, channels and workflows without a failure in it', async () => {
    const sms = { channel: 'sms', provider: 'twilio', workflow: 'weekly' };
    await recordFailures(store(), NOON, [failedAt(-20), failedAt(-19, sms)]);
    const incidentId = await incidentOf('twilio');
    const add = `INSERT INTO changes (environment, at, what) VALUES ('production', $1, $2::jsonb)`;
    await store().db.write(add, [at(-24), JSON.stringify({ kind: 'integration', name: 'Twilio', channel: 'sms' })]);
    await act(acts(at(-2)), { messageId: null, incidentId }, { what: 'acknowledged' }, 'U0ANN');
    await act(acts(at(-1)), { messageId: null, incidentId }, { what: 'resolved' }, 'U0ANN');
    expect((await counted({ providers: ['sendgrid'] })).marks).toEqual([]);
    const { marks } = await counted({ providers: ['twilio'] });
    expect(marks.map(({ kind }) => kind)).toEqual(['change', 'acknowledged', 'resolved']);
  });
});
