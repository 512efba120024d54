import { z } from 'zod';
import { ANNOUNCEMENT_MS, type DigestPlan, type Untold } from '../domain/digest.ts';
import type { VerdictCounts } from '../domain/failure.ts';
import type { AnnouncingStore } from '../use-cases/announce-failures.ts';
import { type Database, jsonOf, type Sql } from './database.ts';
import { Count, CountRow } from './row.ts';
import { StoredVerdict, tallies } from './tallies.ts';

/** Where a watch stands in an environment (`told…`), and where the reading does. */
const PositionRow = z.object({
  watch_id: z.string(),
  environment: z.string(),
  from_start: z.boolean(),
  told_to: z.date(),
  told_seq: Count,
  last_digest_at: z.date().nullable(),
  read_to: z.date(),
  last_seq: Count,
  events: Count,
  unreadable: Count,
});
type Position = z.output<typeof PositionRow>;

const WatchIdRow = z.object({ watch_id: z.string() });
const DigestIdRow = z.object({ id: z.string() });
const VerdictCountRow = z.object({ verdict: StoredVerdict, count: Count });

/** What each watch has been told, and the digests that tell it. */
export function announcing(database: Database): AnnouncingStore {
  return {
    async announce(environment, plan, now) {
      const digestIds: string[] = [];
      const positions = 'SELECT watch_id FROM positions WHERE environment = $1 ORDER BY watch_id';
      for (const { watch_id } of await database.rows(WatchIdRow, positions, [environment])) {
        const digestId = await database.withTransaction((sql) => announceTo(sql, watch_id, environment, plan, now));
        if (digestId !== null) digestIds.push(digestId);
      }
      return digestIds;
    },
  };
}

async function announceTo(
  sql: Sql,
  watchId: string,
  environment: string,
  plan: (untold: Untold) => DigestPlan | null,
  now: Date,
): Promise<string | null> {
  const position = await lockPosition(sql, watchId, environment);
  if (position === null) return null;
  const counted = await countedSince(sql, position);
  const digest = plan({
    groupKeys: await untoldGroups(sql, position),
    counted,
    lastDigestAt: position.last_digest_at,
  });
  return digest && (await writeDigest(sql, position, digest, counted, now));
}

/** Nothing is recorded in the environment while its cursor is locked, and no other replica announces. */
async function lockPosition(sql: Sql, watchId: string, environment: string): Promise<Position | null> {
  await sql.write('SELECT 1 FROM cursors WHERE environment = $1 FOR UPDATE', [environment]);
  const [position] = await sql.rows(
    PositionRow,
    `SELECT p.watch_id, p.environment, p.from_start, p.told_to, p.told_seq, p.last_digest_at, c.read_to,
       c.events - p.told_events AS events, c.unreadable - p.told_unreadable AS unreadable,
       (SELECT coalesce(max(seq), 0) FROM failures f WHERE f.environment = c.environment) AS last_seq
     FROM positions p JOIN cursors c USING (environment) WHERE p.watch_id = $1 AND p.environment = $2`,
    [watchId, environment],
  );
  return position ?? null;
}

/**
 * The groups that a watch ($1) has not been told in an environment ($2), with the time from which it has not: those recorded since it
 * was made and never announced to it, or recorded again after their announcement has ended.
 */
const UNTOLD = `
  SELECT g.key, coalesce(ended.at, w.created_at) AS counts_from
  FROM groups g JOIN watches w ON w.id = $1
  LEFT JOIN LATERAL (
    SELECT max(ends_at) AS at FROM announcements a WHERE a.group_key = g.key AND a.watch_id = $1
  ) ended ON true
  WHERE g.environment = $2 AND g.telling = 'announced' AND g.last_recorded_at >= coalesce(ended.at, w.created_at)`;

async function untoldGroups(sql: Sql, position: Position): Promise<string[]> {
  const untold = await tallies(
    sql,
    `failures f JOIN (${UNTOLD}) untold ON untold.key = f.group_key AND f.recorded_at >= untold.counts_from`,
    [position.watch_id, position.environment],
    'ALL',
  );
  return untold.map(({ group }) => group.key);
}

async function countedSince(sql: Sql, position: Position): Promise<VerdictCounts> {
  const counts = await sql.rows(
    VerdictCountRow,
    `SELECT g.telling AS verdict, count(*) FROM failures f JOIN groups g ON g.key = f.group_key
     WHERE f.environment = $1 AND NOT f.is_announced AND f.seq > $2 GROUP BY 1`,
    [position.environment, position.told_seq],
  );
  return Object.fromEntries(counts.map(({ verdict, count }) => [verdict, count]));
}

async function writeDigest(
  sql: Sql,
  position: Position,
  plan: DigestPlan,
  counted: VerdictCounts,
  now: Date,
): Promise<string | null> {
  const [digest] = await sql.rows(DigestIdRow, ADD_DIGEST, [
    ...[position.watch_id, position.environment, plan.kind, now],
    ...[position.from_start && position.last_digest_at === null, position.told_to, position.read_to],
    ...[position.events, position.unreadable, await failedEventsSince(sql, position)],
    ...[jsonOf(counted), position.told_seq, position.last_seq],
  ]);
  if (digest === undefined) return null;
  const endsAt = new Date(now.getTime() + ANNOUNCEMENT_MS);
  await sql.write(ADD_ANNOUNCEMENTS, [
    ...[position.watch_id, position.environment],
    ...[digest.id, jsonOf(plan.groupKeys), endsAt],
  ]);
  await sql.write(MOVE_POSITION, [position.watch_id, position.environment, position.last_seq, now]);
  return digest.id;
}

async function failedEventsSince(sql: Sql, position: Position): Promise<number> {
  const [failed] = await sql.rows(
    CountRow,
    'SELECT count(DISTINCT event_key) FROM failures WHERE environment = $1 AND seq > $2 AND is_announced',
    [position.environment, position.told_seq],
  );
  return failed?.count ?? 0;
}

const ADD_DIGEST = `
  INSERT INTO digests (id, watch_id, environment, kind, created_at, is_first, covered_from, covered_to,
    events, unreadable, failed_events, counted, after_seq, to_seq)
  VALUES (gen_random_uuid()::text, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11::jsonb, $12, $13)
  RETURNING id`;

const ADD_ANNOUNCEMENTS = `
  INSERT INTO announcements (watch_id, digest_id, position, group_key, counts_from, ends_at)
  SELECT $1, $3, planned.position, untold.key, untold.counts_from, $5
  FROM jsonb_array_elements_text($4::jsonb) WITH ORDINALITY AS planned (key, position)
  JOIN (${UNTOLD}) untold ON untold.key = planned.key`;

const MOVE_POSITION = `
  UPDATE positions p
  SET told_to = c.read_to, told_seq = $3, told_events = c.events, told_unreadable = c.unreadable, last_digest_at = $4
  FROM cursors c WHERE p.watch_id = $1 AND p.environment = $2 AND c.environment = $2`;
