import { addMilliseconds, compareDesc, isEqual, max, min, subMilliseconds } from 'date-fns';
import { and, asc, desc, eq, gte, isNull, lt, lte, or, type SQL, sql } from 'drizzle-orm';
import { joinedRanges, type TimeRange } from '../lib/time/durations.ts';
import { type Db, onlyRow } from '../store/db.ts';
import type { EnvironmentRow } from './environments.ts';
import { type Gap, type GapWindow, isDue, isGivenUp, replacedIn } from './gap.ts';
import { environments, gaps } from './tables.ts';
import { nextVersion } from './version.ts';

export type NewCounts = { newEvents: number; newFailures: number; newUnreadable: number };
type StoredGap = typeof gaps.$inferSelect;
type OpenGap = StoredGap & { windows: GapWindow[] };
export type NewGap = Pick<OpenGap, 'from' | 'to' | 'cause' | 'windows'>;

export type OpenWindow = GapWindow & { gapId: string };

export async function gapsWhere(db: Db, condition: SQL | undefined): Promise<Gap[]> {
  const rows = await db.select().from(gaps).where(condition).orderBy(asc(gaps.from), asc(gaps.id));
  return rows.map(({ windows, ...gap }) => {
    // Nobody knows what of it was read.
    if (windows === null) return { ...gap, toRead: gap.to ? [{ from: gap.from, to: gap.to }] : [], givenUp: [] };
    const toRead = joinedRanges(windows.filter((window) => !isGivenUp(window)));
    const givenUp = joinedRanges(windows.filter(isGivenUp));
    return { ...gap, toRead, givenUp };
  });
}

export function gapsIn(db: Db, environment: string, { from, to }: TimeRange): Promise<Gap[]> {
  const overlaps = and(lte(gaps.from, to), or(isNull(gaps.to), gte(gaps.to, from)));
  return gapsWhere(db, and(eq(gaps.environment, environment), overlaps));
}

async function findOpenGaps(db: Db, environment: string): Promise<OpenGap[]> {
  const isOpen = and(eq(gaps.environment, environment), isNull(gaps.closedAt));
  return (await db.select().from(gaps).where(isOpen)).filter(isReadable);
}

/** A gap whose windows can't be read stays as it is, and its time unchecked. */
const isReadable = (gap: StoredGap): gap is OpenGap => gap.windows !== null;

export async function lockEnvironment(tx: Db, environment: string): Promise<EnvironmentRow | null> {
  const isNamed = eq(environments.environment, environment);
  const [locked] = await tx.select().from(environments).where(isNamed).for('update');
  return locked ?? null;
}

export async function openWindows(db: Db, environment: string) {
  const open = await findOpenGaps(db, environment);
  return open.flatMap(({ id: gapId, windows }) => windows.map((window) => ({ ...window, gapId })));
}

export function dueWindow(open: readonly OpenWindow[], now: Date) {
  return open.filter((window) => isDue(window, now)).sort((a, b) => compareDesc(a.from, b.from))[0];
}

/** Gaps this close are one lasting problem. */
const ONE_GAP_MS = 15 * 60_000;

/** A gap that goes on may reopen a closed one. Returns the gap's ID. */
export async function openGap(tx: Db, environment: string, gap: NewGap, now: Date) {
  const { from, to, cause } = gap;
  await lockEnvironment(tx, environment);
  const isNear = and(
    eq(gaps.environment, environment),
    or(isNull(gaps.to), gte(gaps.to, subMilliseconds(from, ONE_GAP_MS))),
    to === null ? undefined : lte(gaps.from, addMilliseconds(to, ONE_GAP_MS)),
    gap.windows.every(isGivenUp) ? undefined : isNull(gaps.closedAt),
  );
  const known = (await tx.select().from(gaps).where(isNear).orderBy(desc(gaps.from))).find(isReadable);
  const windows = gap.windows.reduce((all, window) => replacedIn(all, window, [window]), known?.windows ?? []);
  const opened = { environment, from, to, cause, openedAt: now, windows };
  if (known === undefined) return onlyRow(await tx.insert(gaps).values(opened).returning()).id;
  const grown = { from: min([known.from, from]), to: known.to && to && max([known.to, to]), closedAt: null, windows };
  await tx.update(gaps).set(grown).where(eq(gaps.id, known.id));
  return known.id;
}

/** Needs a lock on the environment. Gaps that began after this poll stay open. */
export async function endGaps(tx: Db, environment: string, { end, added }: { end: Date; added: NewCounts }, now: Date) {
  const open = await findOpenGaps(tx, environment);
  const goesOn = and(eq(gaps.environment, environment), isNull(gaps.to), lt(gaps.from, end), lte(gaps.openedAt, now));
  for (const gap of await tx.select().from(gaps).where(goesOn))
    if (!isReadable(gap)) await tx.update(gaps).set({ to: end }).where(eq(gaps.id, gap.id));
  for (const gap of open.filter(({ from, openedAt }) => from < end && openedAt <= now)) {
    const ended = { ...gap, to: gap.to ?? end };
    const isEnding = isEqual(ended.to, end);
    if (isEnding) await countInGap(tx, gap.id, added);
    if (isEnding || isFinished(ended)) await updateGap(tx, ended, now);
  }
}

/** For a poll that read only a part. */
export async function countInOpenGap(tx: Db, environment: string, added: NewCounts): Promise<void> {
  const goingOn = (await findOpenGaps(tx, environment)).filter(({ to }) => to === null);
  for (const { id } of goingOn) await countInGap(tx, id, added);
}

export async function replaceWindow(
  tx: Db,
  environment: string,
  { tried, left }: { tried: OpenWindow; left: readonly GapWindow[] },
  now: Date,
) {
  await lockEnvironment(tx, environment);
  const gap = (await findOpenGaps(tx, environment)).find(({ id }) => id === tried.gapId);
  if (gap !== undefined) await updateGap(tx, { ...gap, windows: replacedIn(gap.windows, tried, left) }, now);
}

const isFinished = ({ to, windows }: OpenGap) => to !== null && windows.every(isGivenUp);

async function updateGap(tx: Db, gap: OpenGap, now: Date) {
  const { id, environment, to, windows } = gap;
  const closedAt = isFinished(gap) ? now : null;
  await tx.update(gaps).set({ to, windows, closedAt }).where(eq(gaps.id, id));
  await nextVersion(tx, environment);
}

export async function countInGap(db: Db, gapId: string, { newEvents, newFailures }: NewCounts) {
  const counts = { events: sql`${gaps.events} + ${newEvents}`, failures: sql`${gaps.failures} + ${newFailures}` };
  await db.update(gaps).set(counts).where(eq(gaps.id, gapId));
}
