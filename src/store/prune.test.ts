import { expect, test } from 'vitest';
import { z } from 'zod';
import { describeNight } from '../alerts/night.testing.ts';
import { incidentNow } from '../incidents/lists.ts';
import { act, follow } from '../incidents/verbs.ts';
import { silent } from '../lib/logger.testing.ts';
import { stored } from '../lib/text/shown-id.ts';
import { DAY_MS } from '../lib/time/durations.ts';
import { muteUntil, watchCtx } from '../watches/watches.testing.ts';
import { endWatch } from '../watches/watches.ts';
import { at, checkedTo, failureOf, NOON, openedEnvironment, recordFailures, stretch } from './examples.testing.ts';
import { getValue, putValue } from './kv.ts';
import { openDb } from './open.ts';
import { prune } from './prune.ts';
import { connected, newDatabase } from './store.testing.ts';

const kept = (retentionDays: number, now: Date) => ({ retentionDays, horizonMs: 3 * DAY_MS, now: () => now });
const DAYS = 24 * 60;
const TARGET = { incidentId: 1, messageId: null };

describeNight('Pruning', (night, store) => {
  const pruneOn = (day: number, days = 30) => prune({ ...store(), ...kept(days, at(day * DAYS + 1)) });
  const left = async (...tables: string[]): Promise<string[]> => {
    const counts = await Promise.all(
      tables.map(async (table) => (await store().db.rows(z.unknown(), `SELECT 1 FROM ${table}`)).length),
    );
    return tables.filter((_, index) => counts[index] !== 0);
  };
  const ctx = () => watchCtx(store().db, night.now());
  const OF_INCIDENTS = [
    ...(['failures', 'incidents', 'outbreaks', 'outbreak_workflows', 'wordings', 'followers', 'audit'] as const),
    ...(['watch_alerts', 'slack_messages', 'message_subjects', 'event_counts'] as const),
  ];

  test('leaves what is younger than the retention', async () => {
    await night.watch();
    await night.poll(failureOf('a'));
    await follow(night.ctx, { incidentId: 1 }, 'followed', 'U0ANN');
    expect(await prune({ ...store(), ...kept(1, at(1)) })).toBe(0);
    expect(await left(...OF_INCIDENTS)).toEqual(OF_INCIDENTS);
  });

  test('deletes everything older, and alerts to nothing again', async () => {
    await night.watch();
    await night.poll(failureOf('a'), failureOf('noise', { verdict: 'undeliverable' }));
    await follow(night.ctx, { incidentId: 1 }, 'followed', 'U0ANN');
    night.minutes = 30;
    await night.poll(failureOf('a', { eventKey: 'event-2' }));
    const before = night.digests().length;
    for (const day of [30, 31, 32, 63]) {
      await pruneOn(day);
      await night.wait(day * DAYS - night.minutes);
    }
    expect(await left(...OF_INCIDENTS)).toEqual([]);
    expect(night.digests()).toHaveLength(before);
  });

  test('leaves the counts of an outbreak longer than the retention, its people as "at least", and takes changes of its verdicts', async () => {
    const fails = (minute: number, count: number, person = '') =>
      Array.from({ length: count }, (_, place) => {
        const named = { eventKey: `${minute} ${place}`, subscriberId: `person ${person}${place}` };
        return failureOf('a', { ...named, occurredAt: at(minute), eventCreatedAt: at(minute) });
      });
    // A hundred people fail first. For a month one of them fails each day, then 69 others: 199 failures of 169 people.
    await night.poll(...fails(0, 100));
    for (let day = 1; day <= 31; day += 1) {
      night.minutes = day * DAYS;
      await night.poll(...(day === 31 ? fails(31 * DAYS, 69, 'late ') : fails(day * DAYS, 1)));
    }
    const shown = () => incidentNow(store().db, 1, night.now());
    const before = { outbreak: 1, failures: 199, failuresInAll: 199, beganAt: at(0) };
    expect(await shown()).toMatchObject({ ...before, subscribers: 169, isAtLeast: false });
    await pruneOn(31);
    expect(await shown()).toMatchObject({ ...before, subscribers: 169, isAtLeast: true });
    const [fine] = fails(31 * DAYS, 1, 'late ');
    await night.poll(...(fine === undefined ? [] : [{ ...fine, verdict: 'retried-then-fine' as const }]));
    expect(await shown()).toMatchObject({
      ...before,
      failures: 198,
      failuresInAll: 198,
      subscribers: 169,
      isAtLeast: true,
    });
    await night.poll(...fails(31 * DAYS + 1, 1));
    expect(await shown()).toMatchObject({ failures: 199, subscribers: 169 });
  });

  test('keeps workflows, and an incident with a note, for a year, and no person hit by it', async () => {
    await night.poll(failureOf('a'), failureOf('b'));
    await act(ctx(), TARGET, { what: 'noted', text: 'key rotated' }, 'U0ANN');
    await act(ctx(), TARGET, { what: 'resolved' }, 'U0ANN');
    await pruneOn(31);
    expect(await left('failures', 'incidents', 'audit')).toEqual(['incidents', 'audit']);
    await pruneOn(364);
    expect(await left('incidents', 'audit', 'workflows')).toEqual(['incidents', 'audit', 'workflows']);
    await pruneOn(366);
    expect(await left('incidents', 'audit', 'workflows')).toEqual([]);
  });

  test('deletes gaps, mutes and watches that have ended', async () => {
    const watch = await night.watch();
    await muteUntil(ctx(), watch.id, null, { actor: 'U0ANN', until: at(60) });
    night.minutes = 1;
    await night.poll(failureOf('a'));
    await checkedTo(store(), at(2), stretch(at(-60), at(2), { windows: [] }));
    await endWatch(watchCtx(store().db, at(90)), watch.id, 'U0ANN');
    await pruneOn(32);
    expect(await left('gaps', 'mutes', 'watches')).toEqual([]);
  });

  test('keeps the alerts of a gap or an incident that is kept, which would be alerted again', async () => {
    await night.watch();
    await checkedTo(store(), at(10), stretch(at(2), at(8)));
    night.minutes = 10;
    await night.poll(failureOf('a'));
    await store().db.write('UPDATE gaps SET closed_at = $1', [at(200)]);
    night.minutes = 200;
    await night.poll(failureOf('a', { eventKey: 'event-2' }));
    const before = night.channel.posted.length;
    const days = 7;
    night.minutes = days * DAYS + 100;
    await prune({ ...store(), ...kept(days, night.now()) });
    await night.poll();
    expect(night.channel.posted).toHaveLength(before);
    expect(await left('gaps', 'incidents')).toEqual(['gaps', 'incidents']);
  });

  test('deletes what is kept by a key once it has expired', async () => {
    await putValue(store().db, 'mention:stays', { Value: z.string(), value: stored(NOON) });
    await putValue(store().db, 'mention:expires', { Value: z.string(), value: stored(NOON), expiresAt: at(60) });
    await prune({ ...store(), ...kept(30, at(60)) });
    expect(await getValue(store().db, 'mention:expires', z.coerce.date())).toEqual(NOON);
    await prune({ ...store(), ...kept(30, at(61)) });
    expect(await getValue(store().db, 'mention:stays', z.coerce.date())).toEqual(NOON);
    expect(await getValue(store().db, 'mention:expires', z.coerce.date())).toBeNull();
  });

  test('continues slice by slice, and stops between two on abort', async () => {
    await openedEnvironment(store());
    await store().db.write(
      `INSERT INTO event_counts SELECT 'production', '2020-01-01'::timestamptz + n * interval '1 minute', '', 1, 0
       FROM generate_series(1, 4001) n`,
    );
    expect(await prune({ ...store(), ...kept(30, NOON) }, AbortSignal.abort())).toBe(0);
    expect(await prune({ ...store(), ...kept(30, NOON) })).toBe(4001);
  });
});

test('Pruning keeps an incident that fails again while it is being deleted', async () => {
  const url = await newDatabase();
  const store = await openDb({ kind: 'server', url }, { logger: silent });
  await recordFailures(store, NOON, [failureOf('a')]);
  const other = await connected(url);
  await other.query(`BEGIN; UPDATE incidents SET last_recorded_at = '2100-01-01'`);
  const pruned = prune({ ...store, ...kept(30, at(31 * DAYS)) });
  const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  await expect.poll(async () => await store.db.rows(z.unknown(), waiting)).toHaveLength(1);
  await other.query('COMMIT');
  await pruned;
  expect(await store.db.rows(z.unknown(), 'SELECT 1 FROM incidents')).toHaveLength(1);
  await store.close();
});
