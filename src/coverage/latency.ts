import { SECOND_MS } from '../lib/time/durations.ts';
import { isDelivery, type TriggeredEvent } from '../service/event.ts';

/** Each bucket ends at 1.4 times the end of the one before; the first at a second. */
const A_DOUBLING = 2;
const LAST = 40;

/** The bucket of the time from an event to a delivery, without planned waits. */
export function latencyOf({ createdAt, jobs }: TriggeredEvent, deliveredAt: Date): number | null {
  if (createdAt === null) return null;
  const plannedMs = jobs.reduce((sum, job) => sum + (isDelivery(job) ? 0 : (job.wait?.ms ?? 0)), 0);
  const seconds = (deliveredAt.getTime() - createdAt.getTime() - plannedMs) / SECOND_MS;
  return seconds < 1 ? 0 : Math.min(LAST, 1 + Math.floor(A_DOUBLING * Math.log2(seconds)));
}

/** In milliseconds. Null: none was counted. */
export function quantileOf(counts: ReadonlyMap<number, number>, share: number): number | null {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  let seen = 0;
  for (const [bucket, count] of [...counts].sort(([a], [b]) => a - b)) {
    seen += count;
    if (seen >= share * total) return 2 ** (bucket / A_DOUBLING) * SECOND_MS;
  }
  return null;
}
