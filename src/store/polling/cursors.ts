import { addMilliseconds } from 'date-fns';
import { z } from 'zod';
import { FencedOffError, type ServiceProblem } from '../../domain/errors.ts';
import { CLOCK_TOLERANCE_MS } from '../../domain/polling/reading.ts';
import type { DueEnvironment } from '../../use-cases/alerting/announce-all.ts';
import type { Cursor, PresentRead } from '../../use-cases/polling/record-events.ts';
import { jsonOf, type Sql, type SqlRows, type SqlWrite } from '../database/database.ts';
import { StoredProblem } from '../database/problems.ts';
import { Count, rowWith } from '../database/row.ts';
import { openPositions } from '../watches/positions.ts';

const CURSOR = {
  environment: z.string(),
  version: Count,
  coveredFrom: z.date(),
  checkedTo: z.date(),
  newestEventAt: z.date().nullable(),
  lastPollAt: z.date().nullable(),
  lastSuccessAt: z.date().nullable(),
  clockAheadMs: Count.nullable(),
  problem: StoredProblem.nullable(),
};

const CursorRow = rowWith(CURSOR);

export async function takeCursor(sql: Sql, environment: string, first: Date): Promise<Cursor> {
  const [cursor] = await sql.rows(
    CursorRow,
    `INSERT INTO cursors (environment, version, covered_from, checked_to, present_since) VALUES ($1, 1, $2, $2, now())
     ON CONFLICT (environment) DO UPDATE SET version = cursors.version + 1,
       present_since = coalesce(cursors.present_since, now())
     RETURNING *`,
    [environment, first],
  );
  if (cursor === undefined) throw new Error('a cursor was neither made nor found');
  await openPositions(sql, environment);
  return cursor;
}

const PastRow = rowWith({ ...CURSOR, pastVersion: Count }).transform(
  ({ version: presentVersion, pastVersion: version, ...row }): Cursor => ({
    ...row,
    version,
    lane: 'past',
    presentVersion,
  }),
);

/** What has begun later than now was begun by a replica whose clock is ahead, or before a clock was set back. */
export async function takePast(sql: SqlRows, environment: string, now: Date, notSince: Date): Promise<Cursor | null> {
  const take = `
    UPDATE cursors SET past_version = past_version + 1, past_since = $2
    WHERE environment = $1 AND last_success_at IS NOT NULL
      AND (past_since IS NULL OR past_since <= $3 OR past_since > $2)
    RETURNING *`;
  return (await sql.rows(PastRow, take, [environment, now, notSince]))[0] ?? null;
}

export async function endPast(sql: SqlWrite, { environment, version }: Cursor): Promise<void> {
  await sql.write('UPDATE cursors SET past_since = NULL WHERE environment = $1 AND past_version = $2', [
    environment,
    version,
  ]);
}

/** Returns the cursor with which the past was last taken, without taking it; null before the present was first read. */
export async function currentPast(sql: SqlRows, environment: string): Promise<Cursor | null> {
  const current = 'SELECT * FROM cursors WHERE environment = $1 AND last_success_at IS NOT NULL';
  return (await sql.rows(PastRow, current, [environment]))[0] ?? null;
}

export function tokenOf({ lane }: Cursor): 'version' | 'past_version' {
  return lane === 'past' ? 'past_version' : 'version';
}

/** Locks the cursor's row: writers of an environment, past and present, take turns. Throws `FencedOffError` if it was taken since. */
export async function lockCursor(sql: Sql, cursor: Cursor): Promise<void> {
  const lock = `SELECT environment FROM cursors WHERE environment = $1 AND ${tokenOf(cursor)} = $2 FOR UPDATE`;
  const locked = await sql.rows(z.object({}), lock, [cursor.environment, cursor.version]);
  if (locked.length === 0) throw new FencedOffError(cursor.environment);
}

/** Returns whether a poll has begun since a check of the past took its cursor. */
export async function hasPolledSince(sql: Sql, { environment, presentVersion }: Cursor): Promise<boolean> {
  const current = 'SELECT version FROM cursors WHERE environment = $1';
  const [row] = await sql.rows(z.object({ version: Count }), current, [environment]);
  return row?.version !== presentVersion;
}

/** What a page adds to the totals since the cursor was made. */
export interface ReadCounts {
  readonly newEvents: number;
  readonly newUnreadable: number;
  readonly newFailedEvents: number;
  readonly newFailures: number;
}

export async function countRead(sql: Sql, environment: string, counts: ReadCounts): Promise<void> {
  const { newEvents, newUnreadable, newFailedEvents, newFailures } = counts;
  if (newEvents + newUnreadable + newFailures === 0) return;
  await sql.write(
    `UPDATE cursors SET events = events + $2, unreadable = unreadable + $3, failed_events = failed_events + $4, news = news + $5
     WHERE environment = $1`,
    [environment, newEvents, newUnreadable, newFailedEvents, Math.min(newFailures, 1)],
  );
}

/**
 * When an environment was last read successfully. A poll that could read no new event has moved the cursor `c` beyond it, which it left to be
 * checked later.
 */
export const LAST_SUCCESS_AT =
  'CASE WHEN c.failing_since < c.last_success_at THEN c.failing_since ELSE c.last_success_at END';

export async function noteConcluded(sql: Sql, cursor: Cursor, present: PresentRead, now: Date): Promise<void> {
  const { problem = null } = present;
  await sql.write(
    `UPDATE cursors SET checked_to = GREATEST(checked_to, $2), last_poll_at = $3, last_success_at = $3, clock_ahead_ms = $4,
       newest_event_at = GREATEST(newest_event_at, $5), failing_since = CASE WHEN $6::jsonb IS NOT NULL THEN coalesce(failing_since, $3) END,
       problem = $6::jsonb, present_since = NULL, concluded_version = version, news = news + 1
     WHERE environment = $1`,
    [cursor.environment, present.to, now, present.clockAheadMs, present.newestEventAt, problem && jsonOf(problem)],
  );
}

const FailingRow = rowWith({ checkedTo: z.date(), failingSince: z.date() });

/** Returns since when the environment has been failing, and until when it was read before. */
export async function noteFailure(sql: Sql, cursor: Cursor, problem: ServiceProblem, now: Date) {
  const [failing] = await sql.rows(
    FailingRow,
    `UPDATE cursors SET last_poll_at = $3, failing_since = coalesce(failing_since, $3), problem = $4::jsonb,
       present_since = NULL, concluded_version = version, news = news + 1
     WHERE environment = $1 AND version = $2 RETURNING checked_to, failing_since`,
    [cursor.environment, cursor.version, now, jsonOf(problem)],
  );
  if (failing === undefined) throw new FencedOffError(cursor.environment);
  return failing;
}

export async function endPresent(sql: SqlWrite, { environment, version }: Cursor): Promise<void> {
  const end = `
    UPDATE cursors SET present_since = NULL, news = news + 1
    WHERE environment = $1 AND version = $2 AND present_since IS NOT NULL`;
  await sql.write(end, [environment, version]);
}

export async function noteSweepEnded(
  sql: SqlWrite,
  cursor: Cursor,
  outcome: 'done' | 'failed',
  now: Date,
): Promise<void> {
  const behind = `behind_ms + GREATEST(0, extract(epoch FROM $3::timestamptz - coalesce(behind_at, $3)) * 1000)::bigint`;
  await sql.write(
    `UPDATE cursors SET behind_at = $3${outcome === 'failed' ? `, behind_ms = ${behind}` : ''}
     WHERE environment = $1 AND ${tokenOf(cursor)} = $2`,
    [cursor.environment, cursor.version, now],
  );
}

const DueRow = z.object({ environment: z.string(), news: Count });

/**
 * Returns the environments with something new to announce, and those not announced since a time. Leaves out those that have been recording
 * for less than the given time, by the database's clock.
 */
export function dueForAnnouncing(sql: SqlRows, notSince: Date, recordingForMs: number): Promise<DueEnvironment[]> {
  const due = `
    SELECT environment, news FROM cursors
    WHERE (news > announced_news OR announced_at IS NULL OR announced_at <= $1)
      AND (present_since IS NULL OR present_since <= now() - $2 * interval '1 millisecond')
    ORDER BY announced_at NULLS FIRST, environment`;
  return sql.rows(DueRow, due, [notSince, recordingForMs]);
}

/** Never moves the time back, whichever replica is late, except from one too far ahead: that is from before a clock was set back. */
export async function noteAnnounced(sql: SqlWrite, { environment, news }: DueEnvironment, now: Date): Promise<void> {
  const note = `
    UPDATE cursors SET announced_at = CASE WHEN announced_at BETWEEN $2 AND $4 THEN announced_at ELSE $2 END, announced_news = GREATEST(announced_news, $3)
    WHERE environment = $1`;
  await sql.write(note, [environment, now, news, addMilliseconds(now, CLOCK_TOLERANCE_MS)]);
}
