import { addMilliseconds, subMilliseconds } from 'date-fns';
import { mayBeAboutTheRequest } from '../errors.ts';
import { doubled } from '../time/doubled.ts';
import { HOUR_MS, MINUTE_MS } from '../time/durations.ts';
import type { TimeRange } from '../time/time-range.ts';
import type { Unchecked } from './gap.ts';
import { lengthOf, shared, withoutRanges } from './reading-windows.ts';
import {
  dueTimeOf,
  FIRST_AGE_MS,
  gapAfter,
  longestStretchAt,
  type Pace,
  type Stretch,
  urgencyOf,
} from './recheck-pace.ts';

/** Channels whose providers report failed deliveries after the step was completed; these are swept for late failures. */
export const BOUNCING_CHANNELS = ['email', 'sms', 'push'] as const;

/** The minimum length of a new stretch, since each costs a request. */
const SHORTEST_STRETCH_MS = 30_000;

/** Failures of events older than twice the horizon may have been deleted, and would be reported again. */
function forgottenBefore(now: Date, { horizonMs }: Pace): Date {
  return subMilliseconds(now, 2 * horizonMs);
}

/**
 * Returns all stretches, the oldest first: the known ones, which follow each other without a gap, and what has reached the first age since.
 * If none is known they begin with the coverage.
 */
export function stretchesAt(known: readonly Stretch[], coveredFrom: Date, now: Date, pace: Pace): Stretch[] {
  const oldest = forgottenBefore(now, pace);
  const reached = known.reduce((to, one) => (one.to > to ? one.to : to), known.length === 0 ? coveredFrom : oldest);
  const from = reached > oldest ? reached : oldest;
  const kept = known.filter(({ to }) => to > oldest);
  const sorted = kept.toSorted((a, b) => a.from.getTime() - b.from.getTime());
  return [...sorted, ...newStretches({ from, to: subMilliseconds(now, FIRST_AGE_MS) }, now, pace)];
}

function newStretches({ from, to }: TimeRange, now: Date, pace: Pace): Stretch[] {
  if (to.getTime() - from.getTime() < SHORTEST_STRETCH_MS) return [];
  const stretches: Stretch[] = [];
  let end = to.getTime();
  while (end > from.getTime()) {
    const longest = longestStretchAt(now.getTime() - end, pace);
    const begin = end - from.getTime() <= 1.5 * longest ? from.getTime() : end - longest;
    stretches.push({
      from: new Date(begin),
      to: new Date(end),
      checkedAt: null,
      events: 0,
      failedChecks: 0,
      notBefore: null,
    });
    end = begin;
  }
  return stretches.reverse();
}

/** Neighboring stretches that are checked together. */
export interface Run extends TimeRange {
  readonly stretches: readonly Stretch[];
}

const LONGEST_RUN_MS = 12 * HOUR_MS;

/** A run with fewer events needs no second page if a neighbor is included. */
const FITS_A_PAGE = 45;

/**
 * Returns what is due, in the order of checking: first new stretches, then those late by the greatest share of their age. A neighbor that
 * isn't due is included if half of its gap is over and it either costs no request or can be merged with the other.
 */
export function dueRuns(stretches: readonly Stretch[], pace: Pace, now: Date): Run[] {
  const due = new Set(stretches.filter((one) => !waits(one, now) && now.getTime() >= dueTimeOf(one, pace).dueAt));
  const runs: Run[] = [];
  let next = 0;
  for (const [index, one] of stretches.entries()) {
    if (index < next || !due.has(one)) continue;
    const older = joining(one, stretches.slice(next, index).reverse(), due, pace, now).reverse();
    const younger = joining(one, stretches.slice(index + 1), due, pace, now);
    const { from } = older[0] ?? one;
    const { to } = younger.at(-1) ?? one;
    runs.push({ from, to, stretches: [...older, one, ...younger] });
    next = index + younger.length + 1;
  }
  return runs
    .map((run) => ({ run, urgency: urgencyOfRun(run, pace, now) }))
    .sort((a, b) => b.urgency - a.urgency)
    .map(({ run }) => run);
}

function waits({ notBefore }: Stretch, now: Date): boolean {
  return notBefore !== null && now < notBefore;
}

/** Returns those of a stretch's neighbors in one direction, the nearest first, that are checked with it. */
function joining(
  first: Stretch,
  neighbors: readonly Stretch[],
  due: ReadonlySet<Stretch>,
  pace: Pace,
  now: Date,
): Stretch[] {
  const joined: Stretch[] = [];
  let edge = first;
  let { events } = first;
  let length = lengthOf(first);
  for (const candidate of neighbors) {
    if (!touch(edge, candidate)) break;
    // One of several that failed together may be the reason, so each is tried alone.
    if (edge.failedChecks > 0 || candidate.failedChecks > 0) break;
    events += candidate.events;
    length += lengthOf(candidate);
    if (length > LONGEST_RUN_MS) break;
    if (!due.has(candidate) && !comesAlong(edge, candidate, events, pace, now)) break;
    joined.push(candidate);
    edge = candidate;
  }
  return joined;
}

function touch(a: Stretch, b: Stretch): boolean {
  return a.to.getTime() === b.from.getTime() || b.to.getTime() === a.from.getTime();
}

function comesAlong(edge: Stretch, candidate: Stretch, events: number, pace: Pace, now: Date): boolean {
  const { checkedAt, to } = candidate;
  if (checkedAt === null) return false;
  const over = (now.getTime() - checkedAt.getTime()) / gapAfter(checkedAt.getTime() - to.getTime(), pace);
  if (events <= FITS_A_PAGE) return over >= 0.5;
  return over >= 0.8 && isShortEnough(edge, candidate, pace, now);
}

/** Returns whether two neighbors can be merged into one stretch. */
function isShortEnough(a: Stretch, b: Stretch, pace: Pace, now: Date): boolean {
  const to = Math.max(a.to.getTime(), b.to.getTime());
  return lengthOf(a) + lengthOf(b) <= longestStretchAt(now.getTime() - to, pace);
}

function urgencyOfRun({ stretches, to }: Run, pace: Pace, now: Date): number {
  const isNew = stretches.at(-1)?.checkedAt === null && now.getTime() - to.getTime() <= WHOLE_UP_TO_MS;
  return isNew ? Number.POSITIVE_INFINITY : Math.max(...stretches.map((one) => urgencyOf(one, pace, now)));
}

/** How many events are noted at once, so that a crash repeats little and there are few writes. */
const EVENTS_A_BATCH = 1_000;
const LONGEST_BATCH_MS = LONGEST_RUN_MS;

/** Groups runs into batches that are noted at once, in order. */
export function inBatches(runs: readonly Run[]): Run[][] {
  const batches: Run[][] = [];
  let [events, length] = [0, 0];
  for (const run of runs) {
    events += run.stretches.reduce((sum, one) => sum + one.events, 0);
    length += lengthOf(run);
    const batch = batches.at(-1);
    if (batch !== undefined && events <= EVENTS_A_BATCH && length <= LONGEST_BATCH_MS) {
      batch.push(run);
      continue;
    }
    batches.push([run]);
    events = run.stretches.reduce((sum, one) => sum + one.events, 0);
    length = lengthOf(run);
  }
  return batches;
}

export interface CheckedRun {
  /** When it began. */
  readonly at: Date;
  /** What couldn't be read: because of a problem, or for lack of time. */
  readonly unchecked: readonly Unchecked[];
  /** Returns how many events were found in a part of the run. */
  readonly eventsIn: (part: TimeRange) => number;
}

/**
 * Returns a run's stretches after a check. What couldn't be read keeps the time of its last check and, if it may be the reason, waits longer
 * each time. Stretches that were checked together are merged, up to the length that their age allows. One checked at the horizon is done.
 */
export function afterCheck(run: Run, outcome: CheckedRun, pace: Pace): Stretch[] {
  const horizon = outcome.at.getTime() - pace.horizonMs;
  const pieces = run.stretches.flatMap((stretch) => piecesOf(stretch, outcome));
  return merged(
    pieces.filter(({ to, checkedAt }) => to.getTime() > horizon || checkedAt?.getTime() !== outcome.at.getTime()),
    pace,
    outcome.at,
  );
}

function piecesOf(stretch: Stretch, { at, unchecked, eventsIn }: CheckedRun): Stretch[] {
  const missing = unchecked.flatMap(({ window, problem }) => {
    const part = shared(window, stretch);
    // What is beyond the plan's retention can't be checked, and no retry helps.
    if (part === null || problem?.kind === 'beyond-plan') return [];
    return [{ ...part, hasFailed: problem !== null && mayBeAboutTheRequest(problem) }];
  });
  const checked = withoutRanges(stretch, missing).map((part): Stretch => {
    return { ...part, checkedAt: at, events: eventsIn(part), failedChecks: 0, notBefore: null };
  });
  const hasFailed = missing.some((part) => part.hasFailed);
  const left = withoutRanges(stretch, checked).map((part): Stretch => {
    return hasFailed ? putOff({ ...stretch, ...part }, at) : { ...stretch, ...part };
  });
  return [...checked, ...left].sort((a, b) => a.from.getTime() - b.from.getTime());
}

const LONGEST_PUTTING_OFF_MS = 6 * HOUR_MS;

/** After failed checks a stretch waits for 1, 2, 4, … minutes, up to six hours. */
function putOff(stretch: Stretch, at: Date): Stretch {
  const waitMs = doubled(MINUTE_MS, stretch.failedChecks, LONGEST_PUTTING_OFF_MS);
  return { ...stretch, failedChecks: stretch.failedChecks + 1, notBefore: addMilliseconds(at, waitMs) };
}

function merged(stretches: readonly Stretch[], pace: Pace, now: Date): Stretch[] {
  const all: Stretch[] = [];
  for (const one of stretches) {
    const last = all.at(-1);
    if (last === undefined || !isSameCheck(last, one) || !touch(last, one) || !isShortEnough(last, one, pace, now))
      all.push(one);
    else all[all.length - 1] = { ...last, to: one.to, events: last.events + one.events };
  }
  return all;
}

function isSameCheck(a: Stretch, b: Stretch): boolean {
  return a.checkedAt?.getTime() === b.checkedAt?.getTime() && a.failedChecks === b.failedChecks;
}

export interface MinuteOfEvents {
  readonly minute: Date;
  readonly events: number;
}

/**
 * Until it was checked at this age a stretch is read completely, even where no event was counted, so that the failure of an event that the
 * list showed too late to be read as new is found. Older stretches are read only where events are known.
 */
const WHOLE_UP_TO_MS = 10 * MINUTE_MS;
/** After a downtime, what is older than this isn't read completely. */
const WHOLE_AT_MOST_MS = HOUR_MS;

/** Returns the parts of a run to read, the oldest first; `counts` are the minutes with known events. */
export function chunksOfRun(run: Run, counts: readonly MinuteOfEvents[], now: Date): TimeRange[] {
  const from = run.stretches.find((one) => isReadWhole(one, now))?.from ?? run.to;
  return chunksOf(run, [...minutesIn(run, counts), ...emptyMinutes({ from, to: run.to }, counts)]);
}

function isReadWhole({ checkedAt, to }: Stretch, now: Date): boolean {
  if (now.getTime() - to.getTime() > WHOLE_AT_MOST_MS) return false;
  return checkedAt === null || checkedAt.getTime() - to.getTime() < WHOLE_UP_TO_MS;
}

function minutesIn({ from, to }: TimeRange, counts: readonly MinuteOfEvents[]): MinuteOfEvents[] {
  return counts.filter(({ minute }) => minute < to && minute.getTime() + MINUTE_MS > from.getTime());
}

function emptyMinutes({ from, to }: TimeRange, counts: readonly MinuteOfEvents[]): MinuteOfEvents[] {
  const known = new Set(counts.map(({ minute }) => minute.getTime()));
  const empty: MinuteOfEvents[] = [];
  const first = Math.floor(from.getTime() / MINUTE_MS) * MINUTE_MS;
  for (let minute = first; minute < to.getTime() && from < to; minute += MINUTE_MS) {
    if (!known.has(minute)) empty.push({ minute: new Date(minute), events: 0 });
  }
  return empty;
}

/** How much is read at a time: twenty pages. */
const EVENTS_A_CHUNK = 1_000;

/** Splits a window into parts with the counted minutes, the oldest first, each with at most a thousand events if no minute has more. */
export function chunksOf(window: TimeRange, counts: readonly MinuteOfEvents[]): TimeRange[] {
  const chunks: { from: number; to: number; events: number }[] = [];
  for (const { minute, events } of counts.toSorted((a, b) => a.minute.getTime() - b.minute.getTime())) {
    const to = minute.getTime() + MINUTE_MS;
    const last = chunks.at(-1);
    if (last === undefined || last.events + events > EVENTS_A_CHUNK)
      chunks.push({ from: minute.getTime(), to, events });
    else Object.assign(last, { to, events: last.events + events });
  }
  return chunks.map(({ from, to }) => ({
    from: new Date(Math.max(from, window.from.getTime())),
    to: new Date(Math.min(to, window.to.getTime())),
  }));
}
