import { subMilliseconds } from 'date-fns';
import { FencedOffError } from '../../domain/errors.ts';
import {
  deadlineOf,
  PAST_PARTS,
  type PartDeadline,
  type PastPart,
  pagesOfPresent,
} from '../../domain/polling/recheck.ts';
import { closeGaps, type GapStore } from './close-gaps.ts';
import { recheckTracked } from './recheck-tracked.ts';
import type { Cursor, ReadingParts, ReadingStore } from './record-events.ts';
import { emptySum, recordedIn, type Sum, type Summed } from './sum.ts';
import { type SweepReport, type SweepStore, sweep } from './sweep.ts';

export interface RecheckParts extends ReadingParts<ReadingStore & GapStore & SweepStore> {
  /** Returns a signal that aborts after the given milliseconds. */
  readonly abortAfter: (ms: number) => AbortSignal;
}

export interface RecheckReport extends Summed {
  /** Whether nothing is left to check: no due event, no gap, no sweep. */
  readonly caughtUp: boolean;
  readonly sweep: SweepReport | null;
  /** The parts that failed or ran out of time, and why. */
  readonly troubles: readonly PartTrouble[];
}

export interface PartTrouble {
  readonly part: PastPart;
  readonly error: unknown;
}

/** A part was still running at its deadline: its requests were aborted, and the next part began. */
export class PartOutOfTimeError extends Error {
  override readonly name = 'PartOutOfTimeError';

  constructor(part: PastPart, afterMs: number) {
    super(`${part} were not checked within ${afterMs} ms`);
  }
}

/**
 * Checks an environment's past: unsettled events, gaps and late failures. Each part has its own share of time and its own signal; one that
 * throws or hangs is reported, and the others still run. Null before the present was first read, and while another replica's recheck goes
 * on. Throws `FencedOffError` when another recheck took over, and the store's errors when the cursor can't be taken.
 */
export async function recheckEvents(environment: string, parts: RecheckParts): Promise<RecheckReport | null> {
  const started = parts.now();
  // What began longer ago may be the recheck of a process that ended.
  const cursor = await parts.store.takePast(environment, started, subMilliseconds(started, parts.pollMs));
  if (cursor === null) return null;
  try {
    return await recheckParts(cursor, started, parts);
  } finally {
    await endPast(cursor, parts);
  }
}

async function endPast(cursor: Cursor, { store, logger }: RecheckParts): Promise<void> {
  try {
    await store.endPast(cursor);
  } catch (err) {
    logger.warn(
      { environment: cursor.environment, err },
      'the end of a recheck could not be noted: the next may be later',
    );
  }
}

async function recheckParts(cursor: Cursor, started: Date, parts: RecheckParts): Promise<RecheckReport> {
  const { environment } = cursor;
  const sum = emptySum();
  const eventsAMinute = await recentRate(environment, parts);
  const work = workOn(cursor, sum, eventsAMinute, parts.pollMs);
  const found = new Map<PastPart, Found>();
  const troubles: PartTrouble[] = [];
  for (const part of PAST_PARTS) {
    if (parts.signal.aborted) break;
    try {
      found.set(part, await inTime(part, started, work[part], parts));
    } catch (error) {
      if (error instanceof FencedOffError) throw error;
      if (!parts.signal.aborted) troubles.push({ part, error });
    }
  }
  if (!parts.signal.aborted) {
    await parts.store.noteSweepEnded(cursor, found.has('sweeps') ? 'done' : 'failed', parts.now());
  }
  const caughtUp = PAST_PARTS.every((part) => found.get(part)?.caughtUp === true);
  return { ...recordedIn(sum), caughtUp, sweep: found.get('sweeps')?.sweep ?? null, troubles };
}

interface Found {
  readonly caughtUp: boolean;
  readonly sweep?: SweepReport;
}

type Work = (parts: RecheckParts, until: Date) => Promise<Found>;

function workOn(cursor: Cursor, sum: Sum, eventsAMinute: number, everyMs: number): Readonly<Record<PastPart, Work>> {
  return {
    'unsettled events': async (parts, until) => ({
      caughtUp: await recheckTracked(cursor, parts, sum, until),
    }),
    gaps: async (parts, until) => ({ caughtUp: await closeGaps(cursor, parts, sum, until) }),
    sweeps: async (parts, until) => {
      const swept = await sweep(cursor, parts, sum, until);
      const neededAMinute = pagesOfPresent(eventsAMinute, everyMs) + swept.neededAMinute;
      return { caughtUp: swept.behindMs === 0, sweep: { ...swept, neededAMinute } };
    },
  };
}

/** Runs a part until it ends or its deadline aborts it. It may run on after that: everything it writes is written once. */
async function inTime(part: PastPart, started: Date, work: Work, parts: RecheckParts): Promise<Found> {
  const deadline: PartDeadline = deadlineOf(part, started, parts.now(), parts.pollMs);
  const late = parts.abortAfter(deadline.abortAfterMs);
  const signal = AbortSignal.any([parts.signal, late]);
  const running = work({ ...parts, signal }, deadline.until);
  const outOfTime = new Promise<never>((_, reject) => {
    const end = () => reject(late.aborted ? new PartOutOfTimeError(part, deadline.abortAfterMs) : signal.reason);
    signal.addEventListener('abort', end, { once: true });
  });
  return Promise.race([running, outOfTime]);
}

const RATE_OVER_MS = 15 * 60_000;

/** Returns the recent rate of created events, per minute. */
async function recentRate(environment: string, { store, now }: RecheckParts): Promise<number> {
  const to = now();
  const window = { from: subMilliseconds(to, RATE_OVER_MS), to };
  const minutes = await store.minutesWithEvents(environment, [window]);
  return minutes.reduce((sum, { events }) => sum + events, 0) / (RATE_OVER_MS / 60_000);
}
