import { and, eq, gt, isNull, lte, or, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { z } from 'zod';
import type { ServiceProblem } from '../lib/errors.ts';
import { joinedRanges, MINUTE_MS, type TimeRange } from '../lib/time/durations.ts';
import { type Db, jsonOf, onlyRow } from '../store/db.ts';
import { keepUnreadable } from '../store/kv.ts';
import { openGap } from './gaps.ts';
import type { Lag } from './lag.ts';
import { LEFT_OUT, ReadTo } from './read-to.ts';
import { environments } from './tables.ts';

/** An `age` is in minutes; 0 is the present. */
export type Pass = { age: number; range: TimeRange };

/** How far the present was read: all before `checkedTo`, and some ranges after it. */
export interface PresentRead {
  checkedTo: Date;
  readAhead: readonly TimeRange[];
}

export type EnvironmentRow = typeof environments.$inferSelect;

const named = (environment: string) => eq(environments.environment, environment);
const ONE_MORE = sql`${environments.version} + 1`;

export async function environmentOf(db: Db, environment: string) {
  const [known] = await db.select().from(environments).where(named(environment));
  return known ?? null;
}

export async function openEnvironment(db: Db, environment: string, coveredFrom: Date) {
  const known = await environmentOf(db, environment);
  if (known !== null) return known;
  await db.insert(environments).values({ environment, coveredFrom, checkedTo: coveredFrom }).onConflictDoNothing();
  return openEnvironment(db, environment, coveredFrom);
}

export function presentAfter({ checkedTo, readAhead }: PresentRead, range: TimeRange): PresentRead {
  const [first, ...later] = joinedRanges([...readAhead, range]).filter(({ to }) => to > checkedTo);
  if (first === undefined || first.from > checkedTo) return { checkedTo, readAhead: first ? [first, ...later] : [] };
  return { checkedTo: first.to, readAhead: later };
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
  return (await tx.write(MOVE_PASS, [environment, from, to, String(age), to.toISOString()])) > 0;
}

const MOVE_PASS = `
  UPDATE environments SET read_to = jsonb_set(read_to, ARRAY[$4::text], to_jsonb($5::text)) WHERE environment = $1
    AND coalesce((read_to ->> $4::text)::timestamptz, $2) <= $2 AND $2::timestamptz < $3::timestamptz`;

export async function putPasses(db: Db, { environment, readTo: known }: EnvironmentRow, readTo: ReadTo): Promise<void> {
  const values = [environment, jsonOf(Object.fromEntries(readTo))];
  if (!known.has(LEFT_OUT)) return void (await db.write(PUT_PASSES, values));
  await db.transaction(async (tx) => {
    const { stored } = onlyRow(await tx.rows(z.object({ stored: z.unknown() }), STORED_PASSES, [environment]));
    if (ReadTo.safeParse(stored).success) return;
    await keepUnreadable(tx, `environments.read_to:${environment}`, stored);
    await tx.write('UPDATE environments SET read_to = $2::jsonb WHERE environment = $1', values);
  });
}

const PUT_PASSES = 'UPDATE environments SET read_to = read_to || $2::jsonb WHERE environment = $1';
const STORED_PASSES = 'SELECT read_to AS stored FROM environments WHERE environment = $1 FOR UPDATE';

export async function noteBehind(db: Db, environment: string, behindMs: number): Promise<void> {
  await db.update(environments).set({ behindMs }).where(named(environment));
}

export async function notePastFailing(db: Db, environment: string, pastFailingSince: Date | null): Promise<void> {
  await db.update(environments).set({ pastFailingSince }).where(named(environment));
}

/** Returns whether there's no trouble now. */
export async function clearTrouble(db: Db, environment: string, clockAheadMs: number | null, now: Date) {
  // Another replica may have met trouble since this poll began.
  const ifLater = (column: PgColumn) => sql`CASE WHEN ${environments.failingSince} > ${now} THEN ${column} END`;
  const trouble = { failingSince: ifLater(environments.failingSince), problem: ifLater(environments.problem) };
  const success = { lastPollAt: now, lastSuccessAt: now, clockAheadMs, ...trouble, version: ONE_MORE };
  const [noted] = await db.update(environments).set(success).where(named(environment)).returning();
  return noted?.failingSince === null;
}

/** Slow polls take long: what counts is when they end. */
export async function noteLag(tx: Db, environment: string, endedAt: Date, lag: Lag): Promise<void> {
  const noted = { lastPollAt: endedAt, lastSuccessAt: endedAt, ...lag };
  await tx.update(environments).set(noted).where(named(environment));
}

export type Trouble = { problem: ServiceProblem; pollMs: number };

/** Opens a gap at the second failed poll. A person's check soon after the first doesn't count. */
/** Failed polls are an outage after a minute, give or take what a poll of each minute is early. */
const LEAST_OUTAGE_MS = 0.9 * MINUTE_MS;

export async function setTrouble(tx: Db, environment: string, { problem, pollMs }: Trouble, now: Date) {
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

export async function noteAnnounced(db: Db, { environment, version }: Announceable, announcedAt: Date) {
  const announcedVersion = sql`GREATEST(${environments.announcedVersion}, ${version})`;
  await db.update(environments).set({ announcedAt, announcedVersion }).where(named(environment));
}
