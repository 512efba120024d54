import type { TriggeredEvent } from '../domain/event.ts';
import { type GapPart, partsLeft, partsOf } from '../domain/gap.ts';
import type { Page } from '../domain/query.ts';
import { readSpan } from './read-span.ts';
import { type Cursor, type ReadingParts, type ReadingStore, recordEvents, type Sum } from './record-events.ts';

/** A part of a gap that is due to be read. */
export interface DuePart extends GapPart {
  readonly gapId: string;
}

export interface GapStore {
  /** The parts of an environment's gaps that are due by `now`, the newest first. */
  dueParts(environment: string, now: Date, limit: number): Promise<DuePart[]>;
  /** Puts in the place of a part what is left of it; a gap that has nothing left to read is closed. */
  replacePart(cursor: Cursor, part: DuePart, left: readonly GapPart[], now: Date): Promise<void>;
}

type Parts = ReadingParts<ReadingStore & GapStore>;

/** So many are asked for at a time. */
const PARTS = 50;

/**
 * Reads what was missed, the newest first, until the time is up. Returns whether nothing that is due is left. Throws `ServiceError` when
 * the service can't be read at all: what was not read stays due.
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

async function readPart(cursor: Cursor, part: DuePart, parts: Parts, sum: Sum, until: Date): Promise<void> {
  const { gapId, tries, window } = part;
  const onPage = (page: Page<TriggeredEvent>) => recordEvents(cursor, page, parts, sum, { gapId });
  const left: GapPart[] = [];
  for (const piece of partsOf(window, tries, parts.now(), parts.horizonMs)) {
    if (piece.nextTryAt === null) left.push(piece);
    else left.push(...partsLeft(await readSpan(piece.window, { onPage, until }, parts), tries, parts.now()));
  }
  await parts.store.replacePart(cursor, part, left, parts.now());
  const givenUp = left.filter((one) => one.nextTryAt === null);
  const fields = { environment: cursor.environment, ...window, left: left.length, givenUp: givenUp.length };
  parts.logger.info(fields, 'part of a gap read');
}
