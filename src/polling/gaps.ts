import { addMilliseconds, max, min, subMilliseconds } from 'date-fns';
import { and, asc, eq, gte, isNotNull, isNull, lte, or, type SQL, sql } from 'drizzle-orm';
import { joinedRanges } from '../lib/time/ranges.ts';
import type { TimeRange } from '../lib/time/time-range.ts';
import type { Db } from '../store/db.ts';
import { environments, gaps } from '../store/schema.ts';
import { type Gap, type GapCause, type GapWindow, replacedIn } from './gap.ts';
import type { Found } from './reading.ts';

export interface NewGap extends TimeRange {
  cause: GapCause;
  windows: readonly GapWindow[];
}

export interface OpenWindow extends GapWindow {
  gapId: string;
}

export async function gapsWhere(db: Db, condition: SQL | undefined): Promise<Gap[]> {
  const rows = await db.select().from(gaps).where(condition).orderBy(asc(gaps.from), asc(gaps.id));
  return rows.map(({ windows, ...gap }) => {
    const unchecked = joinedRanges(windows.filter(({ nextTryAt }) => nextTryAt !== null));
    const givenUp = joinedRanges(windows.filter(({ nextTryAt }) => nextTryAt === null));
    return { ...gap, unchecked, givenUp };
  });
}

export function gapsIn(db: Db, environment: string, { from, to }: TimeRange): Promise<Gap[]> {
  const overlaps = and(lte(gaps.from, to), or(isNull(gaps.to), gte(gaps.to, from)));
  return gapsWhere(db, and(eq(gaps.environment, environment), overlaps));
}

const isOpen = (environment: string) => and(eq(gaps.environment, environment), isNull(gaps.closedAt));

function openGapRows(db: Db, environment: string) {
  return db.select().from(gaps).where(isOpen(environment));
}

export async function openWindows(db: Db, environment: string): Promise<OpenWindow[]> {
  const open = await openGapRows(db, environment);
  return open.flatMap(({ id: gapId, windows }) => windows.map((window) => ({ ...window, gapId })));
}

export async function dueWindow(db: Db, environment: string, now: Date): Promise<OpenWindow | undefined> {
  const due = (await openWindows(db, environment)).filter(({ nextTryAt }) => nextTryAt !== null && nextTryAt <= now);
  return due.sort((a, b) => b.from.getTime() - a.from.getTime())[0];
}

/** So that one lasting problem is one gap. */
const ONE_GAP_MS = 15 * 60_000;

export async function openGap(tx: Db, environment: string, gap: NewGap, now: Date): Promise<void> {
  await lock(tx, environment);
  const { from, to, cause } = gap;
  const near = { from: subMilliseconds(from, ONE_GAP_MS), to: addMilliseconds(to, ONE_GAP_MS) };
  const known = (await openGapRows(tx, environment)).find(
    (open) => open.from <= near.to && (open.to === null || open.to >= near.from),
  );
  const windows = gap.windows.reduce((all, window) => replacedIn(all, window, [window]), known?.windows ?? []);
  if (known === undefined) {
    await tx.insert(gaps).values({ environment, from, to, cause, openedAt: now, windows });
  } else {
    const grown = { from: min([known.from, from]), to: known.to && max([known.to, to]), windows };
    await tx.update(gaps).set(grown).where(eq(gaps.id, known.id));
  }
}

async function lock(tx: Db, environment: string): Promise<void> {
  await tx.select().from(environments).where(eq(environments.environment, environment)).for('update');
}

export async function openEndlessGap(
  tx: Db,
  environment: string,
  from: Date,
  cause: GapCause,
  now: Date,
): Promise<void> {
  if ((await openGapRows(tx, environment)).some(({ to }) => to === null)) return;
  await tx.insert(gaps).values({ environment, from, cause, openedAt: now });
}

/** The poll that ends a gap has read at least its last minutes. */
export async function endGaps(tx: Db, environment: string, to: Date, found: Found, now: Date): Promise<void> {
  const isEnding = and(isOpen(environment), or(isNull(gaps.to), eq(gaps.to, to)));
  const ended = await tx.update(gaps).set({ to }).where(isEnding).returning({ id: gaps.id });
  for (const { id } of ended) await countInGap(tx, id, found.newEvents, found.newFailures);
  await closeReadGaps(tx, environment, now);
}

export async function replaceWindow(
  tx: Db,
  tried: OpenWindow,
  left: readonly GapWindow[],
  environment: string,
  now: Date,
) {
  await lock(tx, environment);
  const gap = (await openGapRows(tx, environment)).find(({ id }) => id === tried.gapId);
  if (gap === undefined) return;
  const windows = replacedIn(gap.windows, tried, left);
  await tx.update(gaps).set({ windows }).where(eq(gaps.id, gap.id));
  await closeReadGaps(tx, environment, now);
}

async function closeReadGaps(tx: Db, environment: string, now: Date): Promise<void> {
  const isRead = sql`NOT ${gaps.windows} @? '$[*] ? (@.nextTryAt != null)'`;
  const isOver = and(isOpen(environment), isNotNull(gaps.to), isRead);
  await tx.update(gaps).set({ closedAt: now }).where(isOver);
}

export async function countInGap(db: Db, gapId: string, newEvents: number, newFailures: number): Promise<void> {
  const counts = { events: sql`${gaps.events} + ${newEvents}`, failures: sql`${gaps.failures} + ${newFailures}` };
  await db.update(gaps).set(counts).where(eq(gaps.id, gapId));
}
