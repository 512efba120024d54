import pg from 'pg';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { planDigest } from '../domain/alerting/digest.ts';
import { ALL_FAILURES } from '../domain/failures/failure-filter.ts';
import { UNFILTERED } from '../domain/watches/watch.ts';
import { digestNow } from './deliveries/deliveries.testing.ts';
import {
  ALL_TIME,
  at,
  checkedTo,
  failureOf,
  NOON,
  openedEnvironment,
  recordFailures,
  stretch,
} from './examples.testing.ts';
import { getValue, putValue } from './kv.ts';
import { describeStore, newDatabase, silent } from './store.testing.ts';
import { openStore } from './store.ts';

const DAYS = 24 * 60;

describeStore('pruning', (store) => {
  const announce = (now: Date) =>
    store().alerting.announce('production', (unannounced) => planDigest(unannounced, now), now);
  const rowsOf = async (table: string): Promise<number> =>
    (await store().executeSql(`SELECT 1 FROM ${table}`)).rows.length;

  test('leaves what is younger than the retention', async () => {
    await store().watches.ensureWatch('C1', at(-1));
    await recordFailures(store(), NOON, [failureOf('a')]);
    const [digestId = ''] = await announce(NOON);
    expect(await store().operation.prune(at(1), 1)).toBe(0);
    expect((await digestNow(store(), digestId)).rows).toHaveLength(1);
  });

  test('deletes everything older, without alerting to it again', async () => {
    await store().watches.ensureWatch('C1', at(-1));
    await recordFailures(store(), NOON, [failureOf('a'), failureOf('noise', { verdict: 'undeliverable' })]);
    await announce(NOON);
    await recordFailures(store(), at(30), [failureOf('a', { eventKey: 'event-2' })]);
    await announce(at(30));
    for (const day of [30, 31, 32]) {
      await store().operation.prune(at(day * DAYS + 1), 30);
      expect(await announce(at(day * DAYS + 1))).toEqual([]);
    }
    for (const table of ['failures', 'groups', 'episodes', 'announcements', 'messages', 'event_counts']) {
      expect([table, await rowsOf(table)]).toEqual([table, 0]);
    }
    expect(await store().polling.failuresIn('production', ALL_TIME, ALL_TIME, ALL_FAILURES)).toMatchObject({
      groups: [],
    });
  });

  test('deletes names with the last failure that had them, and no sooner', async () => {
    const tagged = (tag: string) => failureOf(tag, { tags: [tag] });
    const known = async () => (await store().polling.knownNames()).tags.toSorted();
    await recordFailures(store(), NOON, [tagged('once'), tagged('again')]);
    await recordFailures(store(), at(30), [failureOf('again', { eventKey: 'event-2', tags: ['again'] })]);
    await recordFailures(store(), at(2 * DAYS), [failureOf('again', { eventKey: 'event-3', tags: ['again'] })]);
    await store().operation.prune(at(30 * DAYS), 30);
    expect(await known()).toEqual(['again', 'once']);
    await store().operation.prune(at(31 * DAYS), 30);
    expect(await known()).toEqual(['again']);
    await store().operation.prune(at(33 * DAYS), 30);
    expect(await known()).toEqual([]);
  });

  test('deletes gaps, mutes and watches that have ended, and what was held back for them', async () => {
    const settings = UNFILTERED;
    const watch = await store().watches.makeWatch({ channel: 'C2', createdBy: 'U0ANN', settings }, at(-1));
    await store().incidents.mute(watch.id, null, { by: 'U0ANN', until: at(60) }, at(0));
    await recordFailures(store(), at(1), [failureOf('a')]);
    await announce(at(1));
    await checkedTo(store(), at(2), stretch(at(-60), at(-10), { parts: [] }));
    await store().watches.endWatch(watch.id, 'U0ANN', at(90));
    await store().operation.prune(at(31 * DAYS), 30);
    await store().operation.prune(at(32 * DAYS), 30);
    for (const table of ['gaps', 'held_back', 'watches', 'positions', 'group_counts']) {
      expect([table, await rowsOf(table)]).toEqual([table, 0]);
    }
  });

  test('keeps the minutes of a visible episode', async () => {
    await store().watches.ensureWatch('C1', at(-1));
    await recordFailures(store(), NOON, [failureOf('a')]);
    await store().operation.prune(at(47 * 60), 1);
    expect(await rowsOf('group_counts')).toBe(1);
    await store().operation.prune(at(49 * 60), 30);
    expect(await rowsOf('group_counts')).toBe(0);
  });

  test('keeps the minutes of an episode that a watch will be alerted to when its mute ends', async () => {
    const settings = { ...UNFILTERED, threshold: { failures: 2, withinMs: 10 * 60_000, rate: null } };
    const watch = await store().watches.makeWatch({ channel: 'C2', createdBy: 'U0ANN', settings }, at(-1));
    await store().incidents.mute(watch.id, null, { by: 'U0ANN', until: at(5 * DAYS) }, at(0));
    await recordFailures(store(), at(1), [failureOf('a'), failureOf('a', { eventKey: 'event-2' })]);
    expect(await announce(at(1))).toEqual([]);
    await store().operation.prune(at(4 * DAYS), 30);
    const [digestId = ''] = await announce(at(5 * DAYS));
    expect((await digestNow(store(), digestId)).rows).toMatchObject([{ reason: 'missed', missed: 2 }]);
    await store().operation.prune(at(5 * DAYS), 30);
    expect(await rowsOf('group_counts')).toBe(0);
  });

  test('ends triggers not closed within a day as unknown, and deletes them after the retention', async () => {
    const id = 'intent-1';
    const intent = { id, environment: 'production', actor: 'U1', workflow: 'w', recipients: [] };
    const change = { action: 'trigger', workflow: 'w', recipients: 0 } as const;
    const entry = { actor: 'U1', channel: null, environment: 'production', change, intentId: id } as const;
    await store().triggers.claimIntent(intent, { ...entry, at: NOON, outcome: { is: 'begun' } });
    const asked = { since: at(-1), environments: [], olderThan: null, limit: 9 };
    const outcome = async () => (await store().audit.auditEntries(asked)).entries[0]?.outcome.is;
    await store().operation.prune(at(DAYS - 1), 30);
    expect([await outcome(), await store().triggers.unfinishedIntents(at(-1))]).toEqual(['begun', [expect.anything()]]);
    await store().operation.prune(at(DAYS + 1), 30);
    expect([await outcome(), await store().triggers.unfinishedIntents(at(-1))]).toEqual(['unknown', []]);
    await store().operation.prune(at(31 * DAYS), 30);
    expect(await rowsOf('triggers')).toBe(0);
  });

  test('deletes what is kept by a key once it has expired', async () => {
    await putValue(store().database, 'stays', NOON);
    await putValue(store().database, 'expires', NOON, at(60));
    await store().operation.prune(at(60), 30);
    expect(await rowsOf('kv')).toBe(2);
    await store().operation.prune(at(61), 30);
    expect(await getValue(store().database, 'stays', z.coerce.date())).toEqual(NOON);
    expect(await getValue(store().database, 'expires', z.coerce.date())).toBeNull();
  });

  test('continues chunk by chunk, and stops between two on abort', async () => {
    await openedEnvironment(store());
    await store().executeSql(
      `INSERT INTO event_counts SELECT 'production', '2020-01-01'::timestamptz + n * interval '1 minute', '', 1, 0
       FROM generate_series(1, 4001) n`,
    );
    expect(await store().operation.prune(NOON, 30, AbortSignal.abort())).toBe(0);
    expect(await store().operation.prune(NOON, 30)).toBe(4001);
  });
});

test('keeps a group that fails again while it is being deleted', async () => {
  const url = await newDatabase();
  const store = await openStore({ database: { kind: 'server', url }, logger: silent });
  await recordFailures(store, NOON, [failureOf('noise', { verdict: 'undeliverable' })]);
  const other = new pg.Client({ connectionString: url });
  await other.connect();
  await other.query('BEGIN; SELECT 1 FROM environments FOR UPDATE');
  await other.query(`INSERT INTO failures (environment, event_key, job_id, detail_id, group_key, is_announced, verdict,
    occurred_at, event_created_at, recorded_at, transaction_id, critical)
    SELECT environment, 'event-2', job_id, detail_id, group_key, is_announced, verdict,
      now(), now(), '2100-01-01', transaction_id, critical FROM failures`);
  const pruned = store.operation.prune(at(31 * DAYS), 30);
  const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  await expect.poll(async () => (await store.executeSql(waiting)).rows).toHaveLength(1);
  await other.query('COMMIT');
  await pruned;
  const { rows } = await store.executeSql('SELECT g.key FROM groups g JOIN failures f ON f.group_key = g.key');
  expect(rows).toHaveLength(1);
  await Promise.all([other.end(), store.close()]);
});
