import { and, eq, gt, isNull, lte, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { z } from 'zod';
import { joinedRanges, MINUTE_MS, type TimeRange } from '../lib/time/durations.ts';
import type { ServiceProblem } from '../service/service-error.ts';
import { type Db, jsonOf, onlyRow, textList } from '../store/db.ts';
import { keepUnreadable } from '../store/kv.ts';
import { openGap } from './gaps.ts';
import type { Lag } from './lag.ts';
import { type EnvironmentRow, environments, LEFT_OUT, ReadTo } from './tables.ts';

/** An `age` is in minutes; 0 is the present. */
export interface Pass {
  age: number;
  range: TimeRange;
}

/** How far the present was read: all before `checkedTo`, and some ranges after it. */
export interface PresentRead {
  checkedTo: Date;
  readAhead: readonly TimeRange[];
}

const named = (environment: string): SQL => eq(environments.environment, environment);
const ONE_MORE = sql`${environments.version} + 1`;

export async function environmentOf(db: Db, environment: string): Promise<EnvironmentRow | null> {
  const [known] = await db.select().from(environments).where(named(environment));
  return known ?? null;
}

export async function openEnvironment(db: Db, environment: string, coveredFrom: Date): Promise<EnvironmentRow> {
  const known = await environmentOf(db, environment);
  if (known !== null) return known;
  await db.insert(environments).values({ environment, coveredFrom, checkedTo: coveredFrom }).onConflictDoNothing();
  return openEnvironment(db, environment, coveredFrom);
}

/** Begins the coverage earlier, unless something was read meanwhile. */
export async function coverFrom(db: Db, known: EnvironmentRow, coveredFrom: Date): Promise<EnvironmentRow> {
  const isUnread = and(named(known.environment), eq(environments.checkedTo, environments.coveredFrom));
  await db.update(environments).set({ coveredFrom, checkedTo: coveredFrom }).where(isUnread);
  return (await environmentOf(db, known.environment)) ?? known;
}

/** Returns how far the present is read once a range was, too. */
export function presentAfter({ checkedTo, readAhead }: PresentRead, range: TimeRange): PresentRead {
  const ahead = joinedRanges([...readAhead, range]).filter(({ to }) => to > checkedTo);
  const [first, ...later] = ahead;
  const isAdjacent = first !== undefined && first.from <= checkedTo;
  return isAdjacent ? { checkedTo: first.to, readAhead: later } : { checkedTo, readAhead: ahead };
}

/** Returns false if another process moved the present. */
export async function notePresent(tx: Db, environment: string, was: PresentRead, is: PresentRead): Promise<boolean> {
  const isUnmoved = and(
    named(environment),
    eq(environments.checkedTo, was.checkedTo),
    sql`${environments.readAhead} = ${jsonOf(was.readAhead)}::jsonb`,
  );
  const present = { ...is, readAhead: [...is.readAhead] };
  const moved = await tx.update(environments).set(present).where(isUnmoved).returning();
  return moved.length > 0;
}

/** Returns false if another process moved the pass. */
export async function notePass(tx: Db, environment: string, { age, range: { from, to } }: Pass): Promise<boolean> {
  const moved = await tx.write(sql`
    UPDATE environments
    SET read_to = read_to || jsonb_build_object(${String(age)}::text, ${to.toISOString()}::text)
    WHERE environment = ${environment}
      AND coalesce((read_to ->> ${String(age)})::timestamptz, ${from}) <= ${from}
      AND ${from}::timestamptz < ${to}::timestamptz`);
  return moved > 0;
}

/** Of the domains, the ones noted last are kept. */
const MOST_DOMAINS = 300;

export async function addDomains(db: Db, environment: string, added: readonly string[]): Promise<void> {
  await db.write(sql`
    UPDATE environments
    SET domains = (ARRAY${textList(added)} || domains)[1:${sql.raw(`${MOST_DOMAINS}`)}]
    WHERE environment = ${environment}`);
}

/** Replaces stored passes of which some couldn't be read, once these are put aside; otherwise adds to them. */
export async function putPasses(db: Db, { environment, readTo: known }: EnvironmentRow, readTo: ReadTo): Promise<void> {
  const put = async (tx: Db, passes: SQL) => {
    await tx.write(sql`UPDATE environments SET read_to = ${passes} WHERE environment = ${environment}`);
  };
  const passes = sql`${jsonOf(Object.fromEntries(readTo))}::jsonb`;
  if (!known.has(LEFT_OUT)) return put(db, sql`read_to || ${passes}`);
  await db.transaction(async (tx) => {
    const locked = sql`SELECT read_to AS stored FROM environments WHERE environment = ${environment} FOR UPDATE`;
    const { stored } = onlyRow(await tx.rows(z.object({ stored: z.unknown() }), locked));
    // Another process has replaced them meanwhile.
    if (ReadTo.safeParse(stored).success) return;
    await keepUnreadable(tx, `environments.read_to:${environment}`, stored);
    await put(tx, passes);
  });
}

export async function noteBehind(db: Db, environment: string, behindMs: number): Promise<void> {
  await db.update(environments).set({ behindMs }).where(named(environment));
}

export async function notePastFailing(db: Db, environment: string, pastFailingSince: Date | null): Promise<void> {
  await db.update(environments).set({ pastFailingSince }).where(named(environment));
}

/** Notes a successful poll. Returns whether there's no trouble now. */
export async function clearTrouble(
  db: Db,
  environment: string,
  clockAheadMs: number | null,
  now: Date,
): Promise<boolean> {
  const { failingSince, problem } = environments;
  // Another replica may have met trouble since this poll began.
  const ifLater = (column: SQLWrapper) => sql`CASE WHEN ${failingSince} > ${now} THEN ${column} END`;
  const trouble = { failingSince: ifLater(failingSince), problem: ifLater(problem) };
  const success = { lastPollAt: now, lastSuccessAt: now, clockAheadMs, ...trouble, version: ONE_MORE };
  const [noted] = await db.update(environments).set(success).where(named(environment)).returning();
  return noted?.failingSince === null;
}

/** Slow polls take long: what counts is when they end. */
export async function noteLag(tx: Db, environment: string, endedAt: Date, lag: Lag): Promise<void> {
  const noted = { lastPollAt: endedAt, lastSuccessAt: endedAt, ...lag };
  await tx.update(environments).set(noted).where(named(environment));
}

export interface Trouble {
  problem: ServiceProblem;
  pollMs: number;
}

/** An environment that has been failing for long enough to be an outage, and the gap that it's in. */
export interface Outage {
  failing: EnvironmentRow;
  gapId: string;
}

/** Failed polls are an outage after a minute, give or take what a poll of each minute is early. */
const LEAST_OUTAGE_MS = 0.9 * MINUTE_MS;

/** Opens a gap at the second failed poll. A person's check soon after the first doesn't count. */
export async function setTrouble(
  tx: Db,
  environment: string,
  { problem, pollMs }: Trouble,
  now: Date,
): Promise<Outage | null> {
  const failingSince = sql`LEAST(${environments.failingSince}, ${now})`;
  const trouble = { lastPollAt: now, failingSince, problem, version: ONE_MORE };
  const [failing] = await tx.update(environments).set(trouble).where(named(environment)).returning();
  if (failing === undefined) return null;
  const failingMs = now.getTime() - (failing.failingSince ?? now).getTime();
  if (failingMs < Math.min(pollMs, MINUTE_MS) / 2) return null;
  const gap = { from: failing.checkedTo, to: null, cause: problem.kind, windows: [] };
  const gapId = await openGap(tx, environment, gap, now);
  return failingMs < LEAST_OUTAGE_MS ? null : { failing, gapId };
}

export type Announceable = Pick<EnvironmentRow, 'environment' | 'version'>;

export async function dueForAnnouncing(db: Db, announcedBefore: Date): Promise<Announceable[]> {
  const { environment, version, announcedVersion, announcedAt } = environments;
  const isDue = or(gt(version, announcedVersion), isNull(announcedAt), lte(announcedAt, announcedBefore));
  const due = db.select({ environment, version }).from(environments).where(isDue);
  return due.orderBy(sql`${announcedAt} NULLS FIRST`, environment);
}

export async function noteAnnounced(db: Db, { environment, version }: Announceable, announcedAt: Date): Promise<void> {
  const announcedVersion = sql`GREATEST(${environments.announcedVersion}, ${version})`;
  await db.update(environments).set({ announcedAt, announcedVersion }).where(named(environment));
}
