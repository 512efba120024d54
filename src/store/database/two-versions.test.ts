import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { planDigest } from '../../domain/alerting/digest.ts';
import { groupOf } from '../../domain/failures/failure.ts';
import { at, failureOf, NOON } from '../examples.testing.ts';
import { newEmptyDatabase, silent } from '../store.testing.ts';
import { openStore, type Store } from '../store.ts';
import { FIRST_TABLES } from './migrations/0001-first-tables.ts';

/**
 * During a deploy a replica of the version that knows the first tables alone goes on reading and telling, upon tables that a newer one
 * has brought up to date. These are its statements, as that version has them.
 */
describe('a replica of the first version', () => {
  let old: pg.Client;
  let store: Store;
  beforeAll(async () => {
    const url = await newEmptyDatabase();
    old = new pg.Client({ connectionString: url });
    await old.connect();
    await old.query(FIRST_TABLES);
    await old.query('CREATE TABLE migrations (version integer PRIMARY KEY, applied_at timestamptz NOT NULL)');
    await old.query('INSERT INTO migrations VALUES (1, now())');
    await watchOnce(old);
    await record(old, 'before', 1);
    await announce(old);
    store = await openStore({ databaseUrl: url, dataDir: '', logger: silent });
  });
  afterAll(async () => {
    await old.end();
    await store.close();
  });

  const told = async () => {
    const ids = await store.announce('production', (round) => planDigest(round, at(5)), at(5));
    const contents = await Promise.all(ids.map((id) => store.content(id, at(5))));
    return contents.flatMap((content) =>
      content.kind === 'digest' ? content.rows.map(({ tally }) => tally.group.cause.text) : [],
    );
  };

  it('has told what need not be told again', async () => {
    expect(await told()).toEqual([]);
  });

  it('reads on, and a newer one tells what it found', async () => {
    await record(old, 'meanwhile', 2);
    expect(await told()).toEqual(['meanwhile']);
    expect(await told()).toEqual([]);
  });

  it('tells on, and a newer one does not repeat it', async () => {
    await record(old, 'told by the old one', 3);
    await announce(old);
    expect(await told()).toEqual([]);
  });

  it('has its message edited by a newer one when its group counts on', async () => {
    await old.query(
      `UPDATE digests SET state = 'posted', ts = '1.1', fingerprint = 'f', posted_at = $1, edit_begun_at = $1, shown_to = $1`,
      [NOON],
    );
    expect(await store.claimEdit(at(10))).toMatchObject({ ts: '1.1' });
  });
});

async function watchOnce(old: pg.Client): Promise<void> {
  await old.query(
    `INSERT INTO cursors (environment, version, covered_from, read_to) VALUES ('production', 1, $1, $1)`,
    [NOON],
  );
  await old.query(`INSERT INTO watches (id, channel, created_at) VALUES ('watch', 'C0ONCALL', $1)`, [NOON]);
  await old.query(`INSERT INTO positions (watch_id, environment, from_start, told_to, told_seq, told_events, told_unreadable)
    SELECT 'watch', 'production', true, read_to, 0, 0, 0 FROM cursors`);
}

async function record(old: pg.Client, cause: string, minute: number): Promise<void> {
  const failure = failureOf(cause);
  const { key, channel, provider, workflow } = groupOf('production', failure);
  await old.query(`UPDATE cursors SET version = version + 1, read_to = $1, events = events + 1`, [at(minute)]);
  await old.query(
    `INSERT INTO groups (key, environment, workflow, workflow_name, channel, provider, cause_text, cause_key, telling, is_test)
     VALUES ($1, 'production', $2, $2, $3, $4, $5, $5, 'announced', false)`,
    [key, workflow, channel, provider, cause],
  );
  const { rows } = await old.query(
    `INSERT INTO failures (environment, event_key, job_id, detail_id, group_key, is_announced, verdict, occurred_at,
       event_created_at, recorded_at, event_id, transaction_id, subscriber_id, severity, critical)
     VALUES ('production', $1, 'job', 'detail', $2, true, 'failed', $3, $3, $3, $1, 'txn', 'user-1', null, false) RETURNING seq`,
    [failure.eventKey, key, at(minute)],
  );
  const { rows: spans } = await old.query(
    'INSERT INTO spans (group_key, ends_at, last_recorded_at) VALUES ($1, $2, $3) RETURNING id',
    [key, at(24 * 60), at(minute)],
  );
  await old.query(
    `UPDATE spans SET failures = 1, events = 1, subscribers = 1, first_seen = $2, last_seen = $2, verdicts = '{failed}',
       transaction_id = 'txn' WHERE id = $1`,
    [spans[0].id, at(minute)],
  );
  expect(rows).toHaveLength(1);
}

async function announce(old: pg.Client): Promise<void> {
  const { rows } = await old.query(
    `INSERT INTO digests (id, watch_id, environment, kind, created_at, is_first, covered_from, covered_to, events, unreadable,
       failed_events, counted, after_seq, to_seq)
     SELECT gen_random_uuid()::text, 'watch', 'production', 'new-groups', read_to, false, covered_from, read_to, 1, 0, 1, '{}', 0,
       (SELECT max(seq) FROM failures) FROM cursors RETURNING id`,
  );
  await old.query(
    `INSERT INTO announcements (watch_id, digest_id, position, span_id)
     SELECT 'watch', $1, row_number() OVER (ORDER BY s.id), s.id FROM spans s
     WHERE NOT EXISTS (SELECT 1 FROM announcements a WHERE a.span_id = s.id AND a.watch_id = 'watch')`,
    [rows[0].id],
  );
  await old.query(
    `UPDATE positions p SET told_to = c.read_to, told_seq = (SELECT max(seq) FROM failures), told_events = c.events,
       told_unreadable = c.unreadable, last_digest_at = c.read_to FROM cursors c`,
  );
}
