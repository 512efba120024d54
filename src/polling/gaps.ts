import { max, min, subMilliseconds } from 'date-fns';
import { and, asc, desc, eq, gte, isNotNull, isNull, lte, or, type SQL, sql } from 'drizzle-orm';
import type { ServiceProblem } from '../lib/errors.ts';
import { joinedRanges } from '../lib/time/coverage.ts';
import type { TimeRange } from '../lib/time/time-range.ts';
import type { Db } from '../store/db.ts';
import { environments, gaps } from '../store/schema.ts';
import { type Gap, type GapCause, type GapWindow, opensGap, replacedIn } from './gap.ts';

/** A time range left for later: it becomes a gap, or extends the open one. */
export interface SetAside extends TimeRange {
  readonly cause: GapCause;
  readonly windows: readonly GapWindow[];
}

export interface DueWindow extends GapWindow {
  readonly gapId: string;
}

/** The gaps that meet a condition, in chronological order. */
export async function gapsWhere(db: Db, condition: SQL | undefined): Promise<Gap[]> {
  const rows = await db.select().from(gaps).where(condition).orderBy(asc(gaps.beginsAt), asc(gaps.id));
  return rows.map(({ beginsAt: from, endsAt: to, unchecked, ...gap }) => {
    const windows = windowsOf(unchecked);
    const tried = windows.filter(({ nextTryAt }) => nextTryAt !== null);
    const lost = windows.filter(({ nextTryAt }) => nextTryAt === null);
    return { ...gap, from, to, unchecked: joinedRanges(tried), givenUp: joinedRanges(lost) };
  });
}

export function gapsIn(db: Db, environment: string, { from, to }: TimeRange): Promise<Gap[]> {
  const overlaps = and(lte(gaps.beginsAt, to), or(isNull(gaps.endsAt), gte(gaps.endsAt, from)));
  return gapsWhere(db, and(eq(gaps.environment, environment), overlaps));
}

/** `windows`: what of it isn't checked, with what was given up. */
type OpenGap = Omit<typeof gaps.$inferSelect, 'unchecked'> & { readonly windows: readonly GapWindow[] };

const isOpen = (environment: string) => and(eq(gaps.environment, environment), isNull(gaps.closedAt));

async function openGaps(db: Db, environment: string): Promise<OpenGap[]> {
  const newest = [sql`${gaps.endsAt} DESC NULLS FIRST`, desc(gaps.openedAt)];
  const rows = await db
    .select()
    .from(gaps)
    .where(isOpen(environment))
    .orderBy(...newest);
  return rows.map(withWindows);
}

function withWindows({ unchecked, ...gap }: typeof gaps.$inferSelect): OpenGap {
  return { ...gap, windows: windowsOf(unchecked) };
}

function windowsOf(unchecked: (typeof gaps.$inferSelect)['unchecked']): GapWindow[] {
  return unchecked.map(({ from, to, tries, nextTryAt }) => {
    return {
      from: new Date(from),
      to: new Date(to),
      tries,
      nextTryAt: nextTryAt === null ? null : new Date(nextTryAt),
    };
  });
}

async function openWindows(db: Db, environment: string): Promise<DueWindow[]> {
  const open = await openGaps(db, environment);
  return open.flatMap(({ id: gapId, windows }) => windows.map((window) => ({ ...window, gapId })));
}

export async function windowsWithin(db: Db, environment: string, { from, to }: TimeRange): Promise<TimeRange[]> {
  return (await openWindows(db, environment)).filter((window) => window.from <= to && window.to >= from);
}

/** The newest window that is due. */
export async function dueWindow(db: Db, environment: string, now: Date): Promise<DueWindow | undefined> {
  const due = (await openWindows(db, environment)).filter(({ nextTryAt }) => nextTryAt !== null && nextTryAt <= now);
  return due.sort((a, b) => b.from.getTime() - a.from.getTime())[0];
}

/** A range that begins this soon after an open gap extends it, so that one lasting problem is one gap. */
const ONE_GAP_MS = 15 * 60_000;

export async function setAside(tx: Db, environment: string, range: SetAside, now: Date): Promise<void> {
  await lock(tx, environment);
  const near = subMilliseconds(range.from, ONE_GAP_MS);
  const known = (await openGaps(tx, environment)).find(({ endsAt }) => endsAt === null || endsAt >= near);
  const { id, beginsAt, endsAt, windows } = known ?? (await openGap(tx, environment, range, now));
  const unchecked = stored(range.windows.reduce((all, window) => replacedIn(all, window, [window]), windows));
  const span = { beginsAt: min([beginsAt, range.from]), endsAt: endsAt && max([endsAt, range.to]) };
  await tx
    .update(gaps)
    .set({ ...span, unchecked })
    .where(eq(gaps.id, id));
}

async function lock(tx: Db, environment: string): Promise<void> {
  await tx.select().from(environments).where(eq(environments.environment, environment)).for('update');
}

function stored(windows: readonly GapWindow[]): (typeof gaps.$inferSelect)['unchecked'] {
  return windows.map(({ from, to, tries, nextTryAt }) => {
    return { from: from.toISOString(), to: to.toISOString(), tries, nextTryAt: nextTryAt?.toISOString() ?? null };
  });
}

/** A gap whose end is not known yet has `to` null. */
async function openGap(
  tx: Db,
  environment: string,
  { from, to, cause }: Pick<SetAside, 'from' | 'cause'> & { readonly to: Date | null },
  now: Date,
): Promise<OpenGap> {
  const gap = { environment, beginsAt: from, endsAt: to, cause, openedAt: now };
  const [opened] = await tx.insert(gaps).values(gap).returning();
  if (opened === undefined) throw new Error('a gap was not opened');
  return withWindows(opened);
}

/** Opens a gap without an end for an environment that has been unreadable for long, unless there is one. */
export async function openEndlessGap(
  tx: Db,
  failing: {
    readonly environment: string;
    readonly problem: ServiceProblem;
    readonly checkedTo: Date;
    readonly failingSince: Date;
  },
  now: Date,
): Promise<void> {
  const { environment, problem, checkedTo, failingSince } = failing;
  if (!opensGap(failingSince, now)) return;
  if ((await openGaps(tx, environment)).some(({ endsAt }) => endsAt === null)) return;
  await openGap(tx, environment, { from: checkedTo, to: null, cause: problem.kind }, now);
}

/** Ends an environment's endless gap because it can be read again, and closes it if nothing was set aside. */
export async function endGaps(tx: Db, environment: string, to: Date, now: Date): Promise<void> {
  await tx
    .update(gaps)
    .set({ endsAt: to })
    .where(and(isOpen(environment), isNull(gaps.endsAt)));
  await closeReadGaps(tx, environment, now);
}

/** Replaces a window that was tried with what is left of it, and closes its gap if nothing is. */
export async function replaceWindow(
  tx: Db,
  tried: DueWindow,
  left: readonly GapWindow[],
  environment: string,
  now: Date,
) {
  await lock(tx, environment);
  const gap = (await openGaps(tx, environment)).find(({ id }) => id === tried.gapId);
  if (gap === undefined) return;
  const unchecked = stored(replacedIn(gap.windows, tried, left));
  await tx.update(gaps).set({ unchecked }).where(eq(gaps.id, gap.id));
  await closeReadGaps(tx, environment, now);
}

async function closeReadGaps(tx: Db, environment: string, now: Date): Promise<void> {
  const isRead = sql`NOT ${gaps.unchecked} @? '$[*] ? (@.nextTryAt != null)'`;
  await tx
    .update(gaps)
    .set({ closedAt: now })
    .where(and(isOpen(environment), isNotNull(gaps.endsAt), isRead));
}

export async function countInGap(db: Db, gapId: string, newEvents: number, newFailures: number): Promise<void> {
  const counts = { events: sql`${gaps.events} + ${newEvents}`, failures: sql`${gaps.failures} + ${newFailures}` };
  await db.update(gaps).set(counts).where(eq(gaps.id, gapId));
}
