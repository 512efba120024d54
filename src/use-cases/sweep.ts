import type { TriggeredEvent } from '../domain/event.ts';
import type { Failure } from '../domain/failure.ts';
import { judge } from '../domain/judge.ts';
import type { Page } from '../domain/query.ts';
import type { ReadingWindow } from '../domain/reading.ts';
import {
  BOUNCING_CHANNELS,
  chunksAt,
  type DueSweep,
  dueSweeps,
  firstSweeps,
  lateness,
  type MinuteOfEvents,
  type Swept,
} from '../domain/sweeps.ts';
import { readSpan } from './read-span.ts';
import type { Cursor, ReadingParts, ReadingStore, Sum } from './record-events.ts';

export interface SweepStore {
  /** How far each age has been swept; `first` stands in for ages that were not swept before, and is kept. */
  sweeps(cursor: Cursor, first: readonly Swept[]): Promise<Swept[]>;
  noteSwept(cursor: Cursor, swept: Swept): Promise<void>;
  noteBehind(cursor: Cursor, behindMs: number): Promise<void>;
  /** The minutes of a window in which events were read, oldest first, at most a thousand. */
  minutesWithEvents(environment: string, window: ReadingWindow): Promise<MinuteOfEvents[]>;
  /** Those of some failures that are not known yet. */
  unknownFailures(environment: string, failures: readonly Failure[]): Promise<Failure[]>;
}

/** How the search for late failures gets on. */
export interface SweepReport {
  /** How late the latest sweep is now, in milliseconds. */
  readonly behindMs: number;
  /** Requests a minute that new events and all sweeps need at this rate of events, and that sweeps were given meanwhile. */
  readonly neededAMinute: number;
  readonly madeAMinute: number;
}

type Parts = ReadingParts<ReadingStore & SweepStore>;

/** So many ages are swept at a time. */
const LANES = 2;

/**
 * Reads events again that have reached one of the ages at which that is due, for failures that came late. A page without a new one writes
 * nothing to the database. Throws `ServiceError` when the service can't be read at all.
 */
export async function sweep(cursor: Cursor, parts: Parts, sum: Sum, until: Date): Promise<SweepReport> {
  const started = parts.now();
  const { coveredFrom } = cursor;
  const swept = await parts.store.sweeps(cursor, firstSweeps(coveredFrom, started, parts.horizonMs));
  const due = dueSweeps(swept, started);
  const walk: Walk = { cursor, parts, sum, until, pages: 0, sweptMs: 0 };
  const left = await inLanes(due, (one) => sweepStretch(one, walk));
  const behindMs = Math.max(0, ...left.map((one) => (one === null ? 0 : lateness(one, parts.now()))));
  await parts.store.noteBehind(cursor, behindMs);
  return { behindMs, ...ratesOf(walk, swept.length, parts.now().getTime() - started.getTime()) };
}

/** What the sweeps of a round share. */
interface Walk {
  readonly cursor: Cursor;
  readonly parts: Parts;
  readonly sum: Sum;
  readonly until: Date;
  pages: number;
  sweptMs: number;
}

function ratesOf({ pages, sweptMs }: Walk, ages: number, tookMs: number) {
  return {
    neededAMinute: Math.ceil((pages * ages * 60_000) / Math.max(1, sweptMs)),
    madeAMinute: Math.ceil((pages * 60_000) / Math.max(1, tookMs)),
  };
}

/** Works through a list, some at a time. The first error ends it, once what is under way is done. */
async function inLanes<Item, Result>(items: readonly Item[], work: (item: Item) => Promise<Result>): Promise<Result[]> {
  const waiting = [...items];
  const results: Result[] = [];
  const errors: unknown[] = [];
  const lane = async () => {
    for (let item = waiting.shift(); item !== undefined && errors.length === 0; item = waiting.shift()) {
      await work(item).then(
        (result) => results.push(result),
        (error: unknown) => errors.push(error),
      );
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  if (errors.length > 0) throw errors[0];
  return results;
}

/** Sweeps a stretch, the oldest first, chunk by chunk. Returns what is left when the time is up, or null. */
async function sweepStretch(due: DueSweep, walk: Walk): Promise<DueSweep | null> {
  const { cursor, parts, until } = walk;
  let from = due.from;
  let isBegun = false;
  while (from < due.to) {
    const chunks = chunksAt(
      due.ageMs,
      { from, to: due.to },
      await parts.store.minutesWithEvents(cursor.environment, { from, to: due.to }),
    );
    for (const chunk of chunks) {
      if (isBegun && parts.now() >= until) return { ...due, from };
      await sweepChunk(chunk, walk);
      if (parts.signal.aborted) return { ...due, from };
      isBegun = true;
      walk.sweptMs += chunk.to.getTime() - from.getTime();
      from = chunk.to;
      await parts.store.noteSwept(cursor, { ageMs: due.ageMs, sweptTo: from });
    }
    if (chunks.length === 0) {
      from = due.to;
      await parts.store.noteSwept(cursor, { ageMs: due.ageMs, sweptTo: from });
    }
  }
  return null;
}

const NEVER = new Date(8.64e15);

/** What can't be read is left to the sweep of the next age. */
async function sweepChunk(chunk: ReadingWindow, walk: Walk): Promise<void> {
  const { cursor, parts } = walk;
  const onPage = async (page: Page<TriggeredEvent>) => {
    walk.pages += 1;
    await recordLate(page, walk);
  };
  const unread = await readSpan(chunk, { channels: BOUNCING_CHANNELS, onPage, until: NEVER }, parts);
  for (const { window, problem } of unread) {
    const fields = { environment: cursor.environment, ...window, problem: problem?.kind };
    const isPlan = problem?.kind === 'beyond-plan';
    parts.logger[isPlan ? 'debug' : 'warn'](fields, 'late failures could not be looked for');
  }
}

async function recordLate({ items }: Page<TriggeredEvent>, { cursor, parts, sum }: Walk): Promise<void> {
  const now = parts.now();
  const failures = items.flatMap((event) => judge(event, now).failures);
  if (failures.length === 0) return;
  const late = await parts.store.unknownFailures(cursor.environment, failures);
  if (late.length === 0) return;
  const reading = { sightings: [], failures: late, successes: [], unreadable: [] };
  sum.newFailures += (await parts.store.record(cursor, reading, now)).newFailures;
}
