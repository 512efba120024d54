import { z } from 'zod';
import { FencedOffError, type ServiceProblem } from '../domain/errors.ts';
import type { Cursor, PresentRead } from '../use-cases/record-events.ts';
import { jsonOf, type Sql } from './database.ts';
import { openPositions } from './positions.ts';
import { StoredProblem } from './problems.ts';
import { Count } from './row.ts';

const CursorRow = z
  .object({
    environment: z.string(),
    version: Count,
    covered_from: z.date(),
    read_to: z.date(),
    newest_event_at: z.date().nullable(),
    last_round_at: z.date().nullable(),
    problem: StoredProblem.nullable(),
  })
  .transform(
    (row): Cursor => ({
      environment: row.environment,
      version: row.version,
      coveredFrom: row.covered_from,
      readTo: row.read_to,
      newestEventAt: row.newest_event_at,
      lastRoundAt: row.last_round_at,
      problem: row.problem,
    }),
  );

export async function takeCursor(sql: Sql, environment: string, first: Date): Promise<Cursor> {
  const [cursor] = await sql.rows(
    CursorRow,
    `INSERT INTO cursors (environment, version, covered_from, read_to) VALUES ($1, 1, $2, $2)
     ON CONFLICT (environment) DO UPDATE SET version = cursors.version + 1 RETURNING *`,
    [environment, first],
  );
  if (cursor === undefined) throw new Error('a cursor was neither made nor found');
  await openPositions(sql);
  return cursor;
}

/** The cursor's row is the lock that lets one writer of an environment follow another. Throws `FencedOffError` when it was taken since. */
export async function lockCursor(sql: Sql, cursor: Cursor): Promise<void> {
  const lock = 'SELECT environment FROM cursors WHERE environment = $1 AND version = $2 FOR UPDATE';
  const locked = await sql.rows(z.object({}), lock, [cursor.environment, cursor.version]);
  if (locked.length === 0) throw new FencedOffError(cursor.environment);
}

/** Remembers the newest event that was read, where one is known. Locks the cursor, as `lockCursor` does. */
export async function noteNewest(sql: Sql, cursor: Cursor, newest: Date | null): Promise<void> {
  const note = `UPDATE cursors SET newest_event_at = GREATEST(newest_event_at, $3) WHERE environment = $1 AND version = $2`;
  if ((await sql.write(note, [cursor.environment, cursor.version, newest])) === 0) {
    throw new FencedOffError(cursor.environment);
  }
}

/** What a page added to all that was read since the cursor was made. */
export interface ReadCounts {
  readonly newEvents: number;
  readonly newUnreadable: number;
  readonly newFailedEvents: number;
}

export async function countRead(sql: Sql, environment: string, counts: ReadCounts): Promise<void> {
  const { newEvents, newUnreadable, newFailedEvents } = counts;
  if (newEvents + newUnreadable + newFailedEvents === 0) return;
  await sql.write(
    `UPDATE cursors SET events = events + $2, unreadable = unreadable + $3, failed_events = failed_events + $4
     WHERE environment = $1`,
    [environment, newEvents, newUnreadable, newFailedEvents],
  );
}

export async function noteSuccess(sql: Sql, cursor: Cursor, present: PresentRead, now: Date): Promise<void> {
  await sql.write(
    `UPDATE cursors SET read_to = GREATEST(read_to, $2), last_round_at = $3, last_success_at = $3, clock_ahead_ms = $4,
       failing_since = NULL, problem = NULL
     WHERE environment = $1`,
    [cursor.environment, present.to, now, present.clockAheadMs],
  );
}

const FailingRow = z
  .object({ read_to: z.date(), failing_since: z.date() })
  .transform((row) => ({ readTo: row.read_to, failingSince: row.failing_since }));

/** Returns since when the environment has been failing, and how far it was read before. */
export async function noteFailure(sql: Sql, cursor: Cursor, problem: ServiceProblem, now: Date) {
  const [failing] = await sql.rows(
    FailingRow,
    `UPDATE cursors SET last_round_at = $3, failing_since = coalesce(failing_since, $3), problem = $4::jsonb
     WHERE environment = $1 AND version = $2 RETURNING read_to, failing_since`,
    [cursor.environment, cursor.version, now, jsonOf(problem)],
  );
  if (failing === undefined) throw new FencedOffError(cursor.environment);
  return failing;
}
