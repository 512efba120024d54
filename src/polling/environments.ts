import { addMilliseconds } from 'date-fns';
import { z } from 'zod';
import type { ServiceProblem } from '../domain/errors.ts';
import { CLOCK_TOLERANCE_MS } from '../domain/polling/clock.ts';
import type { TimeRange } from '../domain/time/time-range.ts';
import type { Db } from '../store/db.ts';
import { StoredProblem } from '../store/problems.ts';
import { Count, rowWith } from '../store/row.ts';
import { jsonOf } from '../store/values.ts';
import { type SetAside, setAside } from './gaps.ts';
import { type Grown, type MinuteCounts, replaceMinutes } from './minutes.ts';
import type { ReadTo } from './passes.ts';

/** How far an environment's list was read; times of events are the service's. */
export interface ReadEnvironment {
  readonly environment: string;
  /** Nothing created before is read. Equal to `checkedTo` before anything was read. */
  readonly coveredFrom: Date;
  /** How far the present was read. */
  readonly checkedTo: Date;
  readonly readTo: ReadTo;
  readonly lastPollAt: Date | null;
  /** When the last poll that succeeded began, by our clock; null before the first. */
  readonly lastSuccessAt: Date | null;
  readonly clockAheadMs: number | null;
  /** What kept the last poll from reading; null if it succeeded. */
  readonly problem: ServiceProblem | null;
}

const StoredReadTo = z.record(z.string(), z.coerce.date()).transform((times): ReadTo => {
  return new Map(Object.entries(times).map(([age, time]) => [Number(age), time]));
});

const EnvironmentRow = rowWith({
  environment: z.string(),
  coveredFrom: z.date(),
  checkedTo: z.date(),
  readTo: StoredReadTo,
  lastPollAt: z.date().nullable(),
  lastSuccessAt: z.date().nullable(),
  clockAheadMs: Count.nullable(),
  problem: StoredProblem.nullable(),
});

export async function environmentOf(sql: Db, environment: string): Promise<ReadEnvironment | null> {
  const known = await sql.rows(EnvironmentRow, 'SELECT * FROM environments WHERE environment = $1', [environment]);
  return known[0] ?? null;
}

/** Returns the environment. One that is seen for the first time is covered from `first` on. */
export async function openEnvironment(db: Db, environment: string, first: Date): Promise<ReadEnvironment> {
  const known = await environmentOf(db, environment);
  if (known !== null) return known;
  const add = `
    INSERT INTO environments (environment, covered_from, checked_to) VALUES ($1, $2, $2) ON CONFLICT DO NOTHING`;
  await db.write(add, [environment, first]);
  const opened = await environmentOf(db, environment);
  if (opened === null) throw new Error('an environment was neither made nor found');
  return opened;
}

const PRESENT = `UPDATE environments SET checked_to = $3 WHERE environment = $1 AND checked_to = $2`;
const PASS = `
  UPDATE environments SET read_to = jsonb_set(read_to, ARRAY[$4::text], to_jsonb($5::text)) WHERE environment = $1
    AND coalesce((read_to ->> $4::text)::timestamptz, $2) <= $2 AND $2::timestamptz < $3::timestamptz`;

/** A slice that was read: what to count of it, in `pieces` of whole minutes, and where its pass had been (`from`). */
export interface ReadSlice {
  readonly age: number;
  readonly from: Date;
  readonly to: Date;
  readonly counts: MinuteCounts;
  readonly pieces: readonly TimeRange[];
}

/** Notes that a slice was read. If another process has read it meanwhile and noted that, this changes nothing. */
export function noteRead(db: Db, environment: string, { age, from, to, counts, pieces }: ReadSlice): Promise<Grown> {
  return db.transaction(async (sql) => {
    const values = [environment, from, to];
    if (age === 0) await sql.write(PRESENT, values);
    else await sql.write(PASS, [...values, String(age), to.toISOString()]);
    const grown = { newEvents: 0, newUnreadable: 0 };
    for (const piece of pieces) {
      const { newEvents, newUnreadable } = await replaceMinutes(sql, environment, piece, counts);
      grown.newEvents += newEvents;
      grown.newUnreadable += newUnreadable;
    }
    return grown;
  });
}

/** Notes where passes begin that haven't read anything yet. */
export async function beginPasses(sql: Db, environment: string, readTo: ReadTo): Promise<void> {
  const times = Object.fromEntries([...readTo].map(([age, time]) => [age, time.toISOString()]));
  await sql.write('UPDATE environments SET read_to = $2::jsonb || read_to WHERE environment = $1', [
    environment,
    jsonOf(times),
  ]);
}

export async function noteBehind(sql: Db, environment: string, ms: number): Promise<void> {
  await sql.write('UPDATE environments SET behind_ms = $2 WHERE environment = $1 AND behind_ms <> $2', [
    environment,
    ms,
  ]);
}

/** Leaves what the present is behind for later: the gap and the step beyond it are one. */
export function leaveBehind(
  db: Db,
  { environment, checkedTo }: ReadEnvironment,
  gap: SetAside,
  to: Date,
  now: Date,
): Promise<void> {
  return db.transaction(async (sql) => {
    const isFirst = (await sql.write(PRESENT, [environment, checkedTo, to])) > 0;
    if (isFirst) await setAside(sql, environment, gap, now);
  });
}

/** The service's clock was set back: everything is read again from a time on, at every age. */
export async function setBack(sql: Db, environment: string, to: Date): Promise<void> {
  await sql.write(
    `UPDATE environments SET checked_to = LEAST(checked_to, $2), read_to = (
       SELECT coalesce(jsonb_object_agg(key, to_jsonb(LEAST((value #>> '{}')::timestamptz, $2::timestamptz))), '{}') FROM jsonb_each(read_to)
     ) WHERE environment = $1`,
    [environment, to],
  );
}

export async function noteSuccess(
  sql: Db,
  environment: string,
  { clockAheadMs, newestEventAt }: { readonly clockAheadMs: number | null; readonly newestEventAt: Date | null },
  now: Date,
): Promise<void> {
  await sql.write(
    `UPDATE environments SET last_poll_at = $2, last_success_at = $2, clock_ahead_ms = $3,
       newest_event_at = GREATEST(newest_event_at, $4), failing_since = NULL, problem = NULL, news = news + 1
     WHERE environment = $1`,
    [environment, now, clockAheadMs, newestEventAt],
  );
}

const FailingRow = rowWith({ checkedTo: z.date(), failingSince: z.date() });

/** Returns since when the environment has been failing, and until when it was read before. */
export async function noteFailing(sql: Db, environment: string, problem: ServiceProblem, now: Date) {
  const [failing] = await sql.rows(
    FailingRow,
    `UPDATE environments SET last_poll_at = $2, failing_since = coalesce(failing_since, $2), problem = $3::jsonb, news = news + 1
     WHERE environment = $1 RETURNING checked_to, failing_since`,
    [environment, now, jsonOf(problem)],
  );
  if (failing === undefined) throw new Error('an environment was failing before it was read');
  return failing;
}

const DueRow = z.object({ environment: z.string(), news: Count });
export type DueEnvironment = z.output<typeof DueRow>;

/** Returns the environments with something new to announce, and those not announced since a time. */
export function dueForAnnouncing(sql: Db, notSince: Date): Promise<DueEnvironment[]> {
  const due = `
    SELECT environment, news FROM environments WHERE news > announced_news OR announced_at IS NULL OR announced_at <= $1
    ORDER BY announced_at NULLS FIRST, environment`;
  return sql.rows(DueRow, due, [notSince]);
}

/** Never moves the time back, whichever replica is late, except from one too far ahead: that is from before a clock was set back. */
export async function noteAnnounced(sql: Db, { environment, news }: DueEnvironment, now: Date): Promise<void> {
  const note = `
    UPDATE environments SET announced_at = CASE WHEN announced_at BETWEEN $2 AND $4 THEN announced_at ELSE $2 END,
      announced_news = GREATEST(announced_news, $3)
    WHERE environment = $1`;
  await sql.write(note, [environment, now, news, addMilliseconds(now, CLOCK_TOLERANCE_MS)]);
}

/** Returns how many events each minute of a range had when it was last read. */
export async function eventsByMinute(sql: Db, environment: string, { from, to }: TimeRange) {
  const rows = await sql.rows(
    z.object({ minute: z.date(), events: Count }),
    `SELECT minute, sum(events + unreadable) AS events FROM event_counts
     WHERE environment = $1 AND minute >= $2 AND minute < $3 GROUP BY minute`,
    [environment, from, to],
  );
  return new Map(rows.map(({ minute, events }) => [minute.getTime(), events]));
}
