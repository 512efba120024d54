import { isDelivery, type TriggeredEvent } from './event.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** Channels whose providers report a failed delivery after the step was completed. */
const BOUNCING_CHANNELS = new Set(['email', 'sms', 'push']);

/** Unsettled events are read in every round while they are young, then after a tenth of their age. */
const UNSETTLED_SHARE_OF_AGE = 0.1;

/** Settled ones at 2 min, then 10 min, 50 min, 4 h, 20 h …: five times the age before. */
const FIRST_LATE_READ_MS = 2 * MINUTE;
const LATE_READ_FACTOR = 5;

/**
 * When to read an event again: one that is not settled because its steps may still fail, a settled one on a bouncing channel
 * because its bounce may come late (field notes, "Details arrive late"). Ever less often, last at the horizon; null: never again.
 */
export function nextReadAt(
  event: Pick<TriggeredEvent, 'createdAt' | 'jobs'>,
  isSettled: boolean,
  reads: number,
  now: Date,
  horizonMs: number,
): Date | null {
  if (isSettled && !event.jobs.some((job) => isDelivery(job) && BOUNCING_CHANNELS.has(job.type))) return null;
  const created = (event.createdAt ?? now).getTime();
  const horizon = created + horizonMs;
  if (now.getTime() >= horizon) return null;
  const age = Math.max(0, now.getTime() - created);
  const next = isSettled
    ? created + FIRST_LATE_READ_MS * LATE_READ_FACTOR ** lateReadsBy(age)
    : now.getTime() + Math.max(SECOND * Math.min(reads + 1, 10), age * UNSETTLED_SHARE_OF_AGE);
  return new Date(Math.min(next, horizon));
}

/** How many reads of the late schedule lie within an age. */
function lateReadsBy(age: number): number {
  return age < FIRST_LATE_READ_MS ? 0 : Math.floor(Math.log(age / FIRST_LATE_READ_MS) / Math.log(LATE_READ_FACTOR)) + 1;
}

export interface DueEvent {
  readonly eventKey: string;
  readonly eventId: string | null;
  readonly createdAt: Date;
}

export type Reread<Due extends DueEvent> =
  | { readonly by: 'id'; readonly id: string; readonly events: readonly Due[] }
  | { readonly by: 'window'; readonly from: Date; readonly to: Date; readonly events: readonly Due[] };

/** Events created within this span of each other are read by one window of the list, where that is fewer requests. */
const WINDOW_SPAN_MS = MINUTE;
const RETRIEVALS_A_WINDOW_IS_WORTH = 4;

/**
 * The fewest requests that read some events again: neighbours in time as a window of the list, loners by their id. An event
 * without an id can only be found in a window.
 */
export function planRereads<Due extends DueEvent>(due: readonly Due[]): Reread<Due>[] {
  return neighbours(due).flatMap((events) => {
    const byId = events.filter((event) => event.eventId !== null);
    if (events.length > RETRIEVALS_A_WINDOW_IS_WORTH || byId.length < events.length) return [asWindow(events)];
    return byId.flatMap((event) =>
      event.eventId === null ? [] : [{ by: 'id' as const, id: event.eventId, events: [event] }],
    );
  });
}

function neighbours<Due extends DueEvent>(due: readonly Due[]): Due[][] {
  const runs: Due[][] = [];
  for (const event of [...due].sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime())) {
    const run = runs.at(-1);
    const first = run?.[0];
    if (run && first && event.createdAt.getTime() - first.createdAt.getTime() <= WINDOW_SPAN_MS) run.push(event);
    else runs.push([event]);
  }
  return runs;
}

function asWindow<Due extends DueEvent>(events: readonly Due[]): Reread<Due> {
  const times = events.map((event) => event.createdAt.getTime());
  return { by: 'window', from: new Date(Math.min(...times)), to: new Date(Math.max(...times)), events };
}
