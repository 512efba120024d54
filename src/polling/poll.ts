import { addMilliseconds, min, subMilliseconds } from 'date-fns';
import {
  clearTrouble,
  coverFrom,
  noteLag,
  notePresent,
  openEnvironment,
  type PresentRead,
  presentAfter,
  setTrouble,
  type Trouble,
} from '../coverage/environments.ts';
import { causeOfGap, FIRST_COVERAGE_MS, longestBetweenPolls } from '../coverage/gap.ts';
import { countInOpenGap, endGaps, type NewCounts, openGap, openWindows } from '../coverage/gaps.ts';
import { isLagging, lagAfter } from '../coverage/lag.ts';
import { addToMinutes, replaceMinutes } from '../coverage/minutes.ts';
import type { EnvironmentRow } from '../coverage/tables.ts';
import { noteNotRunning, noteReadable, noteSlowness, noteUnreadable } from '../incidents/service-conditions.ts';
import { noteSharedLabels } from '../incidents/shared-label.ts';
import { lengthOf, MINUTE_MS, minuteOf, type TimeRange, withoutRanges } from '../lib/time/durations.ts';
import { ServiceError } from '../service/service-error.ts';
import type { Db } from '../store/db.ts';
import { isSetBack, moveBack } from '../store/set-back.ts';
import type { Polls } from './check-now.ts';
import { identified } from './identity.ts';
import { type Purpose, readSlices } from './read-slices.ts';
import { beginReading, openGapsFor, type PollingCtx, probe, type Reading } from './reading.ts';
import { recordAndMove } from './record-slice.ts';
import { isAtMinute, newestThenOldest } from './slices.ts';
import { LONG_HOLD_MS, readAndLog } from './try-reading.ts';

export interface PollCtx extends PollingCtx {
  polls: Polls;
  heldForMs: (environment: string) => number;
  wakePast(environment: string): Promise<void>;
  wakeAnnouncing(): Promise<void>;
  countRecorded: (environment: string, added: NewCounts) => void;
}

const PRESENT_LOGS = { success: 'Events checked', failure: "Events couldn't be read" };

/** Older events become a gap, so that the past never delays the present. */
const PRESENT_MS = 15 * MINUTE_MS;

/** Measurements of a service's clock differ by some seconds. */
const MEASURED_APART_MS = 10_000;

export interface PresentReport extends NewCounts {
  checkedTo: Date;
  clockAheadMs: number | null;
  /** Whether this poll left a gap. */
  hasGap: boolean;
}

export async function pollPresent(ctx: PollCtx, environment: string, signal: AbortSignal): Promise<void> {
  const read = () => ctx.polls.run(environment, () => readPresent(ctx, environment, signal));
  try {
    await noteLongHold(ctx, environment);
    const report = await readAndLog(ctx, environment, PRESENT_LOGS, read);
    if (report !== null) await noteSharedLabels(ctx.db, environment, ctx.traffic);
    if (report?.hasGap) await ctx.wakePast(environment);
  } finally {
    await ctx.wakeAnnouncing();
  }
}

/** A minute without a poll is a gap, whatever the reason. */
async function noteLongHold(ctx: PollCtx, environment: string): Promise<void> {
  const retryAfterMs = ctx.heldForMs(environment);
  if (retryAfterMs <= LONG_HOLD_MS) return;
  const trouble: Trouble = { problem: { kind: 'rate-limited', retryAfterMs }, pollMs: ctx.pollMs };
  await noteTrouble(ctx.db, environment, trouble, ctx.now());
}

/** Throws `ServiceError`; slices read by then stay recorded. */
export async function readPresent(ctx: PollingCtx, environment: string, signal: AbortSignal): Promise<PresentReport> {
  const begunAt = ctx.now();
  const stored = await storedEnvironment(ctx, environment, begunAt);
  let reading: Reading | null = null;
  try {
    const known = await identified(ctx, stored, signal);
    reading = beginReading(ctx, known, signal);
    return await readAndNote(reading, await withFirstHour(reading, known), begunAt);
  } catch (error) {
    if (error instanceof ServiceError && !signal.aborted) {
      await noteTrouble(ctx.db, environment, { problem: error.problem, pollMs: ctx.pollMs }, ctx.now());
      // What was read before counts also in the gap, which the trouble may have opened just now.
      if (reading !== null) await countInOpenGap(ctx.db, environment, reading.added);
    }
    throw error;
  }
}

async function storedEnvironment(ctx: PollingCtx, environment: string, now: Date): Promise<EnvironmentRow> {
  const clockAheadMs = ctx.serviceOf(environment).clockAheadMs() ?? 0;
  const coveredFrom = addMilliseconds(now, clockAheadMs - FIRST_COVERAGE_MS);
  const stored = await openEnvironment(ctx.db, environment, coveredFrom);
  const { lastPollAt } = stored;
  if (!isSetBack(now, lastPollAt)) return stored;
  ctx.logger.warn({ environment, lastPollAt }, 'Our clock was set back');
  await moveBack(ctx.db, now);
  return openEnvironment(ctx.db, environment, coveredFrom);
}

/** From its start, Notif covers an hour by the service's clock. Ours may be ahead, which shows with the first answer. */
async function withFirstHour(reading: Reading, known: EnvironmentRow): Promise<EnvironmentRow> {
  if (known.checkedTo > known.coveredFrom) return known;
  if (reading.service.clockAheadMs() === null) await probe(reading);
  const coveredFrom = subMilliseconds(reading.serviceNow(), FIRST_COVERAGE_MS);
  return coveredFrom < known.coveredFrom ? coverFrom(reading.ctx.db, known, coveredFrom) : known;
}

async function readAndNote(reading: Reading, known: EnvironmentRow, begunAt: Date): Promise<PresentReport> {
  const { ctx } = reading;
  const { present, end, hasGap } = await beginPresent(reading, known, begunAt);
  const range = { from: present.checkedTo, to: end };
  const { checkedTo } = range.from < end ? await readUnread(reading, present, range) : present;
  // A poll that found nothing but trouble fails: otherwise each would succeed, and leave one more gap.
  if (reading.trouble && reading.added.newEvents <= 0) throw reading.trouble;
  await notePoll(reading, known, { begunAt, endedAt: ctx.now(), checkedTo, end });
  return { ...reading.added, checkedTo, clockAheadMs: reading.service.clockAheadMs(), hasGap };
}

interface BegunPresent {
  /** How far the present counts as read before this poll reads. */
  present: PresentRead;
  /** Up to where this poll reads. */
  end: Date;
  hasGap: boolean;
}

/** Moves the present back if the service's clock was, and beyond what is too old for a poll: that becomes a gap. */
async function beginPresent(reading: Reading, known: EnvironmentRow, now: Date): Promise<BegunPresent> {
  const { ctx, environment } = reading;
  const { checkedTo } = known;
  const longestMs = Math.max(PRESENT_MS, longestBetweenPolls(ctx.pollMs));
  // The first poll also reads the hour that is covered from the start.
  const mostBehindMs = checkedTo <= known.coveredFrom ? FIRST_COVERAGE_MS + longestMs : longestMs;
  // A present that lags is caught up on, and isn't left to the past.
  const mostMs = isLagging(known, ctx.pollMs, now) ? Math.max(ctx.horizonMs, mostBehindMs) : mostBehindMs;
  // Compares whole minutes, as the gap's window could end before its begin.
  const isBehind = (serviceNow: Date) => minuteOf(serviceNow) > addMilliseconds(checkedTo, mostMs);
  const isAhead = (serviceNow: Date) => subMilliseconds(checkedTo, MEASURED_APART_MS) > serviceNow;
  // Our clock may have been changed.
  if (isBehind(reading.serviceNow()) || isAhead(reading.serviceNow())) await probe(reading);
  const end = reading.serviceNow();
  if (isAhead(end)) {
    const from = subMilliseconds(end, longestMs);
    ctx.logger.warn({ environment, from, checkedTo }, "The service's clock was set back");
    const present = { checkedTo: from, readAhead: [] };
    await notePresent(ctx.db, environment, known, present);
    return { present, end, hasGap: false };
  }
  if (!isBehind(end)) return { present: known, end, hasGap: false };
  return leaveGap(ctx, known, end, now);
}

async function leaveGap(ctx: PollingCtx, known: EnvironmentRow, end: Date, now: Date): Promise<BegunPresent> {
  const { environment, checkedTo, readAhead } = known;
  const from = minuteOf(subMilliseconds(end, PRESENT_MS));
  const gap = { from: checkedTo, to: end, cause: causeOfGap(known, now, ctx.pollMs) };
  const unread = withoutRanges({ from: minuteOf(checkedTo), to: from }, readAhead);
  const windows = unread.map((range) => ({ ...range, tries: 0, nextTryAt: now }));
  const present = presentAfter(known, { from: checkedTo, to: from });
  const hasGap = await ctx.db.transaction(async (tx) => {
    // Another process that moved the present left the gap.
    if (!(await notePresent(tx, environment, known, present))) return false;
    const gapId = await openGap(tx, environment, { ...gap, windows }, now);
    if (gap.cause === 'not-running') await noteNotRunning(tx, known, { ...gap, gapId }, now);
    return true;
  });
  if (hasGap) ctx.logger.warn({ environment, ...gap }, 'Gap opened');
  return { present, end, hasGap };
}

/** Returns how far the present is read then: in part, if the poll would take longer than its interval. */
async function readUnread(reading: Reading, begun: PresentRead, range: TimeRange): Promise<PresentRead> {
  const { ctx, environment } = reading;
  const over = addMilliseconds(ctx.now(), ctx.pollMs);
  const inGaps = await openWindows(ctx.db, environment);
  const whole = { from: minuteOf(range.from), to: range.to };
  const planned = reading.keepsMinutes ? newestThenOldest(withoutRanges(range, begun.readAhead)) : null;
  const purpose: Purpose = { reads: 'present', asksForSteps: true, planned };
  let present = begun;
  for await (const { read, findings, isCounted, unread } of readSlices(reading, whole, inGaps, purpose)) {
    await openGapsFor(reading, unread);
    // Either clock may have been set back since the poll began.
    const after = read && presentAfter(present, { from: read.from, to: min([read.to, reading.serviceNow()]) });
    const counted = read !== null && isCounted ? [read] : [];
    const count = counted.some((part) => isPartOfMinutes(part, range.to)) ? addToMinutes : replaceMinutes;
    await recordAndMove(reading, { findings, counted, count }, async (tx) => {
      return after === null || (await notePresent(tx, environment, present, after));
    });
    present = after ?? present;
    if (ctx.now() >= over && present.checkedTo > begun.checkedTo) break;
  }
  return present;
}

/** Whether the rest of a range's first or last minute is read on its own. After the end nothing is read. */
const isPartOfMinutes = ({ from, to }: TimeRange, end: Date): boolean =>
  !isAtMinute(from) || (to < end && !isAtMinute(to));

/** A poll that the service answered, between two times by our clock. */
interface Poll {
  begunAt: Date;
  endedAt: Date;
  /** How far the present was read, and how far it was to be read, by the service's clock. */
  checkedTo: Date;
  end: Date;
}

/** `known` is the environment as it was before the poll. */
async function notePoll(reading: Reading, known: EnvironmentRow, poll: Poll): Promise<void> {
  const { ctx, environment, service, added } = reading;
  const { begunAt, endedAt, checkedTo, end } = poll;
  const clockAheadMs = service.clockAheadMs();
  const isWhole = checkedTo >= end;
  const lagMs = isWhole ? 0 : lengthOf({ from: checkedTo, to: reading.serviceNow() });
  const lag = lagAfter(known, lagMs, { begunAt, endedAt, pollMs: ctx.pollMs });
  await ctx.db.transaction(async (tx) => {
    await noteSuccess(tx, environment, clockAheadMs, begunAt);
    if (lag.lagMs !== null || known.lagMs !== null) {
      await noteLag(tx, environment, endedAt, lag);
      await noteSlowness(tx, { environment, clockAheadMs }, lag, begunAt);
    }
    if (isWhole) await endGaps(tx, environment, { end, added }, begunAt);
    else await countInOpenGap(tx, environment, added);
  });
}

export async function noteSuccess(tx: Db, environment: string, clockAheadMs: number | null, now: Date): Promise<void> {
  if (await clearTrouble(tx, environment, clockAheadMs, now)) await noteReadable(tx, environment, clockAheadMs, now);
}

export async function noteTrouble(db: Db, environment: string, trouble: Trouble, now: Date): Promise<void> {
  await db.transaction(async (tx) => {
    const outage = await setTrouble(tx, environment, trouble, now);
    if (outage === null) return;
    await noteUnreadable(tx, outage.failing, { problem: trouble.problem, gapId: outage.gapId }, now);
  });
}
