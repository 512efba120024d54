import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Failure } from '../../domain/failures/failure.ts';
import type { Success } from '../../domain/failures/successes.ts';
import { announceFailures } from '../../use-cases/alerting/announce-failures.ts';
import { editAt, postedAt } from '../deliveries/deliveries.testing.ts';
import {
  at,
  checkedTo,
  failureOf,
  NOON,
  openedEnvironment,
  reading,
  record,
  recordFailures,
} from '../examples.testing.ts';
import { describeStore, newDatabase, silent } from '../store.testing.ts';
import { openStore } from '../store.ts';

const EpisodeRow = z.object({
  began_as: z.string(),
  returns: z.number(),
  failures: z.coerce.number(),
  events: z.coerce.number(),
  subscribers: z.coerce.number(),
  state: z.string(),
  succeeding_since: z.coerce.date().nullable(),
  topics: z.array(z.string()),
});

describeStore('episodes', (store) => {
  const episodes = async () => {
    const { rows } = await store().executeSql('SELECT * FROM episodes ORDER BY id');
    return rows.map((row) => EpisodeRow.parse(row));
  };
  const fail = (now: Date, changes: Partial<Failure> = {}) =>
    recordFailures(store(), now, [failureOf('a', { eventKey: now.toISOString(), occurredAt: now, ...changes })]);
  const succeed = async (now: Date, from: Date, to: Date, changes: Partial<Success> = {}) => {
    const success = { workflow: 'order-shipped', channel: 'email', provider: 'sendgrid', from, to, ...changes };
    await record(store(), await openedEnvironment(store()), reading({ successes: [success] }), now);
  };

  test("last while their incident fails without an hour's pause", async () => {
    for (const minute of [0, 59, 118]) await fail(at(minute));
    await checkedTo(store(), at(178));
    await fail(at(179));
    expect(await episodes()).toMatchObject([
      { began_as: 'new', returns: 0, failures: 3 },
      { began_as: 'back', returns: 1, failures: 1 },
    ]);
  });

  test('last a day at most', async () => {
    for (let minute = 0; minute <= 1450; minute += 50) await fail(at(minute));
    expect(await episodes()).toMatchObject([
      { began_as: 'new', failures: 29 },
      { began_as: 'goes-on', failures: 1 },
    ]);
  });

  test('collect the topics of their failures', async () => {
    await fail(NOON, { topics: ['x', 'y'] });
    await fail(at(1), { topics: ['y', 'z'] });
    const [episode] = await episodes();
    expect(episode?.topics.sort()).toEqual(['x', 'y', 'z']);
  });

  test('count an event and a subscriber once each, whatever came before', async () => {
    const first = { eventKey: 'one', subscriberId: 'ann' };
    await fail(NOON, first);
    await fail(at(1), { ...first, jobId: 'job-2' });
    await fail(at(2), { eventKey: 'two', subscriberId: 'ann' });
    await fail(at(3), { eventKey: 'three', subscriberId: null });
    await checkedTo(store(), at(89));
    await fail(at(90), { ...first, jobId: 'job-3' });
    await fail(at(91), { eventKey: 'two', subscriberId: 'ben', jobId: 'job-2' });
    expect(await episodes()).toMatchObject([
      { failures: 4, events: 3, subscribers: 1 },
      { failures: 2, events: 2, subscribers: 2 },
    ]);
  });

  test('count a failure once, even of an event without an ID that is reread', async () => {
    const withoutIds = { eventKey: 'transaction|subscriber|2026', eventId: null, jobId: '', detailId: '' };
    await fail(NOON, withoutIds);
    await fail(at(1), withoutIds);
    expect(await episodes()).toMatchObject([{ failures: 1 }]);
  });

  describe('that have ended', () => {
    const announce = (now: Date) =>
      announceFailures('production', { store: store().alerting, logger: silent, now: () => now });
    const settle = async (now: Date) => {
      await checkedTo(store(), now);
      await announce(now);
    };

    test('are quiet after an hour without a failure and without a success', async () => {
      await fail(NOON);
      await settle(at(59));
      expect(await episodes()).toMatchObject([{ state: 'firing' }]);
      await settle(at(60));
      expect(await episodes()).toMatchObject([{ state: 'quiet', succeeding_since: null }]);
    });

    test('show their state in their messages', async () => {
      await store().watches.ensureWatch('C1', at(-1));
      const id = await postedAt(store(), NOON, 'a');
      await settle(at(60));
      expect(await editAt(store(), at(60))).toBe(id);
      expect(await store().deliveries.content(id, at(60))).toMatchObject({ rows: [{ state: { is: 'quiet' } }] });
      await settle(at(61));
      expect(await editAt(store(), at(62))).toBeNull();
    });

    test('count as failing while nothing could be checked', async () => {
      await fail(NOON);
      await announce(at(60));
      expect(await episodes()).toMatchObject([{ state: 'firing' }]);
    });

    test('are failing again with the next failure', async () => {
      await fail(NOON);
      await settle(at(60));
      await fail(at(61));
      await settle(at(121));
      await fail(at(170));
      expect(await episodes()).toMatchObject([{}, { state: 'firing', failures: 2 }]);
    });
  });

  describe('that are delivering again', () => {
    test('are so since the first success after their last failure', async () => {
      await fail(at(10));
      await succeed(at(11), at(5), at(9));
      expect(await episodes()).toMatchObject([{ succeeding_since: null }]);
      await succeed(at(12), at(5), at(11));
      expect(await episodes()).toMatchObject([{ succeeding_since: at(11) }]);
      await succeed(at(14), at(12), at(14));
      expect(await episodes()).toMatchObject([{ succeeding_since: at(11) }]);
    });

    test('are so until a newer failure, but not a late one from before', async () => {
      await fail(at(10));
      await succeed(at(12), at(11), at(11));
      await fail(at(13), { occurredAt: at(9) });
      expect(await episodes()).toMatchObject([{ succeeding_since: at(11) }]);
      await fail(at(14));
      expect(await episodes()).toMatchObject([{ succeeding_since: null }]);
    });

    test('are so only by successes of their own environment', async () => {
      await fail(NOON);
      const success = { workflow: 'order-shipped', channel: 'email', provider: 'sendgrid', from: at(1), to: at(1) };
      const staging = await openedEnvironment(store(), 'staging', at(-60));
      await record(store(), staging, reading({ successes: [success] }), at(2));
      expect(await episodes()).toMatchObject([{ succeeding_since: null }]);
    });

    test.each([
      ['workflow', { workflow: 'welcome' }],
      ['channel', { channel: 'sms' }],
      ['provider', { provider: null }],
    ])('are so only by successes of their own %s', async (_, other) => {
      await fail(NOON);
      await succeed(at(2), at(1), at(1), other);
      expect(await episodes()).toMatchObject([{ succeeding_since: null }]);
    });
  });
});

test.each([
  ['stays resolved by a failure from before', at(1), { state: 'resolved', resolved_by: 'UANN', relapses: 0 }],
  ['relapses with a failure after that', at(3), { state: 'firing', resolved_by: null, relapses: 1 }],
])('an episode resolved while a poll records %s', async (_, occurredAt, expected) => {
  const url = await newDatabase();
  const store = await openStore({ database: { kind: 'server', url }, logger: silent });
  await recordFailures(store, NOON, [failureOf('a')]);
  const person = new pg.Client({ connectionString: url });
  await person.connect();
  await person.query('BEGIN');
  await person.query("UPDATE episodes SET state = 'resolved', resolved_by = 'UANN', state_at = $1", [at(2)]);
  const recorded = recordFailures(store, at(4), [failureOf('a', { eventKey: 'late', occurredAt })]);
  const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  await expect.poll(async () => (await store.executeSql(waiting)).rows).toHaveLength(1);
  await person.query('COMMIT');
  await recorded;
  const { rows } = await store.executeSql('SELECT state, resolved_by, relapses, failures::integer FROM episodes');
  expect(rows).toEqual([{ ...expected, failures: 2 }]);
  await Promise.all([person.end(), store.close()]);
});
