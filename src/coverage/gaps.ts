import { addMilliseconds, compareDesc, isEqual, max, min, subMilliseconds } from 'date-fns';
import { and, asc, desc, eq, gte, isNull, lt, lte, or, type SQL, sql } from 'drizzle-orm';
import { joinedRanges, MINUTE_MS, type TimeRange } from '../lib/time/durations.ts';
import { type Db, onlyRow } from '../store/db.ts';
import { lockEnvironment, nextVersion } from './environment-lock.ts';
import { type Gap, type GapCause, type GapWindow, isDue, isGivenUp, replacedIn } from './gap.ts';
import { type GapRow, gaps } from './tables.ts';

/** Gaps this close are one lasting problem. */
const ONE_GAP_MS = 15 * MINUTE_MS;

export interface NewCounts {
  newEvents: number;
  newFailures: number;
  newUnreadable: number;
}

export interface NewGap {
  from: Date;
  to: Date | null;
  cause: GapCause;
  windows: readonly GapWindow[];
}

/** A gap of which it is known what is still to be checked. */
type ReadableGap = GapRow & { unchecked: GapWindow[] };

/** A gap whose windows can't be read stays as it is, and its time unchecked. */
const isReadable = (gap: GapRow): gap is ReadableGap => gap.unchecked !== null;

export type OpenWindow = GapWindow & { gapId: string };

export async function gapsWhere(db: Db, condition: SQL | undefined): Promise<Gap[]> {
  const rows = await db.select().from(gaps).where(condition).orderBy(asc(gaps.beginsAt), asc(gaps.id));
  return rows.map(({ unchecked, ...gap }) => {
    const { beginsAt: from, endsAt: to } = gap;
    // Nobody knows what of it was read.
    if (unchecked === null) return { ...gap, toRead: to ? [{ from, to }] : [], givenUp: [] };
    const toRead = joinedRanges(unchecked.filter((window) => !isGivenUp(window)));
    return { ...gap, toRead, givenUp: joinedRanges(unchecked.filter(isGivenUp)) };
  });
}

export function gapsIn(db: Db, environment: string, { from, to }: TimeRange): Promise<Gap[]> {
  const overlaps = and(lte(gaps.beginsAt, to), or(isNull(gaps.endsAt), gte(gaps.endsAt, from)));
  return gapsWhere(db, and(eq(gaps.environment, environment), overlaps));
}

async function findOpenGaps(db: Db, environment: string): Promise<ReadableGap[]> {
  const isOpen = and(eq(gaps.environment, environment), isNull(gaps.closedAt));
  return (await db.select().from(gaps).where(isOpen)).filter(isReadable);
}

export async function openWindows(db: Db, environment: string): Promise<OpenWindow[]> {
  const open = await findOpenGaps(db, environment);
  return open.flatMap(({ id: gapId, unchecked }) => unchecked.map((window) => ({ ...window, gapId })));
}

export function dueWindow(open: readonly OpenWindow[], now: Date): OpenWindow | undefined {
  return open.filter((window) => isDue(window, now)).sort((a, b) => compareDesc(a.from, b.from))[0];
}

/**
 * Extends an open gap that is near, or opens one. If nothing of the new gap is to be read by now, it may also extend, and reopen, a closed one.
 * Returns the gap's ID.
 */
export async function openGap(tx: Db, environment: string, gap: NewGap, now: Date): Promise<string> {
  const { from, to, cause, windows } = gap;
  await lockEnvironment(tx, environment);
  const isNear = and(
    eq(gaps.environment, environment),
    or(isNull(gaps.endsAt), gte(gaps.endsAt, subMilliseconds(from, ONE_GAP_MS))),
    to === null ? undefined : lte(gaps.beginsAt, addMilliseconds(to, ONE_GAP_MS)),
    windows.every(isGivenUp) ? undefined : isNull(gaps.closedAt),
  );
  const known = (await tx.select().from(gaps).where(isNear).orderBy(desc(gaps.beginsAt))).find(isReadable);
  const unchecked = windows.reduce((all, window) => replacedIn(all, window, [window]), known?.unchecked ?? []);
  if (known === undefined) {
    const opened = { environment, beginsAt: from, endsAt: to, cause, openedAt: now, unchecked };
    return onlyRow(await tx.insert(gaps).values(opened).returning()).id;
  }
  const beginsAt = min([known.beginsAt, from]);
  const endsAt = known.endsAt && to && max([known.endsAt, to]);
  await tx.update(gaps).set({ beginsAt, endsAt, closedAt: null, unchecked }).where(eq(gaps.id, known.id));
  return known.id;
}

/**
 * Ends at `end` what goes on, and closes what has nothing left to read. `added` is what the poll found that read up to `end`. Gaps that began
 * after this poll stay open. Needs a lock on the environment.
 */
export async function endGaps(
  tx: Db,
  environment: string,
  { end, added }: { end: Date; added: NewCounts },
  now: Date,
): Promise<void> {
  const isBefore = and(lt(gaps.beginsAt, end), lte(gaps.openedAt, now));
  const isUnclosed = and(eq(gaps.environment, environment), isNull(gaps.closedAt), isBefore);
  for (const gap of await tx.select().from(gaps).where(isUnclosed)) {
    const ended = { ...gap, endsAt: gap.endsAt ?? end };
    if (!isReadable(ended)) {
      await tx.update(gaps).set({ endsAt: ended.endsAt }).where(eq(gaps.id, gap.id));
      continue;
    }
    const isEnding = isEqual(ended.endsAt, end);
    if (isEnding) await countInGap(tx, gap.id, added);
    if (isEnding || isFinished(ended)) await updateGap(tx, ended, now);
  }
}

/** Counts what a poll found that read only a part of its range. */
export async function countInOpenGap(tx: Db, environment: string, added: NewCounts): Promise<void> {
  const goingOn = (await findOpenGaps(tx, environment)).filter(({ endsAt }) => endsAt === null);
  for (const { id } of goingOn) await countInGap(tx, id, added);
}

export async function replaceWindow(
  tx: Db,
  environment: string,
  { tried, left }: { tried: OpenWindow; left: readonly GapWindow[] },
  now: Date,
): Promise<void> {
  await lockEnvironment(tx, environment);
  const gap = (await findOpenGaps(tx, environment)).find(({ id }) => id === tried.gapId);
  if (gap !== undefined) await updateGap(tx, { ...gap, unchecked: replacedIn(gap.unchecked, tried, left) }, now);
}

const isFinished = ({ endsAt, unchecked }: ReadableGap): boolean => endsAt !== null && unchecked.every(isGivenUp);

async function updateGap(tx: Db, gap: ReadableGap, now: Date): Promise<void> {
  const { id, environment, endsAt, unchecked } = gap;
  const closedAt = isFinished(gap) ? now : null;
  await tx.update(gaps).set({ endsAt, unchecked, closedAt }).where(eq(gaps.id, id));
  await nextVersion(tx, environment);
}

export async function countInGap(db: Db, gapId: string, { newEvents, newFailures }: NewCounts): Promise<void> {
  const counts = { events: sql`${gaps.events} + ${newEvents}`, failures: sql`${gaps.failures} + ${newFailures}` };
  await db.update(gaps).set(counts).where(eq(gaps.id, gapId));
}
