import type { TriggeredEvent } from './event.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;

/** Unsettled events are read in every round while they are young, then after a tenth of their age. */
const SHARE_OF_AGE = 0.1;

/**
 * When to read an event again that is not settled, because its steps may still fail: ever less often, last at the horizon. Null: never
 * again, as for settled events, whose late failures are found by sweeps (`dueSweeps`).
 */
export function nextReadAt(
  event: Pick<TriggeredEvent, 'createdAt'>,
  isSettled: boolean,
  reads: number,
  now: Date,
  horizonMs: number,
): Date | null {
  const created = (event.createdAt ?? now).getTime();
  const horizon = created + horizonMs;
  if (isSettled || now.getTime() >= horizon) return null;
  const age = Math.max(0, now.getTime() - created);
  const pause = Math.max(SECOND_MS * Math.min(reads + 1, 10), age * SHARE_OF_AGE);
  return new Date(Math.min(now.getTime() + pause, horizon));
}

export interface DueEvent {
  readonly eventKey: string;
  readonly eventId: string | null;
  readonly createdAt: Date;
}

export type Reread<Due extends DueEvent> =
  | { readonly by: 'id'; readonly id: string; readonly events: readonly Due[] }
  | { readonly by: 'window'; readonly from: Date; readonly to: Date; readonly events: readonly Due[] };

/** The contract's maximum of a page. */
const PAGE_SIZE = 50;
/** No window is longer, whatever it costs, so that one that fails puts off few. */
const LONGEST_WINDOW_MS = 15 * MINUTE_MS;

/**
 * The fewest requests that read some events again, where `eventsAMinute` are created: neighbours in time as a window of the list, loners
 * by their id. An event without an id can only be found in a window.
 */
export function planRereads<Due extends DueEvent>(due: readonly Due[], eventsAMinute: number): Reread<Due>[] {
  return neighbours(due, eventsAMinute).flatMap((events) =>
    pagesOf(spanOf(events), eventsAMinute) < events.length ? [asWindow(events)] : events.map(alone),
  );
}

/** Runs of events, each less than a page's worth of time after the one before it. */
function neighbours<Due extends DueEvent>(due: readonly Due[], eventsAMinute: number): Due[][] {
  const runs: Due[][] = [];
  for (const event of [...due].sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime())) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    const isNear = last !== undefined && pagesOf(spanOf([last, event]), eventsAMinute) < 2;
    if (run && isNear && spanOf([...run.slice(0, 1), event]) <= LONGEST_WINDOW_MS) run.push(event);
    else runs.push([event]);
  }
  return runs;
}

function spanOf(events: readonly DueEvent[]): number {
  const times = events.map((event) => event.createdAt.getTime());
  return Math.max(...times) - Math.min(...times);
}

function pagesOf(spanMs: number, eventsAMinute: number): number {
  return 1 + Math.floor(((spanMs / MINUTE_MS) * eventsAMinute) / PAGE_SIZE);
}

function alone<Due extends DueEvent>(event: Due): Reread<Due> {
  return event.eventId === null ? asWindow([event]) : { by: 'id', id: event.eventId, events: [event] };
}

function asWindow<Due extends DueEvent>(events: readonly Due[]): Reread<Due> {
  const times = events.map((event) => event.createdAt.getTime());
  return { by: 'window', from: new Date(Math.min(...times)), to: new Date(Math.max(...times)), events };
}
