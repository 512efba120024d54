import { min } from 'date-fns';
import type { Delivered } from '../judging/judge.ts';
import { boundedId, type Storable, type StorableRow } from '../lib/text/shown-id.ts';
import { minuteOf, SECOND_MS, type TimeRange } from '../lib/time/durations.ts';
import { eventKey, isDelivery, type TriggeredEvent } from '../service/event.ts';
import type { UnreadableItem } from '../service/query.ts';
import type { EventCountRow, SuccessCountRow } from './tables.ts';

/** The first bucket ends at a second, each other at 1.4 times the end of the one before. */
const BUCKETS_A_DOUBLING = 2;
/** For all that took longer than eight days. */
const LAST_BUCKET = 40;

export type CountedEvents = StorableRow<Omit<EventCountRow, 'environment'>>;
type CountedDeliveries = StorableRow<Omit<SuccessCountRow, 'environment' | 'latencies' | 'domains'>> & {
  latencies: Record<number, number>;
  domains: Record<Storable, number> | null;
};

type DeliveryPlace = Pick<CountedDeliveries, 'created' | 'workflow' | 'channel' | 'provider' | 'minute'>;

/** Counts go by the minute of an event's creation. An event on two pages counts once. */
export class MinuteCounts {
  readonly events = new Map<string, CountedEvents>();
  readonly deliveries = new Map<string, CountedDeliveries>();
  readonly #from: Date;
  readonly #seen = new Set<string>();

  constructor({ from }: TimeRange) {
    this.#from = from;
  }

  addEvent(event: TriggeredEvent, delivered: readonly Delivered[], now: Date): void {
    if (!this.#isNew(`event ${eventKey(event)}`)) return;
    const created = this.#minuteOf(event.createdAt);
    const workflow = boundedId(event.workflow?.identifier ?? '');
    this.#eventsIn(created, workflow).events += 1;
    const plannedMs = plannedMsOf(event);
    for (const { channel, provider, domain, at } of delivered) {
      const lastAt = min([now, at]);
      const place = { workflow, channel: boundedId(channel), provider: boundedId(provider ?? '') };
      const counted = this.#deliveriesAt({ created, ...place, minute: minuteOf(lastAt) }, lastAt);
      counted.successes += 1;
      if (lastAt > counted.lastAt) counted.lastAt = lastAt;
      const bucket = latencyBucketOf(event, lastAt, plannedMs);
      if (bucket !== null) counted.latencies[bucket] = (counted.latencies[bucket] ?? 0) + 1;
      if (domain === null) continue;
      const name = boundedId(domain);
      counted.domains = { ...counted.domains, [name]: (counted.domains?.[name] ?? 0) + 1 };
    }
  }

  addUnreadable({ key, createdAt }: UnreadableItem): void {
    if (this.#isNew(`unreadable ${key}`)) this.#eventsIn(this.#minuteOf(createdAt), boundedId('')).unreadable += 1;
  }

  addUnreadableEvent(event: TriggeredEvent): void {
    this.addUnreadable({ key: eventKey(event), createdAt: event.createdAt });
  }

  #isNew(key: string): boolean {
    const isNew = !this.#seen.has(key);
    this.#seen.add(key);
    return isNew;
  }

  #minuteOf(createdAt: Date | null): Date {
    return minuteOf(createdAt ?? this.#from);
  }

  #eventsIn(minute: Date, workflow: Storable): CountedEvents {
    const key = JSON.stringify([minute, workflow]);
    const counted = this.events.get(key) ?? { minute, workflow, events: 0, unreadable: 0 };
    this.events.set(key, counted);
    return counted;
  }

  #deliveriesAt(place: DeliveryPlace, lastAt: Date): CountedDeliveries {
    const key = JSON.stringify(place);
    const none = { ...place, successes: 0, lastAt, latencies: {}, domains: null };
    const counted: CountedDeliveries = this.deliveries.get(key) ?? none;
    this.deliveries.set(key, counted);
    return counted;
  }
}

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

const plannedMsOf = ({ jobs }: TriggeredEvent): number =>
  jobs.reduce((sum, job) => sum + (isDelivery(job) ? 0 : (job.wait?.ms ?? 0)), 0);

/** Returns milliseconds, or null without counts. */
export function quantileOf(countByBucket: ReadonlyMap<number, number>, share: number): number | null {
  const total = [...countByBucket.values()].reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  let seen = 0;
  for (const [bucket, count] of [...countByBucket].sort(([a], [b]) => a - b)) {
    seen += count;
    if (seen >= share * total) return 2 ** (bucket / BUCKETS_A_DOUBLING) * SECOND_MS;
  }
  return null;
}
