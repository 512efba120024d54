import { z } from 'zod';
import { FencedOffError } from '../domain/errors.ts';
import type { Cursor, DueSighting, Reading, ReadingStore, Recorded } from '../use-cases/record-events.ts';
import { type Database, jsonOf, type Sql } from './database.ts';
import { recordFailures } from './failures.ts';
import { openPositions } from './positions.ts';
import { Count } from './row.ts';
import { recordSightings } from './sightings.ts';
import { recordWorkflows } from './workflows.ts';

const CursorRow = z
  .object({
    environment: z.string(),
    version: Count,
    covered_from: z.date(),
    read_to: z.date(),
    newest_event_at: z.date().nullable(),
  })
  .transform(
    (row): Cursor => ({
      environment: row.environment,
      version: row.version,
      coveredFrom: row.covered_from,
      readTo: row.read_to,
      newestEventAt: row.newest_event_at,
    }),
  );

const DueRow = z
  .object({ event_key: z.string(), event_id: z.string().nullable(), created_at: z.date(), reads: z.number() })
  .transform(
    (row): DueSighting => ({
      eventKey: row.event_key,
      eventId: row.event_id,
      createdAt: row.created_at,
      reads: row.reads,
    }),
  );

/** How far each environment has been read, and what is read again. */
export function readings(database: Database): ReadingStore {
  return {
    takeCursor: (environment, first) => database.withTransaction((sql) => takeCursor(sql, environment, first)),
    record: (cursor, reading, now) => database.withTransaction((sql) => record(sql, cursor, reading, now)),
    postpone: (cursor, eventKeys, until) => database.withTransaction((sql) => postpone(sql, cursor, eventKeys, until)),
    dueSightings: (environment, now, limit) =>
      database.rows(
        DueRow,
        `SELECT event_key, event_id, created_at, reads FROM sightings
         WHERE environment = $1 AND next_read_at <= $2 ORDER BY next_read_at LIMIT $3`,
        [environment, now, limit],
      ),
  };
}

async function takeCursor(sql: Sql, environment: string, first: Date): Promise<Cursor> {
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

/** The cursor goes first: its row is the lock that lets one recording of an environment follow another. */
async function record(sql: Sql, cursor: Cursor, reading: Reading, now: Date): Promise<Recorded> {
  await advance(sql, cursor, reading);
  const seen = await recordSightings(sql, cursor.environment, reading, now);
  await recordWorkflows(sql, cursor.environment, reading.sightings, now);
  const newFailures = await recordFailures(sql, cursor.environment, reading.failures, now);
  return { newEvents: seen.newEvents, newFailures };
}

/** Moves the cursor as far as the reading went. Throws `FencedOffError` when somebody else has taken it since. */
async function advance(sql: Sql, cursor: Cursor, reading: Reading): Promise<void> {
  const created = reading.sightings.map((sighting) => sighting.createdAt?.getTime() ?? Number.NEGATIVE_INFINITY);
  const newest = Math.max(...created);
  const written = await sql.write(
    `UPDATE cursors SET read_to = GREATEST(read_to, $3), newest_event_at = GREATEST(newest_event_at, $4),
       covered_from = CASE WHEN $5::timestamptz > read_to THEN $5 ELSE covered_from END
     WHERE environment = $1 AND version = $2`,
    [
      cursor.environment,
      cursor.version,
      reading.completed?.to ?? null,
      Number.isFinite(newest) ? new Date(newest) : null,
      reading.completed?.from ?? null,
    ],
  );
  if (written === 0) throw new FencedOffError(cursor.environment);
}

async function postpone(sql: Sql, cursor: Cursor, eventKeys: readonly string[], until: Date | null): Promise<void> {
  await advance(sql, cursor, { sightings: [], failures: [], successes: [], unreadable: [] });
  await sql.write(
    `UPDATE sightings SET next_read_at = $3
     WHERE environment = $1 AND is_readable AND event_key IN (SELECT jsonb_array_elements_text($2::jsonb))`,
    [cursor.environment, jsonOf(eventKeys), until],
  );
}
