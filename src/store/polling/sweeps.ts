import { z } from 'zod';
import { type Failure, withBoundedIds } from '../../domain/failures/failure.ts';
import type { Stretch } from '../../domain/polling/recheck-pace.ts';
import { eventKey, type TriggeredEvent } from '../../domain/service/event.ts';
import type { UnreadableItem } from '../../domain/service/query.ts';
import { boundedId } from '../../domain/text/bounded-id.ts';
import type { SweepNote, SweepStore } from '../../use-cases/polling/sweep.ts';
import { BY_ITSELF, type Database, jsonOf, type SqlRows } from '../database/database.ts';
import { Count, rowWith } from '../database/row.ts';
import { lockCursor, tokenOf } from './cursors.ts';

const StoredStretch: z.ZodType<Stretch> = z.object({
  from: z.coerce.date(),
  to: z.coerce.date(),
  checkedAt: z.coerce.date().nullable(),
  events: z.number(),
  failedChecks: z.number(),
  notBefore: z.coerce.date().nullable(),
});

const StretchesRow = z.object({ stretches: z.array(StoredStretch) });

const MinuteRow = z.object({ minute: z.date(), events: Count });

/** What a sweep leaves to the next one, and shows of the delay of late failures. */
export const StoredSweepNote = z.object({
  delays: z.array(z.object({ ageMs: z.number(), withinMs: z.number() })),
  failedSweeps: z.number(),
  unfilteredUntil: z.coerce.date().nullable(),
});

const NoteRow = rowWith({ behindMs: Count, sweep: StoredSweepNote.nullable() }).transform(
  ({ behindMs, sweep }): SweepNote | null => sweep && { ...sweep, behindMs },
);

const IndexRow = z.object({ index: Count });

/** Two windows can share a minute, whose events count once. */
const MINUTES_WITH_EVENTS = `
  SELECT DISTINCT counted.minute, counted.events FROM jsonb_to_recordset($2::jsonb) AS w ("from" timestamptz, "to" timestamptz)
  CROSS JOIN LATERAL (
    SELECT minute, sum(events + unreadable) AS events FROM event_counts
    WHERE environment = $1 AND minute >= date_trunc('minute', w."from", 'UTC') AND minute < w."to" GROUP BY minute ${BY_ITSELF}
  ) counted ORDER BY counted.minute`;

/** Stores when events were last checked for late failures. */
export function sweeps(database: Database): SweepStore {
  return {
    stretches: async (environment) => {
      const select = 'SELECT stretches FROM sweep_stretches WHERE environment = $1';
      return (await database.rows(StretchesRow, select, [environment]))[0]?.stretches ?? [];
    },
    noteChecked: (cursor, stretches) =>
      database.withTransaction(async (sql) => {
        await lockCursor(sql, cursor);
        await sql.write(
          `INSERT INTO sweep_stretches (environment, stretches) VALUES ($1, $2::jsonb)
           ON CONFLICT (environment) DO UPDATE SET stretches = EXCLUDED.stretches`,
          [cursor.environment, jsonOf(stretches)],
        );
      }),
    lastSweep: async (environment) => {
      const notes = await database.rows(NoteRow, 'SELECT behind_ms, sweep FROM cursors WHERE environment = $1', [
        environment,
      ]);
      return notes[0] ?? null;
    },
    noteSweep: async (cursor, { behindMs, ...note }) => {
      await database.write(
        `UPDATE cursors SET behind_ms = $3, sweep = $4::jsonb WHERE environment = $1 AND ${tokenOf(cursor)} = $2
         AND (behind_ms <> $3 OR sweep IS DISTINCT FROM $4::jsonb)`,
        [cursor.environment, cursor.version, behindMs, jsonOf(note)],
      );
    },
    minutesWithEvents: (environment, windows) =>
      database.rows(MinuteRow, MINUTES_WITH_EVENTS, [environment, jsonOf(windows)]),
    unknownEvents: (environment, events) => unknownEvents(database, environment, events),
    unknownFailures: (environment, failures) => unknownFailures(database, environment, failures),
    unknownUnreadable: (environment, items) => unknownUnreadable(database, environment, items),
  };
}

async function unknownFailures(sql: SqlRows, environment: string, failures: readonly Failure[]): Promise<Failure[]> {
  const keys = failures
    .map(withBoundedIds)
    .map(({ eventKey, jobId, detailId }, index) => ({ index, eventKey, jobId, detailId }));
  const unknown = await sql.rows(
    IndexRow,
    `SELECT index FROM jsonb_to_recordset($2::jsonb) AS one (index integer, "eventKey" text, "jobId" text, "detailId" text)
     WHERE NOT EXISTS (
       SELECT 1 FROM failures f WHERE f.environment = $1 AND f.event_key = one."eventKey" AND f.job_id = one."jobId"
         AND f.detail_id = one."detailId"
     )`,
    [environment, jsonOf(keys)],
  );
  const indexes = new Set(unknown.map(({ index }) => index));
  return failures.filter((_, index) => indexes.has(index));
}

async function unknownUnreadable(
  sql: SqlRows,
  environment: string,
  items: readonly UnreadableItem[],
): Promise<UnreadableItem[]> {
  const unsighted = await unsightedOf(
    sql,
    environment,
    'unreadable',
    items.map(({ key }) => boundedId(key)),
  );
  return items.filter((_, index) => unsighted.has(index));
}

async function unknownEvents(
  sql: SqlRows,
  environment: string,
  events: readonly TriggeredEvent[],
): Promise<TriggeredEvent[]> {
  const unsighted = await unsightedOf(sql, environment, 'readable', events.map(eventKey));
  return events.filter((_, index) => unsighted.has(index));
}

/** Returns the positions, in a list, of keys that were never recorded as readable, or as unreadable. */
async function unsightedOf(
  sql: SqlRows,
  environment: string,
  as: 'readable' | 'unreadable',
  keys: readonly string[],
): Promise<ReadonlySet<number>> {
  const unknown = await sql.rows(
    IndexRow,
    `SELECT index FROM jsonb_to_recordset($2::jsonb) AS one (index integer, key text)
     WHERE NOT EXISTS (
       SELECT 1 FROM tracked_events s WHERE s.environment = $1 AND s.event_key = one.key AND s.is_readable = $3
     )`,
    [environment, jsonOf(keys.map((key, index) => ({ index, key }))), as === 'readable'],
  );
  return new Set(unknown.map(({ index }) => index));
}
