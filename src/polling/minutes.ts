import { min } from 'date-fns';
import { z } from 'zod';
import type { Delivered } from '../failures/judge.ts';
import { boundedId, maybeBoundedId } from '../lib/text/shown-id.ts';
import { minuteOf } from '../lib/time/durations.ts';
import type { TimeRange } from '../lib/time/time-range.ts';
import { eventKey, type TriggeredEvent } from '../service/event.ts';
import type { UnreadableItem } from '../service/query.ts';
import { Count, type Db, jsonOf } from '../store/db.ts';

interface CountedEvents {
  minute: Date;
  workflow: string;
  events: number;
  unreadable: number;
}

interface CountedDeliveries {
  created: Date;
  workflow: string;
  channel: string;
  provider: string;
  minute: Date;
  successes: number;
  lastAt: Date;
}

/** By the minutes in which events were created. What two pages show counts once. */
export class MinuteCounts {
  readonly events = new Map<string, CountedEvents>();
  readonly deliveries = new Map<string, CountedDeliveries>();
  readonly #range: TimeRange;
  readonly #seen = new Set<string>();

  constructor(range: TimeRange) {
    this.#range = range;
  }

  addEvent(event: TriggeredEvent, delivered: readonly Delivered[], now: Date): void {
    if (!this.#isNew(`event ${eventKey(event)}`)) return;
    const created = this.#minuteOf(event.createdAt);
    const workflow = maybeBoundedId(event.workflow?.identifier ?? null) ?? '';
    this.#eventsIn(created, workflow).events += 1;
    for (const { channel, provider, at } of delivered) {
      const lastAt = min([now, at]);
      const place = { workflow, channel: boundedId(channel), provider: maybeBoundedId(provider) ?? '' };
      const counted = { created, ...place, minute: minuteOf(lastAt), successes: 0, lastAt };
      const key = JSON.stringify([created, place, counted.minute]);
      const known = this.deliveries.get(key) ?? counted;
      this.deliveries.set(key, known);
      known.successes += 1;
      if (lastAt > known.lastAt) known.lastAt = lastAt;
    }
  }

  addUnreadable({ key, createdAt }: UnreadableItem): void {
    if (this.#isNew(`unreadable ${key}`)) this.#eventsIn(this.#minuteOf(createdAt), '').unreadable += 1;
  }

  #isNew(key: string): boolean {
    const isNew = !this.#seen.has(key);
    this.#seen.add(key);
    return isNew;
  }

  #minuteOf(createdAt: Date | null): Date {
    return minuteOf(createdAt ?? this.#range.from);
  }

  #eventsIn(minute: Date, workflow: string): CountedEvents {
    const key = JSON.stringify([minute, workflow]);
    const known = this.events.get(key) ?? { minute, workflow, events: 0, unreadable: 0 };
    this.events.set(key, known);
    return known;
  }
}

export interface Grown {
  newEvents: number;
  newUnreadable: number;
}

const SumRow = z.object({ events: Count, unreadable: Count });

export async function replaceMinutes(
  sql: Db,
  environment: string,
  { from, to }: TimeRange,
  counts: MinuteCounts,
): Promise<Grown> {
  const isWithin = (minute: Date) => minute >= minuteOf(from) && minute < to;
  const events = [...counts.events.values()].filter(({ minute }) => isWithin(minute));
  const deliveries = [...counts.deliveries.values()].filter(({ created }) => isWithin(created));
  const span = [environment, minuteOf(from), to] as const;
  const [before = { events: 0, unreadable: 0 }] = await sql.rows(SumRow, SUM, span);
  await sql.write(DROP_EVENTS, [...span, jsonOf(events)]);
  if (events.length > 0) await sql.write(PUT_EVENTS, [environment, jsonOf(events)]);
  await sql.write(DROP_DELIVERIES, [...span, jsonOf(deliveries)]);
  if (deliveries.length > 0) await sql.write(PUT_DELIVERIES, [environment, jsonOf(deliveries)]);
  const total = (of: 'events' | 'unreadable') => events.reduce((sum, one) => sum + one[of], 0);
  return { newEvents: total('events') - before.events, newUnreadable: total('unreadable') - before.unreadable };
}

const SUM = `
  SELECT coalesce(sum(events), 0) AS events, coalesce(sum(unreadable), 0) AS unreadable FROM event_counts
  WHERE environment = $1 AND minute >= $2 AND minute < $3`;

const DROP_EVENTS = `
  DELETE FROM event_counts e WHERE environment = $1 AND minute >= $2 AND minute < $3 AND NOT EXISTS (
    SELECT 1 FROM jsonb_to_recordset($4::jsonb) AS item (minute timestamptz, workflow text)
    WHERE item.minute = e.minute AND item.workflow = e.workflow)`;

const PUT_EVENTS = `
  INSERT INTO event_counts AS e (environment, minute, workflow, events, unreadable)
  SELECT $1, minute, workflow, events, unreadable
  FROM jsonb_to_recordset($2::jsonb) AS item (minute timestamptz, workflow text, events integer, unreadable integer)
  ON CONFLICT (environment, workflow, minute) DO UPDATE SET events = EXCLUDED.events, unreadable = EXCLUDED.unreadable
  WHERE (e.events, e.unreadable) IS DISTINCT FROM (EXCLUDED.events, EXCLUDED.unreadable)`;

const DELIVERIES =
  '(created timestamptz, workflow text, channel text, provider text, minute timestamptz, successes integer, "lastAt" timestamptz)';

const DROP_DELIVERIES = `
  DELETE FROM success_counts s WHERE environment = $1 AND created >= $2 AND created < $3 AND NOT EXISTS (
    SELECT 1 FROM jsonb_to_recordset($4::jsonb) AS item ${DELIVERIES}
    WHERE item.created = s.created AND item.workflow = s.workflow AND item.channel = s.channel AND item.provider = s.provider AND item.minute = s.minute)`;

const PUT_DELIVERIES = `
  INSERT INTO success_counts AS s (environment, created, workflow, channel, provider, minute, successes, last_at)
  SELECT $1, created, workflow, channel, provider, minute, successes, "lastAt" FROM jsonb_to_recordset($2::jsonb) AS item ${DELIVERIES}
  ON CONFLICT (environment, channel, provider, minute, workflow, created) DO UPDATE SET successes = EXCLUDED.successes, last_at = EXCLUDED.last_at
  WHERE (s.successes, s.last_at) IS DISTINCT FROM (EXCLUDED.successes, EXCLUDED.last_at)`;
