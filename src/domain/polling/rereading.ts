import { mayBeAboutTheRequest, type ServiceProblem } from '../errors.ts';
import type { TriggeredEvent } from '../service/event.ts';
import { PAGE_SIZE } from '../service/query.ts';
import { joinedRanges } from '../time/coverage.ts';
import { doubled } from '../time/doubled.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../time/durations.ts';
import type { TimeRange } from '../time/time-range.ts';
import type { MinuteOfEvents } from './sweeps.ts';

/** Unsettled events are reread in every poll while they are young, then after a tenth of their age. */
const SHARE_OF_AGE = 0.1;

/**
 * Returns when to reread an unsettled event, whose steps may still fail: less and less often, for the last time at the horizon. Null: never
 * again, as for settled events, whose late failures are found by sweeps (`dueRuns`). `createdAt` is by the same clock as `now`.
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

const FIRST_MISS_MS = 10 * SECOND_MS;
const LONGEST_MISS_MS = 6 * HOUR_MS;
/** The most by which a miss delays an event, as a share of its age, so that what fails meanwhile is still found in time. */
const MISSED_SHARE_OF_AGE = 0.25;
/** The delay of an event if the service as a whole is failing; at the horizon the last attempt then waits for a day. */
const TROUBLE_MS = 5 * MINUTE_MS;
const GRACE_MS = 24 * HOUR_MS;

/**
 * Returns when to request an unsettled event again that was not seen: the service answered without it (`problem` null), or didn't answer.
 * `createdAt` is by the same clock as `now`.
 * `misses` counts the consecutive misses before: the pauses double, from 10 s to a quarter of its age, at most 6 h. Null: it is given up,
 * at the horizon or, beyond the plan's retention, at once.
 */
export function nextTryAt(
  { createdAt, misses }: { readonly createdAt: Date; readonly misses: number },
  problem: ServiceProblem | null,
  now: Date,
  horizonMs: number,
): Date | null {
  if (problem?.kind === 'beyond-plan') return null;
  const isWholeService = problem !== null && !mayBeAboutTheRequest(problem);
  const horizon = createdAt.getTime() + horizonMs + (isWholeService ? GRACE_MS : 0);
  if (now.getTime() >= horizon) return null;
  const longest = Math.min(LONGEST_MISS_MS, (now.getTime() - createdAt.getTime()) * MISSED_SHARE_OF_AGE);
  const pause = isWholeService ? TROUBLE_MS : Math.max(FIRST_MISS_MS, doubled(FIRST_MISS_MS, misses, longest));
  return new Date(Math.min(now.getTime() + pause, horizon));
}

export interface Rereadable {
  readonly eventKey: string;
  readonly eventId: string | null;
  readonly createdAt: Date;
}

export type Reread<Due extends Rereadable> =
  | { readonly by: 'id'; readonly id: string; readonly events: readonly Due[] }
  | { readonly by: 'window'; readonly from: Date; readonly to: Date; readonly events: readonly Due[] };

/** The longest window, whatever it saves, so that one that fails delays few events. */
const LONGEST_WINDOW_MS = 15 * MINUTE_MS;

/** Returns the stretches for which `planRereads` needs the number of events. */
export function stretchesOf(due: readonly Rereadable[]): TimeRange[] {
  const minutes = due.map(({ createdAt }) => minuteOf(createdAt));
  return joinedRanges(minutes.map((from) => ({ from: new Date(from), to: new Date(from + LONGEST_WINDOW_MS) })));
}

/**
 * Plans the fewest requests that reread some events: windows of the list, by whole minutes, and isolated events by ID. `counts` has the
 * number of events created in each minute of the stretches. A window is assumed to cost all of a minute's events, since they may all lie
 * between two of those wanted. An event without an ID can only be found in a window. Keeps the order of `due`, the longest overdue first: if
 * time runs out, the next plan begins with the events that this one didn't reach.
 */
export function planRereads<Due extends Rereadable>(
  due: readonly Due[],
  counts: readonly MinuteOfEvents[],
): Reread<Due>[] {
  const created = new Map(counts.map(({ minute, events }) => [minute.getTime(), events]));
  const minutes = byMinute(due);
  /** The cheapest plan for the minutes up to each. */
  const best: Plan<Due>[] = [{ cost: 0, rereads: [] }];
  for (const [index, { minute: last, events: own }] of minutes.entries()) {
    let cheapest = added(best[index], apart(own, created));
    let together: readonly Due[] = [];
    let pages = 0;
    let reached = last + MINUTE_MS;
    for (let first = index; first >= 0; first--) {
      const from = minutes[first];
      if (from === undefined || last - from.minute >= LONGEST_WINDOW_MS) break;
      together = [...from.events, ...together];
      for (let at = reached - MINUTE_MS; at >= from.minute; at -= MINUTE_MS) pages += created.get(at) ?? 0;
      reached = from.minute;
      const asOne = added(best[first], { cost: 1 + Math.floor(pages / PAGE_SIZE), rereads: [asWindow(together)] });
      if (asOne.cost < cheapest.cost) cheapest = asOne;
    }
    best.push(cheapest);
  }
  return inOrderOf(due, best.at(-1)?.rereads ?? []);
}

/** Orders rereads by the first of their events in `due`, and the events of each alike. */
function inOrderOf<Due extends Rereadable>(due: readonly Due[], rereads: readonly Reread<Due>[]): Reread<Due>[] {
  const places = new Map(due.map((event, place) => [event, place]));
  const placeOf = (event: Due | undefined) => (event && places.get(event)) ?? due.length;
  return rereads
    .map((reread) => ({ ...reread, events: reread.events.toSorted((a, b) => placeOf(a) - placeOf(b)) }))
    .sort((a, b) => placeOf(a.events[0]) - placeOf(b.events[0]));
}

interface Plan<Due extends Rereadable> {
  readonly cost: number;
  readonly rereads: readonly Reread<Due>[];
}

function added<Due extends Rereadable>(before: Plan<Due> | undefined, after: Plan<Due>): Plan<Due> {
  if (before === undefined) return after;
  return { cost: before.cost + after.cost, rereads: [...before.rereads, ...after.rereads] };
}

/** Each event in its own request. */
function apart<Due extends Rereadable>(events: readonly Due[], created: ReadonlyMap<number, number>): Plan<Due> {
  const costs = events.map(({ eventId, createdAt }) =>
    eventId === null ? 1 + Math.floor((created.get(minuteOf(createdAt)) ?? 0) / PAGE_SIZE) : 1,
  );
  return { cost: costs.reduce((sum, cost) => sum + cost, 0), rereads: events.map(alone) };
}

/** Groups events by the minute in which they were created, the oldest first. */
function byMinute<Due extends Rereadable>(due: readonly Due[]): { readonly minute: number; readonly events: Due[] }[] {
  const minutes: { readonly minute: number; readonly events: Due[] }[] = [];
  for (const event of due.toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime())) {
    const minute = minuteOf(event.createdAt);
    const last = minutes.at(-1);
    if (last?.minute === minute) last.events.push(event);
    else minutes.push({ minute, events: [event] });
  }
  return minutes;
}

function minuteOf(time: Date): number {
  return Math.floor(time.getTime() / MINUTE_MS) * MINUTE_MS;
}

function alone<Due extends Rereadable>(event: Due): Reread<Due> {
  return event.eventId === null ? asWindow([event]) : { by: 'id', id: event.eventId, events: [event] };
}

function asWindow<Due extends Rereadable>(events: readonly Due[]): Reread<Due> {
  const times = events.map((event) => event.createdAt.getTime());
  return { by: 'window', from: new Date(Math.min(...times)), to: new Date(Math.max(...times)), events };
}
