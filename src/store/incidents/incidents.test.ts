import { beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import type { DigestContent } from '../../domain/alerting/delivery.ts';
import type { Failure } from '../../domain/failures/failure.ts';
import { EVERYTHING, UNFILTERED } from '../../domain/watches/watch.ts';
import { announceFailures } from '../../use-cases/alerting/announce-failures.ts';
import { at, checkedTo, failureOf, openedEnvironment, reading, record, trackedEvent } from '../examples.testing.ts';
import { describeStore, silent } from '../store.testing.ts';

const IncidentRow = z.object({
  state: z.string(),
  relapses: z.number(),
  failures: z.coerce.number(),
  acknowledged_by: z.string().nullable(),
  assigned_to: z.string().nullable(),
});

describeStore('an incident', (store) => {
  beforeEach(async () => {
    await store().watches.ensureWatch('C1', at(-1));
  });

  const incidents = async () => {
    const { rows } = await store().executeSql('SELECT * FROM episodes ORDER BY id');
    return rows.map((row) => IncidentRow.parse(row));
  };

  const failed = (minute: number, changes: Partial<Failure> = {}) => {
    const eventKey = `${minute} ${JSON.stringify(changes)}`;
    return failureOf('a', { eventKey, occurredAt: at(minute), eventCreatedAt: at(minute), ...changes });
  };

  const poll = async (minute: number, failures: readonly Failure[] = [], delivered = 0, workflow = 'order-shipped') => {
    const now = at(minute);
    const step = { channel: 'email', provider: 'sendgrid', at: now };
    const keys = Array.from({ length: delivered }, (_, n) => `delivered ${minute} ${workflow} ${n}`);
    const trackedEvents = keys.map((eventKey) => trackedEvent({ eventKey, createdAt: now, delivered: [step] }));
    const { at: _, ...place } = step;
    const successes = delivered === 0 ? [] : [{ ...place, workflow, from: now, to: now }];
    await record(store(), await openedEnvironment(store()), reading({ failures, trackedEvents, successes }), now);
    await checkedTo(store(), now);
    const ids = await announceFailures('production', { store: store().alerting, logger: silent, now: () => now });
    for (let one = await store().deliveries.claimMessage(now); one; one = await store().deliveries.claimMessage(now)) {
      await store().deliveries.notePosted(one.id, { ts: one.id, fingerprint: '', failures: 0 }, now);
    }
    const contents = await Promise.all(ids.map((id) => store().deliveries.content(id, now)));
    return contents.filter((content): content is DigestContent => content.kind === 'digest');
  };

  test('is one cause across workflows: another workflow joining it alerts nobody, unless it is the first critical one', async () => {
    const causes = ['order-shipped', 'welcome', 'login-alert'].map((workflow) => failed(0, { workflow }));
    const [first, ...others] = await poll(0, causes);
    expect(others).toEqual([]);
    expect(first?.rows).toMatchObject([{ reason: 'new', tally: { failures: 3 }, moreParts: 0 }]);
    expect(first?.rows[0]?.parts.map(({ tally }) => tally.failures)).toEqual([1, 1, 1]);
    expect(await poll(1, [failed(1, { workflow: 'digest' })])).toEqual([]);
    expect(await poll(2, [failed(2, { workflow: 'payment-failed', critical: true })])).toEqual([]);
    const [critical] = await poll(11);
    expect(critical?.rows).toMatchObject([
      { reason: 'critical', tally: { failures: 5, critical: true }, moreParts: 2 },
    ]);
    expect(await incidents()).toHaveLength(1);
  });

  test('recovers by successes, is resolved without an alert, and alerts to a relapse at once', async () => {
    for (const minute of [0, 1, 2]) await poll(minute, [failed(minute)]);
    await poll(6, [], 20);
    expect(await incidents()).toMatchObject([{ state: 'firing' }]);
    await poll(7, [], 20);
    expect(await incidents()).toMatchObject([{ state: 'recovering' }]);
    const [relapse] = await poll(12, [failed(12)]);
    expect(relapse?.rows).toMatchObject([{ reason: 'relapsed', relapses: 1 }]);
    expect(await incidents()).toMatchObject([{ state: 'firing', relapses: 1, failures: 4 }]);
  });

  test("doesn't recover sooner because its failures were read newest first", async () => {
    await poll(5, [], 20);
    await poll(10, [failed(9)]);
    await poll(11, [failed(1), failed(2)]);
    await poll(15, [], 5);
    expect(await incidents()).toMatchObject([{ state: 'firing', failures: 3 }]);
    await poll(16, [], 20);
    expect(await incidents()).toMatchObject([{ state: 'recovering' }]);
  });

  test('recovers by all failures of its time, also by those of workflows whose last one was shown the day before', async () => {
    const day = 24 * 60;
    await poll(0, [failed(0)]);
    await poll(day - 1, Array.from({ length: 26 }, (_, n) => failed(55 * n)).concat(failed(day - 1)));
    await poll(day + 1, [failed(day - 12, { workflow: 'welcome' })]);
    await poll(day + 5, [], 10);
    await poll(day + 10, [failed(day + 10, { workflow: 'welcome' })]);
    await poll(day + 16, [], 12, 'welcome');
    expect(await incidents()).toMatchObject([{}, { failures: 2, state: 'recovering' }]);
  });

  test('is resolved a quarter of an hour after its last failure, and its relapse is unacknowledged', async () => {
    const [digest] = await poll(0, [failed(0)]);
    const [row] = digest?.rows ?? [];
    await store().incidents.acknowledge({ messageId: digest?.id ?? '', episodeId: row?.episodeId ?? 0 }, 'UANN', at(1));
    await poll(14, [], 20);
    expect(await poll(15)).toEqual([]);
    expect(await incidents()).toMatchObject([{ state: 'resolved', acknowledged_by: 'UANN' }]);
    expect(await poll(55, [failed(55)])).toMatchObject([{ rows: [{ reason: 'relapsed' }] }]);
    expect(await incidents()).toMatchObject([{ state: 'firing', relapses: 1, acknowledged_by: null }]);
  });

  test("is resolved by the first person who says so; later failures are a relapse, earlier ones aren't", async () => {
    const [digest] = await poll(0, [failed(0)]);
    const subject = { messageId: digest?.id ?? '', episodeId: digest?.rows[0]?.episodeId ?? 0 };
    expect(await store().incidents.resolve(subject, 'UANN', at(5))).toEqual({ isFirst: true, by: 'UANN' });
    expect(await store().incidents.resolve(subject, 'UBEN', at(6))).toEqual({ isFirst: false, by: 'UANN' });
    expect(await store().deliveries.content(digest?.id ?? '', at(6))).toMatchObject({
      rows: [{ state: { is: 'resolved', at: at(5), by: 'UANN' } }],
    });
    expect(await poll(10, [failed(4)])).toEqual([]);
    expect(await incidents()).toMatchObject([{ state: 'resolved', relapses: 0, failures: 2 }]);
    expect(await poll(11, [failed(11)])).toMatchObject([{ rows: [{ reason: 'relapsed' }] }]);
  });

  test("doesn't relapse by a late failure from before it recovered", async () => {
    await poll(2, [failed(2)]);
    await poll(9, [], 20);
    expect(await poll(10, [failed(1)])).toEqual([]);
    expect(await incidents()).toMatchObject([{ state: 'recovering', relapses: 0, failures: 2 }]);
  });

  test.each([
    ['keeps its acknowledgment and assignment if it was only recovering', 8, 'UANN'],
    ['loses them if it was resolved', 16, null],
  ])('that relapses after its day %s', async (_, minute, who) => {
    const [digest] = await poll(0, [failed(0)]);
    const subject = { messageId: digest?.id ?? '', episodeId: digest?.rows[0]?.episodeId ?? 0 };
    await store().incidents.acknowledge(subject, 'UANN', at(1));
    await store().incidents.assign(subject, { to: 'UANN', by: 'UBEN', at: at(1) });
    await poll(minute, [], 20);
    await store().executeSql(`UPDATE episodes SET ends_at = '${at(minute + 1).toISOString()}'`);
    await poll(minute + 2, [failed(minute + 2)]);
    expect(await incidents()).toMatchObject([{}, { relapses: 1, acknowledged_by: who, assigned_to: who }]);
  });

  test("doesn't relapse after its day by a late failure from before it was resolved, which is counted with it", async () => {
    await poll(0, [failed(0)]);
    await poll(16, [], 20);
    await store().executeSql(`UPDATE episodes SET ends_at = '${at(17).toISOString()}'`);
    expect(await poll(18, [failed(-1)])).toEqual([]);
    expect(await incidents()).toMatchObject([{ state: 'resolved', relapses: 0, failures: 2 }]);
    expect(await poll(19, [failed(19), failed(-2)])).toMatchObject([{ rows: [{ reason: 'relapsed' }] }]);
    expect(await incidents()).toMatchObject([{ failures: 2 }, { relapses: 1, failures: 2 }]);
  });

  test('causes at most one message in ten minutes, however it flaps', async () => {
    const messages = [];
    for (let minute = 0; minute < 30; minute += 6) {
      messages.push(...(await poll(minute, [failed(minute)])));
      messages.push(...(await poll(minute + 5.5, [], 400)));
    }
    expect(messages.length).toBeGreaterThan(1);
    expect(messages.length).toBeLessThanOrEqual(3);
  });

  test("doesn't recover by the successes of workflows that had not failed", async () => {
    await poll(0, [failed(0)]);
    await poll(20, [], 500, 'welcome');
    expect(await incidents()).toMatchObject([{ state: 'firing' }]);
  });

  test('grows only while it is firing', async () => {
    await poll(0, [failed(0)]);
    await poll(
      2,
      Array.from({ length: 20 }, (_, n) => failed(2, { jobId: `job ${n}` })),
    );
    await poll(8, [], 50);
    expect(await poll(31)).toEqual([]);
  });

  test('shows a watch for some workflows only its part', async () => {
    await store().watches.makeWatch(
      {
        channel: 'C2',
        createdBy: 'UANN',
        settings: { ...UNFILTERED, filter: { ...EVERYTHING, workflows: ['welcome'] } },
      },
      at(-1),
    );
    await poll(0, [failed(0), failed(0, { jobId: 'two' })]);
    const joined = await poll(1, [failed(1, { workflow: 'welcome', workflowName: 'Welcome' })]);
    expect(joined).toMatchObject([
      {
        channel: 'C2',
        rows: [{ reason: 'new', tally: { failures: 1, group: { workflow: 'welcome' } }, moreParts: 0 }],
      },
    ]);
  });
});
