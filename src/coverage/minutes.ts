import { min } from 'date-fns';
import { z } from 'zod';
import type { Delivered } from '../failures/judge.ts';
import { boundedId, type Storable, type StorableRow } from '../lib/text/shown-id.ts';
import { minuteOf, SECOND_MS, type TimeRange } from '../lib/time/durations.ts';
import { eventKey, isDelivery, type TriggeredEvent } from '../service/event.ts';
import type { UnreadableItem } from '../service/query.ts';
import { Count, type Db, onlyRow, rowsOf } from '../store/db.ts';
import type { eventCounts, successCounts } from './tables.ts';

type CountedEvents = StorableRow<Omit<typeof eventCounts.$inferSelect, 'environment'>>;
type CountedDeliveries = StorableRow<Omit<typeof successCounts.$inferSelect, 'environment'>>;

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
    for (const { channel, provider, at } of delivered) {
      const lastAt = min([now, at]);
      const latency = latencyBucketOf(event, lastAt);
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

export async function replaceMinutes(tx: Db, environment: string, { from, to }: TimeRange, counts: MinuteCounts) {
  const begin = minuteOf(from);
  const isWithin = (minute: Date) => minute >= begin && minute < to;
  const events = [...counts.events.values()].filter(({ minute }) => isWithin(minute));
  const deliveries = [...counts.deliveries.values()].filter(({ created }) => isWithin(created));
  const rows = [events, deliveries].map((counted) => rowsOf(counted.map((row) => ({ ...row, environment }))));
  const before = onlyRow(await tx.rows(SumRow, REPLACE, [environment, begin, to, ...rows]));
  const total = (column: 'events' | 'unreadable') => events.reduce((sum, counted) => sum + counted[column], 0);
  return { newEvents: total('events') - before.events, newUnreadable: total('unreadable') - before.unreadable };
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

/** Planned waits don't count. */
export function latencyBucketOf({ createdAt, jobs }: TriggeredEvent, deliveredAt: Date) {
  if (createdAt === null) return null;
  const plannedMs = jobs.reduce((sum, job) => sum + (isDelivery(job) ? 0 : (job.wait?.ms ?? 0)), 0);
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
