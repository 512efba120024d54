import { addMilliseconds, subMilliseconds } from 'date-fns';
import * as coverage from '../coverage/environments.ts';
import { causeOfGap, FIRST_COVERAGE_MS, longestBetweenPolls } from '../coverage/gap.ts';
import { endGaps, openGap } from '../coverage/gaps.ts';
import { noteOutage, noteOutageOver } from '../incidents/outage.ts';
import { ServiceError } from '../lib/errors.ts';
import { minuteOf } from '../lib/time/durations.ts';
import type { Db } from '../store/db.ts';
import { isSetBack, moveBack } from '../store/set-back.ts';
import { beginReading, type PollingCtx, probe, type Reading, readPass } from './reading.ts';

/** Older events become a gap, so that the past never delays the present. */
const PRESENT_MS = 15 * 60_000;

/** Throws `ServiceError`; slices read by then stay recorded. */
export async function readPresent(ctx: PollingCtx, environment: string, signal: AbortSignal) {
  const now = ctx.now();
  const service = ctx.serviceOf(environment);
  const first = addMilliseconds(now, (service.clockAheadMs() ?? 0) - FIRST_COVERAGE_MS);
  let known = await coverage.openEnvironment(ctx.db, environment, first);
  if (isSetBack(now, known.lastPollAt)) {
    ctx.logger.warn({ environment, lastPollAt: known.lastPollAt }, 'Our clock was set back');
    await moveBack(ctx.db, now);
    known = await coverage.openEnvironment(ctx.db, environment, first);
  }
  const reading = beginReading(ctx, known, signal);
  try {
    const range = await rangeToRead(reading, known, now);
    if (range.from < range.to) await readPass(reading, { age: 0, range });
    // Otherwise each poll would succeed, and leave one more gap.
    if (reading.trouble && reading.added.newEvents <= 0) throw reading.trouble;
    const clockAheadMs = service.clockAheadMs();
    await ctx.db.transaction(async (tx) => {
      await noteSuccess(tx, environment, clockAheadMs, now);
      await endGaps(tx, environment, { end: range.to, added: reading.added }, now);
    });
    return { ...reading.added, checkedTo: range.to, clockAheadMs, hasGap: range.from > known.checkedTo };
  } catch (error) {
    if (error instanceof ServiceError && !signal.aborted)
      await noteTrouble(ctx.db, environment, { problem: error.problem, pollMs: ctx.pollMs }, ctx.now());
    throw error;
  }
}

/** Measurements of a service's clock differ by some seconds. */
const MEASURED_APART_MS = 10_000;

/** Opens a gap for earlier time. */
async function rangeToRead(reading: Reading, known: coverage.EnvironmentRow, now: Date) {
  const { ctx, environment } = reading;
  const { checkedTo } = known;
  const longestMs = Math.max(PRESENT_MS, longestBetweenPolls(ctx.pollMs));
  const mostBehindMs = checkedTo <= known.coveredFrom ? FIRST_COVERAGE_MS + longestMs : longestMs;
  const skipTo = (db: Db, to: Date) => coverage.noteRead(db, environment, { age: 0, range: { from: checkedTo, to } });
  // Compares whole minutes, as the gap's window could end before its begin.
  const isBehind = (serviceNow: Date) => minuteOf(serviceNow) > addMilliseconds(checkedTo, mostBehindMs);
  const isAhead = (serviceNow: Date) => subMilliseconds(checkedTo, MEASURED_APART_MS) > serviceNow;
  // Our clock may have been changed.
  if (isBehind(reading.serviceNow()) || isAhead(reading.serviceNow())) await probe(reading);
  const serviceNow = reading.serviceNow();
  if (isAhead(serviceNow)) {
    const from = subMilliseconds(serviceNow, longestMs);
    ctx.logger.warn({ environment, from, checkedTo }, "The service's clock was set back");
    await skipTo(ctx.db, from);
    return { from, to: serviceNow };
  }
  if (!isBehind(serviceNow)) return { from: checkedTo, to: serviceNow };
  const from = minuteOf(subMilliseconds(serviceNow, PRESENT_MS));
  const gap = { from: checkedTo, to: serviceNow, cause: causeOfGap(known, now, ctx.pollMs) };
  const windows = [{ from: minuteOf(checkedTo), to: from, tries: 0, nextTryAt: now }];
  await ctx.db.transaction(async (tx) => {
    if (await skipTo(tx, from)) await openGap(tx, environment, { ...gap, windows }, now);
  });
  ctx.logger.warn({ environment, ...gap }, 'Gap opened');
  return { from, to: serviceNow };
}

export async function noteSuccess(tx: Db, environment: string, clockAheadMs: number | null, now: Date) {
  if (await coverage.clearTrouble(tx, environment, clockAheadMs, now)) await noteOutageOver(tx, environment, now);
}

export function noteTrouble(db: Db, environment: string, trouble: coverage.Trouble, now: Date) {
  return db.transaction(async (tx) => {
    const noted = await coverage.setTrouble(tx, environment, trouble, now);
    if (noted !== null) await noteOutage(tx, noted.failing, { problem: trouble.problem, gapId: noted.gapId }, now);
  });
}
