import { type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { minuteOf, type TimeRange } from '../lib/time/durations.ts';
import { Count, type Db, onlyRow, rowsOf } from '../store/db.ts';
import type { CountedEvents, MinuteCounts } from './minute-counts.ts';

interface CountTable {
  table: SQL;
  /** The primary key but for the environment. */
  key: SQL;
  newCounts: SQL;
  summedCounts: SQL;
}

/** Sums a JSON list of numbers by key. Null: no element has a key. */
export const summedByKey = (list: SQL): SQL => sql`(
  SELECT jsonb_object_agg(key, count)
  FROM (
    SELECT number.key, sum(number.value::integer) AS count
    FROM jsonb_array_elements(${list}) element,
      jsonb_each_text(CASE jsonb_typeof(element) WHEN 'object' THEN element ELSE '{}' END) number
    GROUP BY number.key
  ) summed
)`;

const summed = (column: SQL): SQL => summedByKey(sql`jsonb_build_array(success_counts.${column}, EXCLUDED.${column})`);

const EVENTS: CountTable = {
  table: sql`event_counts`,
  key: sql`workflow, minute`,
  newCounts: sql`events = EXCLUDED.events, unreadable = EXCLUDED.unreadable`,
  summedCounts: sql`
    events = event_counts.events + EXCLUDED.events,
    unreadable = event_counts.unreadable + EXCLUDED.unreadable`,
};

const DELIVERIES: CountTable = {
  table: sql`success_counts`,
  key: sql`channel, provider, workflow, minute, created`,
  newCounts: sql`successes = EXCLUDED.successes, last_at = EXCLUDED.last_at, latencies = EXCLUDED.latencies, domains = EXCLUDED.domains`,
  summedCounts: sql`
    successes = success_counts.successes + EXCLUDED.successes,
    last_at = GREATEST(success_counts.last_at, EXCLUDED.last_at),
    latencies = coalesce(${summed(sql`latencies`)}, '{}'),
    domains = ${summed(sql`domains`)}`,
};

const SumRow = z.object({ events: Count, unreadable: Count });
type Sums = z.output<typeof SumRow>;
type Counted = Record<'newEvents' | 'newUnreadable', number>;

/** Replaces what is counted of whole minutes. Returns how much more it is. */
export async function replaceMinutes(
  tx: Db,
  environment: string,
  range: TimeRange,
  counts: MinuteCounts,
): Promise<Counted> {
  const { events, deliveries } = rowsIn(range, environment, counts);
  const minutes = { from: minuteOf(range.from), to: range.to };
  // All parts of the statement see the tables as they were before it, so that the sums are the former ones.
  const replacing = sql`
    WITH ${replaced(EVENTS, events, isIn(environment, sql`minute`, minutes))},
    ${replaced(DELIVERIES, deliveries, isIn(environment, sql`created`, minutes))}
    ${sumsIn(environment, minutes)}`;
  const before = onlyRow(await tx.rows(SumRow, replacing));
  const { newEvents, newUnreadable } = totalOf(events);
  return { newEvents: newEvents - before.events, newUnreadable: newUnreadable - before.unreadable };
}

/** Adds what a part of a minute has to what is counted of its other parts. */
export async function addToMinutes(
  tx: Db,
  environment: string,
  range: TimeRange,
  counts: MinuteCounts,
): Promise<Counted> {
  const { events, deliveries } = rowsIn(range, environment, counts);
  if (events.length > 0) await tx.write(added(EVENTS, events));
  if (deliveries.length > 0) await tx.write(added(DELIVERIES, deliveries));
  return totalOf(events);
}

function rowsIn({ from, to }: TimeRange, environment: string, counts: MinuteCounts) {
  const begin = minuteOf(from);
  const isWithin = (minute: Date) => minute >= begin && minute < to;
  const events = [...counts.events.values()].filter(({ minute }) => isWithin(minute));
  const deliveries = [...counts.deliveries.values()].filter(({ created }) => isWithin(created));
  return {
    events: events.map((row) => ({ ...row, environment })),
    deliveries: deliveries.map((row) => ({ ...row, environment })),
  };
}

function totalOf(counted: readonly CountedEvents[]): Counted {
  const total = (column: 'events' | 'unreadable') => counted.reduce((sum, row) => sum + row[column], 0);
  return { newEvents: total('events'), newUnreadable: total('unreadable') };
}

export async function countedIn(db: Db, environment: string, range: TimeRange): Promise<Sums> {
  return onlyRow(await db.rows(SumRow, sumsIn(environment, range)));
}

export async function hasEvents(db: Db, environment: string): Promise<boolean> {
  const MinuteRow = z.object({ minute: z.date() });
  const counted = sql`SELECT minute FROM event_counts WHERE environment = ${environment} LIMIT 1`;
  return (await db.rows(MinuteRow, counted)).length > 0;
}

const isIn = (environment: string, time: SQL, { from, to }: TimeRange): SQL =>
  sql`environment = ${environment} AND ${time} >= ${from} AND ${time} < ${to}`;

const sumsIn = (environment: string, range: TimeRange): SQL => sql`
  SELECT coalesce(sum(events), 0) AS events, coalesce(sum(unreadable), 0) AS unreadable
  FROM event_counts
  WHERE ${isIn(environment, sql`minute`, range)}`;

const added = ({ table, key, summedCounts }: CountTable, rows: readonly object[]): SQL => sql`
  INSERT INTO ${table}
  SELECT * FROM jsonb_populate_recordset(NULL::${table}, ${rowsOf(rows)}::jsonb)
  ON CONFLICT (environment, ${key}) DO UPDATE
  SET ${summedCounts}`;

/** Leaves equal rows, as rewriting takes space. */
const replaced = ({ table, key, newCounts }: CountTable, rows: readonly object[], isReplaced: SQL): SQL => sql`
  new_${table} AS (
    SELECT * FROM jsonb_populate_recordset(NULL::${table}, ${rowsOf(rows)}::jsonb)
  ),
  gone_${table} AS (
    DELETE FROM ${table}
    WHERE ${isReplaced}
      AND (${key}) NOT IN (SELECT ${key} FROM new_${table})
  ),
  written_${table} AS (
    INSERT INTO ${table}
    SELECT * FROM new_${table}
    EXCEPT
    SELECT * FROM ${table} WHERE ${isReplaced}
    ON CONFLICT (environment, ${key}) DO UPDATE
    SET ${newCounts}
  )`;
