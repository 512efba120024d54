import { min } from 'date-fns';
import { type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Delivered } from '../judging/judge.ts';
import { boundedId, type Storable, type StorableRow } from '../lib/text/shown-id.ts';
import { minuteOf, SECOND_MS, type TimeRange } from '../lib/time/durations.ts';
import { eventKey, isDelivery, type TriggeredEvent } from '../service/event.ts';
import type { UnreadableItem } from '../service/query.ts';
import { Count, type Db, onlyRow, rowsOf } from '../store/db.ts';
import type { EventCountRow, SuccessCountRow } from './tables.ts';

type CountedEvents = StorableRow<Omit<EventCountRow, 'environment'>>;
type CountedDeliveries = StorableRow<Omit<SuccessCountRow, 'environment' | 'latencies' | 'domains'>> & {
  latencies: Record<number, number>;
  domains: Record<Storable, number> | null;
};

/** Counts go by the minute of an event's creation. An event on two pages counts once. */
export class MinuteCounts {
  readonly events = new Map<string, CountedEvents>();
  readonly deliveries = new Map<string, CountedDeliveries>();
  readonly #from: Date;
  readonly #seen = new Set<string>();

  constructor({ from }: TimeRange) {
    this.#from = from;
  }

  addEvent(event: TriggeredEvent, delivered: readonly Delivered[], now: Date) {
    if (!this.#isNew(`event ${eventKey(event)}`)) return;
    const created = this.#minuteOf(event.createdAt);
    const workflow = boundedId(event.workflow?.identifier ?? '');
    this.#eventsIn(created, workflow).events += 1;
    const plannedMs = plannedMsOf(event);
    for (const { channel, provider, domain, at } of delivered) {
      const lastAt = min([now, at]);
      const latency = latencyBucketOf(event, lastAt, plannedMs);
      const place = { workflow, channel: boundedId(channel), provider: boundedId(provider ?? '') };
      const counted = { created, ...place, minute: minuteOf(lastAt) };
      const key = JSON.stringify(counted);
      const none = { ...counted, successes: 0, lastAt, latencies: {}, domains: null };
      const known: CountedDeliveries = this.deliveries.get(key) ?? none;
      this.deliveries.set(key, known);
      known.successes += 1;
      if (latency !== null) known.latencies[latency] = (known.latencies[latency] ?? 0) + 1;
      if (domain !== null)
        known.domains = { ...known.domains, [boundedId(domain)]: (known.domains?.[boundedId(domain)] ?? 0) + 1 };
      if (lastAt > known.lastAt) known.lastAt = lastAt;
    }
  }

  addUnreadable({ key, createdAt }: UnreadableItem) {
    if (this.#isNew(`unreadable ${key}`)) this.#eventsIn(this.#minuteOf(createdAt), boundedId('')).unreadable += 1;
  }

  addUnreadableEvent(event: TriggeredEvent) {
    this.addUnreadable({ key: eventKey(event), createdAt: event.createdAt });
  }

  #isNew(key: string) {
    const isNew = !this.#seen.has(key);
    this.#seen.add(key);
    return isNew;
  }

  #minuteOf(createdAt: Date | null) {
    return minuteOf(createdAt ?? this.#from);
  }

  #eventsIn(minute: Date, workflow: Storable) {
    const key = JSON.stringify([minute, workflow]);
    const known = this.events.get(key) ?? { minute, workflow, events: 0, unreadable: 0 };
    this.events.set(key, known);
    return known;
  }
}

const SumRow = z.object({ events: Count, unreadable: Count });
type Sums = z.output<typeof SumRow>;
type Counted = Record<'newEvents' | 'newUnreadable', number>;

export async function replaceMinutes(
  tx: Db,
  environment: string,
  range: TimeRange,
  counts: MinuteCounts,
): Promise<Counted> {
  const { events, deliveries } = rowsIn(range, environment, counts);
  const minutes = { from: minuteOf(range.from), to: range.to };
  const replacing = sql`
    WITH ${replaced(EVENTS, events, isIn(environment, sql`minute`, minutes))},
    ${replaced(DELIVERIES, deliveries, isIn(environment, sql`created`, minutes))}
    ${sumsIn(environment, minutes)}`;
  const before = onlyRow(await tx.rows(SumRow, replacing));
  const { newEvents, newUnreadable } = totalOf(events);
  return { newEvents: newEvents - before.events, newUnreadable: newUnreadable - before.unreadable };
}

/** For part of a minute whose other part is counted already. */
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
  kept_${table} AS (
    INSERT INTO ${table}
    SELECT * FROM new_${table}
    EXCEPT
    SELECT * FROM ${table} WHERE ${isReplaced}
    ON CONFLICT (environment, ${key}) DO UPDATE
    SET ${newCounts}
  )`;

/** The first bucket ends at a second, each other at 1.4 times the end of the one before. */
const BUCKETS_A_DOUBLING = 2;
const LAST_BUCKET = 40;

const plannedMsOf = ({ jobs }: TriggeredEvent) =>
  jobs.reduce((sum, job) => sum + (isDelivery(job) ? 0 : (job.wait?.ms ?? 0)), 0);

/** Planned waits don't count. */
export function latencyBucketOf(
  event: TriggeredEvent,
  deliveredAt: Date,
  plannedMs: number = plannedMsOf(event),
): number | null {
  const { createdAt } = event;
  if (createdAt === null) return null;
  const seconds = (deliveredAt.getTime() - createdAt.getTime() - plannedMs) / SECOND_MS;
  return seconds < 1 ? 0 : Math.min(LAST_BUCKET, 1 + Math.floor(BUCKETS_A_DOUBLING * Math.log2(seconds)));
}

/** Returns milliseconds, or null without counts. */
export function quantileOf(countByBucket: ReadonlyMap<number, number>, share: number): number | null {
  const total = [...countByBucket.values()].reduce((sum, count) => sum + count, 0);
  let seen = 0;
  for (const [bucket, count] of [...countByBucket].sort(([a], [b]) => a - b)) {
    seen += count;
    if (seen >= share * total) return 2 ** (bucket / BUCKETS_A_DOUBLING) * SECOND_MS;
  }
  return null;
}
