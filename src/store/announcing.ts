import { z } from 'zod';
import type { DigestPlan, Untold } from '../domain/digest.ts';
import type { VerdictCounts } from '../domain/failure.ts';
import type { AnnouncingStore } from '../use-cases/announce-failures.ts';
import { type Database, jsonOf, type Sql } from './database.ts';
import { Count, CountRow } from './row.ts';
import { StoredVerdict, spanTallies } from './tallies.ts';

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
      const positions = `SELECT p.watch_id FROM positions p JOIN watches w ON w.id = p.watch_id
        WHERE p.environment = $1 AND w.ended_at IS NULL ORDER BY p.watch_id`;
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
    `SELECT p.watch_id, p.environment, p.from_start, p.told_seq, p.last_digest_at,
       GREATEST(p.told_to, c.covered_from) AS told_to, c.read_to, c.events - p.told_events AS events, c.unreadable - p.told_unreadable AS unreadable,
       (SELECT coalesce(max(seq), 0) FROM failures f WHERE f.environment = c.environment) AS last_seq
     FROM positions p JOIN cursors c USING (environment) WHERE p.watch_id = $1 AND p.environment = $2`,
    [watchId, environment],
  );
  return position ?? null;
}

/**
 * The spans that a watch ($1) has not been told in an environment ($2): those that counted something since it was made, were never
 * announced to it, or went on after the message that announced them was gone.
 */
const UNTOLD = `
  spans s ON s.group_key = g.key JOIN watches w ON w.id = $1
  WHERE g.environment = $2 AND s.last_recorded_at >= w.created_at AND NOT EXISTS (
    SELECT 1 FROM announcements a
    WHERE a.span_id = s.id AND a.watch_id = w.id AND (a.told_to IS NULL OR a.told_to > s.last_recorded_at)
  )`;

async function untoldGroups(sql: Sql, position: Position): Promise<string[]> {
  const untold = await spanTallies(sql, UNTOLD, [position.watch_id, position.environment]);
  return [...new Set(untold.map(({ group }) => group.key))];
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
    position.watch_id,
    position.environment,
    plan.kind,
    now,
    position.from_start && position.last_digest_at === null,
    position.told_to,
    position.read_to,
    position.events,
    position.unreadable,
    await failedEventsSince(sql, position),
    jsonOf(counted),
    position.told_seq,
    position.last_seq,
  ]);
  if (digest === undefined) return null;
  await sql.write(ADD_ANNOUNCEMENTS, [position.watch_id, position.environment, digest.id, jsonOf(plan.groupKeys)]);
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

/** A group may have two spans that are untold, where nothing could be announced for a day. */
const ADD_ANNOUNCEMENTS = `
  INSERT INTO announcements (watch_id, digest_id, position, span_id)
  SELECT $1, $3, row_number() OVER (ORDER BY planned.position, untold.id), untold.id
  FROM jsonb_array_elements_text($4::jsonb) WITH ORDINALITY AS planned (key, position)
  JOIN (SELECT s.id, g.key FROM groups g JOIN ${UNTOLD}) untold USING (key)`;

const MOVE_POSITION = `
  UPDATE positions p
  SET told_to = c.read_to, told_seq = $3, told_events = c.events, told_unreadable = c.unreadable, last_digest_at = $4
  FROM cursors c WHERE p.watch_id = $1 AND p.environment = $2 AND c.environment = $2`;
