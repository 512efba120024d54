import { ServiceError } from '../../domain/errors.ts';
import { type GapPart, partsLeft, partsToRead } from '../../domain/polling/gap.ts';
import { byOurClock, byServiceClock, horizonAt, lateListed, listedBy } from '../../domain/polling/reading.ts';
import { withoutRanges } from '../../domain/polling/reading-windows.ts';
import type { TriggeredEvent } from '../../domain/service/event.ts';
import type { Page } from '../../domain/service/query.ts';
import type { TimeRange } from '../../domain/time/time-range.ts';
import { readRange } from './read-range.ts';
import { type Cursor, clockAheadOf, type ReadingParts, type ReadingStore, recordEvents } from './record-events.ts';
import { noteWait, type Sum } from './sum.ts';

export interface DuePart extends GapPart {
  readonly gapId: string;
}

export interface GapStore {
  /** Returns the parts of an environment's gaps that are due by `now`, the newest first. */
  dueParts(environment: string, now: Date, limit: number): Promise<DuePart[]>;
  /**
   * Replaces a part with what is left of it; closes a gap that has nothing left to read. `ifPolled` is left, too, if a poll has begun since
   * the past's cursor was taken: it left out the part, and an event that the list shows late may be in it.
   */
  replacePart(
    cursor: Cursor,
    part: DuePart,
    left: readonly GapPart[],
    now: Date,
    ifPolled?: readonly GapPart[],
  ): Promise<void>;
}

type Parts = ReadingParts<ReadingStore & GapStore>;

/** How many are requested at a time. */
const PARTS = 50;

/**
 * Reads missed events, the newest first, until the time is up. Returns whether no due part is left. Throws `ServiceError` when the service
 * can't be read or stops answering: unchecked parts stay due, and what was read is done.
 */
export async function closeGaps(cursor: Cursor, parts: Parts, sum: Sum, until: Date): Promise<boolean> {
  for (;;) {
    const due = await parts.store.dueParts(cursor.environment, parts.now(), PARTS);
    for (const [index, part] of due.entries()) {
      await readPart(cursor, part, parts, sum, until);
      const isLast = index === due.length - 1 && due.length < PARTS;
      if (parts.signal.aborted || (parts.now() >= until && !isLast)) return false;
    }
    if (due.length < PARTS) return true;
  }
}

/** Reads a part of a gap and replaces it with what is left, even if the service fails midway. */
async function readPart(cursor: Cursor, part: DuePart, parts: Parts, sum: Sum, until: Date): Promise<void> {
  const { gapId, tries, window } = part;
  const onPage = async (page: Page<TriggeredEvent>) => {
    await recordEvents(cursor, page, parts, sum, { gapId });
  };
  const left: GapPart[] = [];
  let trouble: ServiceError | null = null;
  const ahead = clockAheadOf(cursor, parts.service);
  const late = lateListed(window, byServiceClock(parts.now(), ahead));
  const horizon = horizonAt(parts.now(), ahead, parts.horizonMs);
  for (const piece of partsToRead(window, tries, parts.now(), horizon).toReversed()) {
    if (piece.nextTryAt === null || trouble !== null) left.push(piece);
    else {
      const unchecked = await orTrouble(readRange(piece.window, { onPage, until, keepsProgress: true }, parts));
      if (unchecked instanceof ServiceError) {
        trouble = unchecked;
        left.push(piece);
      } else {
        noteWait(sum, unchecked);
        left.push(...partsLeft(unchecked, tries, parts.now()));
      }
    }
  }
  const unsure = late === null ? [] : withoutRanges(late, left.map(windowOf));
  const ifPolled = unsure.map((one) => ({ window: one, tries, nextTryAt: byOurClock(listedBy(one.to), ahead) }));
  await parts.store.replacePart(cursor, part, left, parts.now(), ifPolled);
  const givenUp = left.filter((one) => one.nextTryAt === null);
  const fields = { environment: cursor.environment, ...window, left: left.length, givenUp: givenUp.length };
  parts.logger.info(fields, 'part of a gap read');
  if (trouble !== null) throw trouble;
}

function windowOf(part: GapPart): TimeRange {
  return part.window;
}

async function orTrouble<Result>(work: Promise<Result>): Promise<Result | ServiceError> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
}
