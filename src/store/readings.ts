import { z } from 'zod';
import type { GapStore } from '../use-cases/close-gaps.ts';
import type { Cursor, DueSighting, Reading, ReadingStore, Recorded } from '../use-cases/record-events.ts';
import { countRead, lockCursor, noteFailure, noteNewest, noteSuccess, takeCursor } from './cursors.ts';
import { type Database, jsonOf, type Sql } from './database.ts';
import { recordFailures } from './failures.ts';
import { countInGap, dueParts, endGaps, openEndlessGap, partsWithin, replacePart, setAside } from './gaps.ts';
import { recordSightings } from './sightings.ts';
import { noteSuccesses } from './spans.ts';
import { recordWorkflows } from './workflows.ts';

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

/** How far each environment has been read, what is read again, and what could not be read. */
export function readings(database: Database): ReadingStore & GapStore {
  return {
    takeCursor: (environment, first) => database.withTransaction((sql) => takeCursor(sql, environment, first)),
    record: (cursor, reading, now) => database.withTransaction((sql) => record(sql, cursor, reading, now)),
    finishPresent: (cursor, present, now) =>
      database.withTransaction(async (sql) => {
        await lockCursor(sql, cursor);
        await noteSuccess(sql, cursor, present, now);
        for (const stretch of present.setAside) await setAside(sql, cursor.environment, stretch, now);
        await endGaps(sql, cursor.environment, present.to, now);
      }),
    noteTrouble: (cursor, problem, now) =>
      database.withTransaction(async (sql) => {
        const failing = await noteFailure(sql, cursor, problem, now);
        await openEndlessGap(sql, { environment: cursor.environment, problem, ...failing }, now);
      }),
    postpone: (cursor, eventKeys, until) => database.withTransaction((sql) => postpone(sql, cursor, eventKeys, until)),
    dueSightings: (environment, now, limit) =>
      database.rows(
        DueRow,
        `SELECT event_key, event_id, created_at, reads FROM sightings
         WHERE environment = $1 AND next_read_at <= $2 ORDER BY next_read_at LIMIT $3`,
        [environment, now, limit],
      ),
    gapsWithin: (environment, window) => partsWithin(database, environment, window),
    dueParts: (environment, now, limit) => dueParts(database, environment, now, limit),
    replacePart: (cursor, part, left, now) =>
      database.withTransaction(async (sql) => {
        await lockCursor(sql, cursor);
        await replacePart(sql, part, left, cursor.environment, now);
      }),
  };
}

/** The cursor goes first: its row is the lock that lets one recording of an environment follow another. */
async function record(sql: Sql, cursor: Cursor, reading: Reading, now: Date): Promise<Recorded> {
  await noteNewest(sql, cursor, newestOf(reading));
  const seen = await recordSightings(sql, cursor.environment, reading, now);
  await recordWorkflows(sql, cursor.environment, reading.sightings, now);
  const failed = await recordFailures(sql, cursor.environment, reading.failures, now);
  await noteSuccesses(sql, cursor.environment, reading.successes, now);
  await countRead(sql, cursor.environment, { ...seen, ...failed });
  const recorded = { newEvents: seen.newEvents, newFailures: failed.newFailures };
  if (reading.gapId !== undefined) await countInGap(sql, reading.gapId, recorded);
  return recorded;
}

function newestOf({ sightings }: Reading): Date | null {
  const newest = Math.max(...sightings.map(({ createdAt }) => createdAt?.getTime() ?? Number.NEGATIVE_INFINITY));
  return Number.isFinite(newest) ? new Date(newest) : null;
}

async function postpone(sql: Sql, cursor: Cursor, eventKeys: readonly string[], until: Date | null): Promise<void> {
  await lockCursor(sql, cursor);
  await sql.write(
    `UPDATE sightings SET next_read_at = $3
     WHERE environment = $1 AND is_readable AND event_key IN (SELECT jsonb_array_elements_text($2::jsonb))`,
    [cursor.environment, jsonOf(eventKeys), until],
  );
}
