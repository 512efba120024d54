import { mayBeAboutTheRequest, ServiceError, type ServiceProblem } from '../../domain/errors.ts';
import type { Failure } from '../../domain/failures/failure.ts';
import type { Unchecked } from '../../domain/polling/gap.ts';
import { byServiceClock } from '../../domain/polling/reading.ts';
import {
  type LateFailureDelay,
  latenessOf,
  type Pace,
  paceOf,
  requestsNeeded,
  type Stretch,
  worstDelays,
} from '../../domain/polling/recheck-pace.ts';
import {
  afterCheck,
  BOUNCING_CHANNELS,
  chunksOfRun,
  dueRuns,
  inBatches,
  type MinuteOfEvents,
  type Run,
  stretchesAt,
} from '../../domain/polling/sweeps.ts';
import type { TriggeredEvent } from '../../domain/service/event.ts';
import type { Page, UnreadableItem } from '../../domain/service/query.ts';
import type { TimeRange } from '../../domain/time/time-range.ts';
import { readRange } from './read-range.ts';
import { type Cursor, clockAheadOf, type ReadingParts, type ReadingStore } from './record-events.ts';
import { recordLate } from './record-late.ts';
import { noteWait, type Sum } from './sum.ts';

export interface SweepStore {
  /** Returns the stretches of creation times that are checked for late failures, the oldest first. */
  stretches(environment: string): Promise<Stretch[]>;
  /** Replaces the stretches. Throws `FencedOffError` if the cursor has been taken since. */
  noteChecked(cursor: Cursor, stretches: readonly Stretch[]): Promise<void>;
  /** Returns the note of the last sweep; null before the first. */
  lastSweep(environment: string): Promise<SweepNote | null>;
  noteSweep(cursor: Cursor, note: SweepNote): Promise<void>;
  /** Returns the minutes of some windows in which events were created, with how many, readable or not; the oldest first. */
  minutesWithEvents(environment: string, windows: readonly TimeRange[]): Promise<MinuteOfEvents[]>;
  /** Returns those of the events that were never recorded. */
  unknownEvents(environment: string, events: readonly TriggeredEvent[]): Promise<TriggeredEvent[]>;
  /** Returns those of the failures that are not known yet. */
  unknownFailures(environment: string, failures: readonly Failure[]): Promise<Failure[]>;
  /** Returns those of the unreadable items that aren't counted as such yet. */
  unknownUnreadable(environment: string, items: readonly UnreadableItem[]): Promise<UnreadableItem[]>;
}

export interface SweepNote {
  /** How late the latest check is, in milliseconds. */
  readonly behindMs: number;
  /** How soon a late failure is reported, by its age. */
  readonly delays: readonly LateFailureDelay[];
  /** Sweeps in a row in which the list by channel answered nothing. */
  readonly failedSweeps: number;
  /** Until then the whole list is read because the list by channel doesn't respond. */
  readonly unfilteredUntil: Date | null;
}

/** The progress of the search for late failures. */
export interface SweepReport {
  /** How late the latest check is now, in milliseconds. */
  readonly behindMs: number;
  /** Requests a minute that new events and all checks need at this rate of events, and how many this sweep made. */
  readonly neededAMinute: number;
  readonly madeAMinute: number;
  readonly delays: readonly LateFailureDelay[];
}

type Parts = ReadingParts<ReadingStore & SweepStore>;

/** 5% of 1,800 requests a minute, which the smallest plan allows (field notes, "Transport"). */
const ASSUMED_REQUESTS_A_MINUTE = 90;

/** While catching up, checks can use this many times their share. */
const CATCHING_UP = 4;

/** How many runs are checked at a time. */
const LANES = 2;

/** After this many sweeps in a row without an answer, the list by channel is given up for an hour. */
const MOST_FAILED_SWEEPS = 3;
const UNFILTERED_MS = 60 * 60_000;

/**
 * Rechecks due events for late failures. A page without a new failure writes nothing to the database; checks are noted once per batch.
 * Stops at `until` and when the signal of `parts` aborts, even during a request. A stretch that fails is postponed, and others go first.
 * Throws `ServiceError` if the service can't be read at all, after noting what was checked.
 */
export async function sweep(cursor: Cursor, parts: Parts, sum: Sum, until: Date): Promise<SweepReport> {
  const { store, horizonMs, pollMs } = parts;
  const started = parts.now();
  const now = () => byServiceClock(parts.now(), clockAheadOf(cursor, parts.service));
  const startedThere = now();
  const last = await store.lastSweep(cursor.environment);
  const known = await store.stretches(cursor.environment);
  const requestsAMinute = parts.recheckRequestsAMinute?.() ?? ASSUMED_REQUESTS_A_MINUTE;
  const pace = paceOf(known, { horizonMs, pollMs, requestsAMinute });
  const stretches = stretchesAt(known, cursor.coveredFrom, startedThere, pace);
  await noteDropped(known, stretches, cursor, parts);
  const walk: Walk = {
    cursor,
    parts,
    sum,
    until,
    pace,
    isFiltered: last?.unfilteredUntil == null || last.unfilteredUntil <= started,
    mostPages: Math.ceil((CATCHING_UP * requestsAMinute * Math.max(pollMs, 60_000)) / 60_000),
    now,
    stretches,
    pages: 0,
    problem: null,
    error: null,
  };
  await sweepAll(walk);
  const note = noteOf(walk, last);
  await store.noteSweep(cursor, note);
  if (walk.error !== null) throw walk.error;
  const tookMs = Math.max(1, parts.now().getTime() - started.getTime());
  return {
    behindMs: note.behindMs,
    neededAMinute: Math.ceil(requestsNeeded(walk.stretches, pace)),
    madeAMinute: Math.ceil((walk.pages * 60_000) / tookMs),
    delays: note.delays,
  };
}

/** Logs stretches that are too old for the last check that they should have had, once. */
async function noteDropped(
  known: readonly Stretch[],
  kept: readonly Stretch[],
  cursor: Cursor,
  { store, logger }: Parts,
): Promise<void> {
  const dropped = known.filter((one) => !kept.includes(one));
  if (dropped.length === 0) return;
  await store.noteChecked(cursor, kept);
  for (const { from, to, checkedAt } of dropped) {
    logger.warn({ environment: cursor.environment, from, to, checkedAt }, 'late failures were not looked for in time');
  }
}

/** State that the checks of a sweep share. */
interface Walk {
  readonly cursor: Cursor;
  readonly parts: Parts;
  readonly sum: Sum;
  readonly until: Date;
  readonly pace: Pace;
  readonly isFiltered: boolean;
  readonly mostPages: number;
  /** The time by the service's clock, which the stretches go by. */
  readonly now: () => Date;
  /** The stretches after what was checked so far. */
  stretches: readonly Stretch[];
  pages: number;
  /** Why part of the list couldn't be read. */
  problem: ServiceProblem | null;
  /** Why nothing can be read. */
  error: ServiceError | null;
}

async function sweepAll(walk: Walk): Promise<void> {
  const { cursor, parts, pace } = walk;
  for (const batch of inBatches(dueRuns(walk.stretches, pace, walk.now()))) {
    if (isOver(walk)) break;
    const checked = await checkBatch(batch, walk);
    walk.stretches = walk.stretches.flatMap((one) => checked.get(one) ?? [one]);
    await parts.store.noteChecked(cursor, walk.stretches);
  }
}

function isOver({ parts, until, pages, mostPages, error }: Walk): boolean {
  return error !== null || parts.signal.aborted || parts.now() >= until || pages >= mostPages;
}

/** Checks a batch and returns the resulting stretches: each run's are under its first stretch, none under its others. */
async function checkBatch(batch: readonly Run[], walk: Walk): Promise<Map<Stretch, readonly Stretch[]>> {
  const { parts, cursor, pace } = walk;
  const counts = await parts.store.minutesWithEvents(cursor.environment, batch);
  const checked = new Map<Stretch, readonly Stretch[]>();
  await inLanes(batch, async (run) => {
    const at = walk.now();
    const createdAt: number[] = [];
    const unchecked = await checkRun(run, chunksOfRun(run, counts, at), createdAt, walk);
    const eventsIn = ({ from, to }: TimeRange) =>
      createdAt.filter((time) => time >= from.getTime() && time < to.getTime()).length;
    const [first, ...others] = run.stretches;
    if (first !== undefined) checked.set(first, afterCheck(run, { at, unchecked, eventsIn }, pace));
    for (const one of others) checked.set(one, []);
  });
  return checked;
}

/** Works through a list, several items at a time. After the first error no new item begins; those under way finish. */
async function inLanes<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const waiting = [...items];
  const errors: unknown[] = [];
  const lane = async () => {
    for (let item = waiting.shift(); item !== undefined && errors.length === 0; item = waiting.shift()) {
      await work(item).catch((error: unknown) => errors.push(error));
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  if (errors.length > 0) throw errors[0];
}

/** Checks a run chunk by chunk, the oldest first. Returns what wasn't read. */
async function checkRun(run: Run, chunks: readonly TimeRange[], createdAt: number[], walk: Walk): Promise<Unchecked[]> {
  const unchecked: Unchecked[] = [];
  for (const chunk of chunks) {
    if (isOver(walk)) return [...unchecked, { window: { from: chunk.from, to: run.to }, problem: null }];
    unchecked.push(...(await checkChunk(chunk, createdAt, walk)));
  }
  return unchecked;
}

async function checkChunk({ from, to }: TimeRange, createdAt: number[], walk: Walk): Promise<Unchecked[]> {
  const { cursor, parts, until } = walk;
  let pages = 0;
  const onPage = async (page: Page<TriggeredEvent>) => {
    pages += 1;
    walk.pages += 1;
    for (const event of page.items) if (event.createdAt !== null) createdAt.push(event.createdAt.getTime());
    await recordLate(cursor, page, parts, walk.sum);
  };
  const startedAt = parts.now();
  try {
    const channels = walk.isFiltered ? { channels: BOUNCING_CHANNELS } : {};
    const unchecked = await readRange({ from, to }, { ...channels, onPage, until, keepsProgress: true }, parts);
    noteWait(walk.sum, unchecked);
    // The time ran out during a request before anything was answered: others go first next time.
    const hung = { kind: 'timed-out', afterMs: parts.now().getTime() - startedAt.getTime() } as const;
    const hasHung = parts.signal.aborted && pages === 0;
    const explained = unchecked.map((one) => (hasHung ? { window: one.window, problem: one.problem ?? hung } : one));
    for (const { window, problem } of explained) noteProblem(window, problem, walk);
    return explained;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    walk.error = error;
    return [{ window: { from, to }, problem: null }];
  }
}

function noteProblem(part: TimeRange, problem: ServiceProblem | null, walk: Walk): void {
  if (problem === null) return;
  const isPlan = problem.kind === 'beyond-plan';
  const fields = { environment: walk.cursor.environment, ...part, problem: problem.kind };
  walk.parts.logger[isPlan ? 'debug' : 'warn'](fields, 'late failures could not be looked for');
  if (!isPlan && mayBeAboutTheRequest(problem)) walk.problem = problem;
}

function noteOf(walk: Walk, last: SweepNote | null): SweepNote {
  const { stretches, pace, parts, cursor } = walk;
  const now = walk.now();
  const behindMs = Math.max(0, ...stretches.map((one) => latenessOf(one, pace, now)));
  const delays = worstDelays(stretches, pace, now);
  if (!walk.isFiltered) {
    return { behindMs, delays, failedSweeps: 0, unfilteredUntil: last?.unfilteredUntil ?? null };
  }
  const hasFailed = walk.problem !== null && walk.pages === 0;
  const failedSweeps = hasFailed ? (last?.failedSweeps ?? 0) + 1 : 0;
  if (failedSweeps < MOST_FAILED_SWEEPS) return { behindMs, delays, failedSweeps, unfilteredUntil: null };
  const unfilteredUntil = new Date(parts.now().getTime() + UNFILTERED_MS);
  const fields = { environment: cursor.environment, problem: walk.problem?.kind, unfilteredUntil };
  parts.logger.warn(fields, 'list by channel does not answer, late failures are looked for in the whole list');
  return { behindMs, delays, failedSweeps: 0, unfilteredUntil };
}
