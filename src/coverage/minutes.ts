import { min } from 'date-fns';
import { sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Delivered } from '../failures/judge.ts';
import { boundedId, type Storable, type StorableRow } from '../lib/text/shown-id.ts';
import { minuteOf, SECOND_MS, type TimeRange } from '../lib/time/durations.ts';
import { eventKey, isDelivery, type TriggeredEvent } from '../service/event.ts';
import type { UnreadableItem } from '../service/query.ts';
import { Count, type Db, onlyRow, rowsOf } from '../store/db.ts';
import { eventCounts, successCounts } from './tables.ts';

type CountedEvents = StorableRow<Omit<typeof eventCounts.$inferSelect, 'environment'>>;
type CountedDeliveries = StorableRow<Omit<typeof successCounts.$inferSelect, 'environment' | 'latencies'>> & {
  latencies: Record<number, number>;
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
    for (const { channel, provider, at } of delivered) {
      const lastAt = min([now, at]);
      const latency = latencyBucketOf(event, lastAt, plannedMs);
      const place = { workflow, channel: boundedId(channel), provider: boundedId(provider ?? '') };
      const counted = { created, ...place, minute: minuteOf(lastAt) };
      const key = JSON.stringify(counted);
      const none = { ...counted, successes: 0, lastAt, latencies: {} };
      const known: CountedDeliveries = this.deliveries.get(key) ?? none;
      this.deliveries.set(key, known);
      known.successes += 1;
      if (latency !== null) known.latencies[latency] = (known.latencies[latency] ?? 0) + 1;
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
type Counted = Record<'newEvents' | 'newUnreadable', number>;

export async function replaceMinutes(
  tx: Db,
  environment: string,
  range: TimeRange,
  counts: MinuteCounts,
): Promise<Counted> {
  const { events, deliveries } = rowsIn(range, environment, counts);
  const values = [environment, minuteOf(range.from), range.to, rowsOf(events), rowsOf(deliveries)];
  const before = onlyRow(await tx.rows(SumRow, REPLACE, values));
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
  if (events.length > 0)
    await tx
      .insert(eventCounts)
      .values(events)
      .onConflictDoUpdate({
        target: [eventCounts.environment, eventCounts.workflow, eventCounts.minute],
        set: {
          events: sql`event_counts.events + excluded.events`,
          unreadable: sql`event_counts.unreadable + excluded.unreadable`,
        },
      });
  const { environment: place, channel, provider, workflow, minute, created } = successCounts;
  if (deliveries.length > 0)
    await tx
      .insert(successCounts)
      .values(deliveries)
      .onConflictDoUpdate({
        target: [place, channel, provider, workflow, minute, created],
        set: {
          successes: sql`success_counts.successes + excluded.successes`,
          lastAt: sql`GREATEST(success_counts.last_at, excluded.last_at)`,
          latencies: SUMMED_LATENCIES,
        },
      });
  return totalOf(events);
}

const SUMMED_LATENCIES = sql`(
  SELECT coalesce(jsonb_object_agg(bucket, latencies), '{}')
  FROM (
    SELECT key AS bucket, sum(value::integer) AS latencies
    FROM (
      SELECT * FROM jsonb_each_text(success_counts.latencies)
      UNION ALL
      SELECT * FROM jsonb_each_text(excluded.latencies)
    ) counted
    GROUP BY key
  ) summed
)`;

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

export async function countedIn(db: Db, environment: string, { from, to }: TimeRange) {
  return onlyRow(await db.rows(SumRow, SUM, [environment, from, to]));
}

const inRange = (time: string) => `environment = $1 AND ${time} >= $2 AND ${time} < $3`;

const SUM = `
  SELECT coalesce(sum(events), 0) AS events, coalesce(sum(unreadable), 0) AS unreadable FROM event_counts
  WHERE ${inRange('minute')}`;

/** Leaves equal rows, as rewriting takes space. */
const replaceIn = (table: string, rows: string, time: string, key: string, counted: readonly string[]) => `
  new_${table} AS (SELECT * FROM jsonb_populate_recordset(NULL::${table}, ${rows}::jsonb)),
  gone_${table} AS (
    DELETE FROM ${table} WHERE ${inRange(time)} AND (${key}) NOT IN (SELECT ${key} FROM new_${table})),
  kept_${table} AS (
    INSERT INTO ${table} SELECT * FROM new_${table} EXCEPT SELECT * FROM ${table} WHERE ${inRange(time)}
    ON CONFLICT (environment, ${key}) DO UPDATE SET ${counted.map((column) => `${column} = EXCLUDED.${column}`)})`;

const DELIVERY_KEY = 'channel, provider, workflow, minute, created';

/** Selects the sums from before. */
const REPLACE = `
  WITH ${replaceIn('event_counts', '$4', 'minute', 'workflow, minute', ['events', 'unreadable'])},
  ${replaceIn('success_counts', '$5', 'created', DELIVERY_KEY, ['successes', 'last_at', 'latencies'])}
  ${SUM}`;

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
export function quantileOf(countByBucket: ReadonlyMap<number, number>, share: number) {
  const total = [...countByBucket.values()].reduce((sum, count) => sum + count, 0);
  let seen = 0;
  for (const [bucket, count] of [...countByBucket].sort(([a], [b]) => a - b)) {
    seen += count;
    if (seen >= share * total) return 2 ** (bucket / BUCKETS_A_DOUBLING) * SECOND_MS;
  }
  return null;
}
