import { z } from 'zod';
import { lastWallClock } from '../../domain/time/wall-clock.ts';
import { isAbout, type WatchFilter, type WatchSettings } from '../../domain/watches/watch.ts';
import { jsonOf, type Sql, type SqlWrite } from '../database/database.ts';
import { Count } from '../database/row.ts';

/** An episode outlives its failures by up to a day in the store, and would count as new without its own number. */
function newestSeqIn(row: string): string {
  return `coalesce(GREATEST(
    (SELECT max(seq) FROM failures f WHERE f.environment = ${row}.environment),
    (SELECT max(e.newest_seq) FROM episodes e JOIN groups g ON g.key = e.group_key WHERE g.environment = ${row}.environment)), 0)`;
}

export interface SummedTo {
  readonly environment: string;
  readonly seq: number;
  readonly events: number;
  readonly unreadable: number;
  readonly failedEvents: number;
}

export async function moveSummaries(sql: SqlWrite, watchId: string, summed: readonly SummedTo[]): Promise<void> {
  await sql.write(
    `UPDATE positions p SET summed_seq = item.seq, summed_events = item.events, summed_unreadable = item.unreadable,
       summed_failed_events = item."failedEvents"
     FROM jsonb_to_recordset($2::jsonb)
       AS item (environment text, seq bigint, events bigint, unreadable bigint, "failedEvents" bigint)
     WHERE p.watch_id = $1 AND p.environment = item.environment`,
    [watchId, jsonOf(summed)],
  );
}

/** The assignments with which position `p` counts from the present of its environment's cursor `c`. */
const SUMMED_TO_NOW = `
  summed_events = c.events, summed_unreadable = c.unreadable, summed_failed_events = c.failed_events,
  summed_seq = ${newestSeqIn('c')}`;

/** Makes the first summary of a watch start here; it's due the next time that its clock shows `summaryAt`. */
export async function beginSummaries(
  sql: SqlWrite,
  watchId: string,
  { summaryAt, timeZone }: { readonly summaryAt: number } & Pick<WatchSettings, 'timeZone'>,
  now: Date,
): Promise<void> {
  const { day } = lastWallClock(summaryAt, timeZone, now);
  await sql.write('UPDATE watches SET summed_to = $2, last_summary_day = $3 WHERE id = $1', [watchId, now, day]);
  await sql.write(
    `UPDATE positions p SET ${SUMMED_TO_NOW} FROM environments c WHERE p.watch_id = $1 AND c.environment = p.environment`,
    [watchId],
  );
}

export const SHOWS_CHANGES = `coalesce((w.settings ->> 'hasChanges')::boolean, false)`;

const NEWEST_CHANGE = '(SELECT coalesce(max(id), 0) FROM changes WHERE changes.environment = p.environment)';

/** Starts a watch that is asked to show changes at the current position, and clears the position of one that isn't asked anymore. */
export async function beginOrEndChanges(sql: SqlWrite): Promise<void> {
  await sql.write(`
    UPDATE positions p SET changes_to = CASE WHEN ${SHOWS_CHANGES}
      THEN ${NEWEST_CHANGE} END
    FROM watches w WHERE w.id = p.watch_id AND w.ended_at IS NULL AND ${SHOWS_CHANGES} = (p.changes_to IS NULL)`);
}

/**
 * A watch's position in an environment (`announced…`, `scanned…`), and the polls' position. `has_…`: whether the watch has unsettled mutes
 * or held episodes, in any environment.
 */
const PositionRow = z.object({
  watch_id: z.string(),
  environment: z.string(),
  from_start: z.boolean(),
  announced_to: z.date(),
  announced_seq: Count,
  scanned_seq: Count,
  last_digest_at: z.date().nullable(),
  last_alert_at: z.date().nullable(),
  checked_to: z.date(),
  last_seq: Count,
  newest_seq: Count,
  has_mutes: z.boolean(),
  has_held: z.boolean(),
  events: Count,
  unreadable: Count,
});
export type Position = z.output<typeof PositionRow>;

/** At the environment's start if nothing was read there, else at what has been read: a new watch isn't alerted to what was before it. */
export async function openPositions(sql: SqlWrite, environment: string | null = null): Promise<void> {
  const open = `
    INSERT INTO positions (watch_id, environment, from_start, announced_to, announced_seq, scanned_seq, announced_events, announced_unreadable,
      summed_seq, summed_events, summed_unreadable, summed_failed_events)
    SELECT w.id, c.environment, c.checked_to = c.covered_from AND c.events = 0, c.checked_to,
      newest.seq, newest.seq, c.events, c.unreadable, newest.seq, c.events, c.unreadable, c.failed_events
    FROM watches w CROSS JOIN environments c
    CROSS JOIN LATERAL (SELECT ${newestSeqIn('c')} AS seq) newest
    WHERE w.ended_at IS NULL AND c.environment = coalesce($1, c.environment)
      AND NOT EXISTS (SELECT 1 FROM positions p WHERE p.watch_id = w.id AND p.environment = c.environment)
    ON CONFLICT (watch_id, environment) DO NOTHING`;
  await sql.write(open, [environment]);
}

/** While an environment's cursor is locked, nothing is recorded in it and no other replica announces. */
export async function lockEnvironment(sql: SqlWrite, environment: string): Promise<void> {
  await sql.write('SELECT 1 FROM environments WHERE environment = $1 FOR UPDATE', [environment]);
}

/** Returns a watch's position in an environment, whose cursor it locks; null if it has none. */
export async function lockPosition(sql: Sql, watchId: string, environment: string): Promise<Position | null> {
  await lockEnvironment(sql, environment);
  const [position] = await sql.rows(PositionRow, POSITION, [watchId, environment]);
  return position ?? null;
}

export const HAS_MUTES = 'EXISTS (SELECT 1 FROM mutes m WHERE m.watch_id = p.watch_id AND m.settled_at IS NULL)';
export const HAS_HELD = 'EXISTS (SELECT 1 FROM held_back h WHERE h.watch_id = p.watch_id)';

/** The number of the newest failure of any environment: an episode outlives its failures in the store. */
export const NEWEST_SEQ = 'GREATEST((SELECT max(seq) FROM failures), (SELECT max(newest_seq) FROM episodes))';

/** The newest failure of any environment is at least as new as this one's. */
const POSITION = `
  SELECT p.watch_id, p.environment, p.from_start, GREATEST(p.announced_to, c.covered_from) AS announced_to, p.announced_seq, p.scanned_seq,
    p.last_digest_at, (SELECT max(last_alert_at) FROM positions WHERE watch_id = p.watch_id) AS last_alert_at, c.checked_to,
    c.events - p.announced_events AS events, c.unreadable - p.announced_unreadable AS unreadable,
    GREATEST(p.announced_seq, (SELECT max(seq) FROM failures f WHERE f.environment = c.environment)) AS last_seq,
    GREATEST(p.scanned_seq, ${NEWEST_SEQ}) AS newest_seq, ${HAS_MUTES} AS has_mutes, ${HAS_HELD} AS has_held
  FROM positions p JOIN environments c USING (environment) WHERE p.watch_id = $1 AND p.environment = $2`;

/** Notes that everything was looked at and no message was written. Returns null, since there is no message ID. */
export async function noteLooked(sql: SqlWrite, position: Position): Promise<null> {
  if (position.newest_seq === position.scanned_seq) return null;
  await sql.write('UPDATE positions SET scanned_seq = $3 WHERE watch_id = $1 AND environment = $2', [
    position.watch_id,
    position.environment,
    position.newest_seq,
  ]);
  return null;
}

export async function moveOn(sql: SqlWrite, position: Position): Promise<void> {
  await sql.write(
    `UPDATE positions p SET announced_to = c.checked_to, announced_seq = $3, scanned_seq = $4, announced_events = c.events,
       announced_unreadable = c.unreadable
     FROM environments c WHERE p.watch_id = $1 AND p.environment = $2 AND c.environment = $2`,
    [position.watch_id, position.environment, position.last_seq, position.newest_seq],
  );
}

/** Moves the positions of watches that don't cover an environment to its present, and drops what is held of it for them. */
export async function passBy(sql: SqlWrite, environment: string, watchIds: readonly string[]): Promise<void> {
  await lockEnvironment(sql, environment);
  const values = [environment, jsonOf(watchIds)];
  await sql.write(PASS_BY, values);
  await sql.write(DROP_HELD, values);
}

const PASS_BY = `
  UPDATE positions p SET announced_to = c.checked_to, announced_events = c.events, announced_unreadable = c.unreadable,
    announced_seq = GREATEST(p.announced_seq, (SELECT max(seq) FROM failures f WHERE f.environment = $1)),
    scanned_seq = GREATEST(p.scanned_seq, ${NEWEST_SEQ})
  FROM environments c
  WHERE c.environment = $1 AND p.environment = $1 AND p.watch_id IN (SELECT jsonb_array_elements_text($2::jsonb))`;

const DROP_HELD = `
  DELETE FROM held_back h USING episodes s, groups g
  WHERE h.watch_id IN (SELECT jsonb_array_elements_text($2::jsonb)) AND s.id = h.episode_id AND g.key = s.group_key AND g.environment = $1`;

export async function noteAlert(sql: SqlWrite, { watch_id, environment }: Position, now: Date): Promise<void> {
  await sql.write(
    `UPDATE positions SET last_digest_at = $3, last_alert_at = $3
     WHERE watch_id = $1 AND environment = $2`,
    [watch_id, environment, now],
  );
}

type Environments = Pick<WatchFilter, 'environments'>;

/** Starts a watch at the present where it covers more since a change of its filter: the past is news to no summary and to no notice. */
export async function beginNewlyCovered(
  sql: Sql,
  watchId: string,
  { before, after }: { readonly before: Environments; readonly after: Environments },
  now: Date,
): Promise<void> {
  const known = await sql.rows(EnvironmentRow, 'SELECT environment FROM positions WHERE watch_id = $1', [watchId]);
  const names = known.map(({ environment }) => environment);
  const covered = names.filter((name) => isAbout(after, name) && !isAbout(before, name));
  if (covered.length > 0) await sql.write(BEGIN, [watchId, jsonOf(covered), now]);
}

const EnvironmentRow = z.object({ environment: z.string() });

const BEGIN = `
  UPDATE positions p SET covered_since = $3, ${SUMMED_TO_NOW},
    changes_to = CASE WHEN p.changes_to IS NOT NULL THEN ${NEWEST_CHANGE} END
  FROM environments c WHERE p.watch_id = $1 AND c.environment = p.environment
    AND p.environment IN (SELECT jsonb_array_elements_text($2::jsonb))`;
