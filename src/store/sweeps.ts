import { z } from 'zod';
import type { Failure } from '../domain/failure.ts';
import type { MinuteOfEvents, Swept } from '../domain/sweeps.ts';
import type { Cursor } from '../use-cases/record-events.ts';
import type { SweepStore } from '../use-cases/sweep.ts';
import { lockCursor } from './cursors.ts';
import { type Database, jsonOf, type Sql } from './database.ts';
import { Count } from './row.ts';

const SweptRow = z
  .object({ age_seconds: Count, swept_to: z.date() })
  .transform((row): Swept => ({ ageMs: row.age_seconds * 1000, sweptTo: row.swept_to }));

const MinuteRow = z
  .object({ minute: z.date(), events: Count })
  .transform((row): MinuteOfEvents => ({ minute: row.minute, events: row.events }));

const MOST_MINUTES = 1_000;

const IndexRow = z.object({ index: Count });

/** How far events were read again for late failures. */
export function sweeps(database: Database): SweepStore {
  return {
    sweeps: async (cursor, first) => {
      const known = await sweptAges(database, cursor.environment, first);
      if (known.length === first.length) return known;
      await database.withTransaction((sql) => begin(sql, cursor, first));
      return sweptAges(database, cursor.environment, first);
    },
    noteSwept: (cursor, { ageMs, sweptTo }) =>
      database.withTransaction(async (sql) => {
        await lockCursor(sql, cursor);
        const move = `UPDATE sweeps SET swept_to = GREATEST(swept_to, $3) WHERE environment = $1 AND age_seconds = $2`;
        await sql.write(move, [cursor.environment, ageMs / 1000, sweptTo]);
      }),
    noteBehind: async ({ environment, version }, behindMs) => {
      const note = 'UPDATE cursors SET behind_ms = $3 WHERE environment = $1 AND version = $2 AND behind_ms <> $3';
      await database.write(note, [environment, version, behindMs]);
    },
    minutesWithEvents: (environment, { from, to }) =>
      database.rows(
        MinuteRow,
        `SELECT minute, sum(events + unreadable) AS events FROM event_counts
         WHERE environment = $1 AND minute >= date_trunc('minute', $2::timestamptz, 'UTC') AND minute < $3
         GROUP BY minute ORDER BY minute LIMIT ${MOST_MINUTES}`,
        [environment, from, to],
      ),
    unknownFailures: (environment, failures) => unknownFailures(database, environment, failures),
  };
}

/** Ages of another horizon, set before, are left out. */
function sweptAges(sql: Pick<Sql, 'rows'>, environment: string, ages: readonly Swept[]): Promise<Swept[]> {
  return sql.rows(
    SweptRow,
    `SELECT age_seconds, swept_to FROM sweeps
     WHERE environment = $1 AND age_seconds IN (SELECT value::bigint FROM jsonb_array_elements_text($2::jsonb))`,
    [environment, jsonOf(ages.map(({ ageMs }) => ageMs / 1000))],
  );
}

async function begin(sql: Sql, cursor: Cursor, first: readonly Swept[]): Promise<void> {
  await lockCursor(sql, cursor);
  const rows = first.map(({ ageMs, sweptTo }) => ({ seconds: ageMs / 1000, sweptTo }));
  await sql.write(
    `INSERT INTO sweeps (environment, age_seconds, swept_to)
     SELECT $1, seconds, "sweptTo" FROM jsonb_to_recordset($2::jsonb) AS first (seconds bigint, "sweptTo" timestamptz)
     ON CONFLICT DO NOTHING`,
    [cursor.environment, jsonOf(rows)],
  );
}

async function unknownFailures(
  sql: Pick<Sql, 'rows'>,
  environment: string,
  failures: readonly Failure[],
): Promise<Failure[]> {
  const keys = failures.map(({ eventKey, jobId, detailId }, index) => ({ index, eventKey, jobId, detailId }));
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
