import { addMilliseconds, min, subMilliseconds } from 'date-fns';
import * as coverage from '../coverage/environments.ts';
import { causeOfGap, FIRST_COVERAGE_MS, longestBetweenPolls } from '../coverage/gap.ts';
import { countInOpenGap, endGaps, type NewCounts, openGap, openWindows } from '../coverage/gaps.ts';
import { isLagging, lagAfter } from '../coverage/lag.ts';
import { addToMinutes, replaceMinutes } from '../coverage/minutes.ts';
import type { EnvironmentRow } from '../coverage/tables.ts';
import { noteNotRunning, noteReadable, noteSlowness, noteUnreadable } from '../incidents/conditions.ts';
import { orServiceError, ServiceError } from '../lib/errors.ts';
import { lengthOf, MINUTE_MS, minuteOf, type TimeRange, withoutRanges } from '../lib/time/durations.ts';
import type { Db } from '../store/db.ts';
import { isSetBack, moveBack } from '../store/set-back.ts';
import { identified } from './identity.ts';
import { isWholeMinutes, newestThenOldest } from './passes.ts';
import { type Purpose, readSlices } from './read-slices.ts';
import { beginReading, NOTHING, openGapsFor, type PollingCtx, probe, type Reading } from './reading.ts';
import { recordSlice } from './record.ts';

/** Older events become a gap, so that the past never delays the present. */
const PRESENT_MS = 15 * MINUTE_MS;

export interface PresentReport extends NewCounts {
  checkedTo: Date;
  clockAheadMs: number | null;
  hasGap: boolean;
}

/** Throws `ServiceError`; slices read by then stay recorded. */
export async function readPresent(ctx: PollingCtx, environment: string, signal: AbortSignal): Promise<PresentReport> {
  const now = ctx.now();
  const service = ctx.serviceOf(environment);
  const first = addMilliseconds(now, (service.clockAheadMs() ?? 0) - FIRST_COVERAGE_MS);
  let known = await coverage.openEnvironment(ctx.db, environment, first);
  if (isSetBack(now, known.lastPollAt)) {
    ctx.logger.warn({ environment, lastPollAt: known.lastPollAt }, 'Our clock was set back');
    await moveBack(ctx.db, now);
    known = await coverage.openEnvironment(ctx.db, environment, first);
  }
  const identity = await orServiceError(identified(ctx, known, signal));
  if (identity instanceof ServiceError) {
    const trouble = { problem: identity.problem, pollMs: ctx.pollMs };
    if (!signal.aborted) await noteTrouble(ctx.db, environment, trouble, ctx.now());
    throw identity;
  }
  known = identity;
  const reading = beginReading(ctx, known, signal);
  try {
    const { range, present, hasGap } = await rangeToRead(reading, known, now);
    const read = range.from < range.to ? await readUnread(reading, present, range) : present;
    // Otherwise each poll would succeed, and leave one more gap.
    if (reading.trouble && reading.added.newEvents <= 0) throw reading.trouble;
    const clockAheadMs = service.clockAheadMs();
    const times = { begunAt: now, endedAt: ctx.now(), pollMs: ctx.pollMs };
    const isWhole = read.checkedTo >= range.to;
    const lagMs = isWhole ? 0 : lengthOf({ from: read.checkedTo, to: reading.serviceNow() });
    const lag = lagAfter(known, lagMs, times);
    await ctx.db.transaction(async (tx) => {
      await noteSuccess(tx, environment, clockAheadMs, now);
      if (lag.lagMs !== null || known.lagMs !== null) {
        await coverage.noteLag(tx, environment, times.endedAt, lag);
        await noteSlowness(tx, { environment, clockAheadMs }, lag, now);
      }
      if (isWhole) await endGaps(tx, environment, { end: range.to, added: reading.added }, now);
      else await countInOpenGap(tx, environment, reading.added);
    });
    return { ...reading.added, checkedTo: read.checkedTo, clockAheadMs, hasGap };
  } catch (error) {
    if (error instanceof ServiceError && !signal.aborted) {
      await noteTrouble(ctx.db, environment, { problem: error.problem, pollMs: ctx.pollMs }, ctx.now());
      await countInOpenGap(ctx.db, environment, reading.added);
    }
    throw error;
  }
}

/** Returns how far the present is read then: in part, if the poll would take longer than its interval. */
async function readUnread(
  reading: Reading,
  known: coverage.PresentRead,
  range: TimeRange,
): Promise<coverage.PresentRead> {
  const { ctx, environment } = reading;
  const over = addMilliseconds(ctx.now(), ctx.pollMs);
  const inGaps = await openWindows(ctx.db, environment);
  const whole = { from: minuteOf(range.from), to: range.to };
  const planned = reading.keepsMinutes ? newestThenOldest(withoutRanges(range, known.readAhead)) : null;
  const purpose: Purpose = { reads: 'present', asksForSteps: true, planned };
  let present = known;
  for await (const { read, findings, isCounted, unread } of readSlices(reading, whole, inGaps, purpose)) {
    await openGapsFor(reading, unread);
    // Either clock may have been set back since the poll began.
    const after = read && coverage.presentAfter(present, { from: read.from, to: min([read.to, reading.serviceNow()]) });
    const note = async (tx: Db) => after === null || (await coverage.notePresent(tx, environment, present, after));
    const pieces = read !== null && isCounted ? [read] : [];
    const isPart = read !== null && !isWholeMinutes({ from: read.from, to: read.to < range.to ? read.to : read.from });
    const count = isPart ? addToMinutes : replaceMinutes;
    if (pieces.length + findings.readings.size === 0) await note(ctx.db);
    else await recordSlice(reading, findings, async (tx, write) => ((await note(tx)) ? write(pieces, count) : NOTHING));
    present = after ?? present;
    if (ctx.now() >= over && present.checkedTo > known.checkedTo) break;
  }
  return present;
}

/** Measurements of a service's clock differ by some seconds. */
const MEASURED_APART_MS = 10_000;

/** Opens a gap for earlier time. */
async function rangeToRead(reading: Reading, known: EnvironmentRow, now: Date) {
  const { ctx, environment } = reading;
  const { checkedTo } = known;
  const longestMs = Math.max(PRESENT_MS, longestBetweenPolls(ctx.pollMs));
  const mostBehindMs = checkedTo <= known.coveredFrom ? FIRST_COVERAGE_MS + longestMs : longestMs;
  const mostMs = isLagging(known, ctx.pollMs, now) ? Math.max(ctx.horizonMs, mostBehindMs) : mostBehindMs;
  // Compares whole minutes, as the gap's window could end before its begin.
  const isBehind = (serviceNow: Date) => minuteOf(serviceNow) > addMilliseconds(checkedTo, mostMs);
  const isAhead = (serviceNow: Date) => subMilliseconds(checkedTo, MEASURED_APART_MS) > serviceNow;
  // Our clock may have been changed.
  if (isBehind(reading.serviceNow()) || isAhead(reading.serviceNow())) await probe(reading);
  const to = reading.serviceNow();
  if (isAhead(to)) {
    const from = subMilliseconds(to, longestMs);
    ctx.logger.warn({ environment, from, checkedTo }, "The service's clock was set back");
    const present = { checkedTo: from, readAhead: [] };
    await coverage.notePresent(ctx.db, environment, known, present);
    return { range: { from, to }, present, hasGap: false };
  }
  if (!isBehind(to)) return { range: { from: checkedTo, to }, present: known, hasGap: false };
  const from = minuteOf(subMilliseconds(to, PRESENT_MS));
  const gap = { from: checkedTo, to, cause: causeOfGap(known, now, ctx.pollMs) };
  const unread = withoutRanges({ from: minuteOf(checkedTo), to: from }, known.readAhead);
  const windows = unread.map((range) => ({ ...range, tries: 0, nextTryAt: now }));
  const present = coverage.presentAfter(known, { from: checkedTo, to: from });
  await ctx.db.transaction(async (tx) => {
    if (!(await coverage.notePresent(tx, environment, known, present))) return;
    const gapId = await openGap(tx, environment, { ...gap, windows }, now);
    if (gap.cause === 'not-running') await noteNotRunning(tx, known, { ...gap, gapId }, now);
  });
  ctx.logger.warn({ environment, ...gap }, 'Gap opened');
  return { range: { from: present.checkedTo, to }, present, hasGap: true };
}

export async function noteSuccess(tx: Db, environment: string, clockAheadMs: number | null, now: Date): Promise<void> {
  if (await coverage.clearTrouble(tx, environment, clockAheadMs, now))
    await noteReadable(tx, environment, clockAheadMs, now);
}

export function noteTrouble(db: Db, environment: string, trouble: coverage.Trouble, now: Date): Promise<void> {
  return db.transaction(async (tx) => {
    const noted = await coverage.setTrouble(tx, environment, trouble, now);
    if (noted !== null) await noteUnreadable(tx, noted.failing, { problem: trouble.problem, gapId: noted.gapId }, now);
  });
}
