import { addMilliseconds, min, subMilliseconds } from 'date-fns';
import {
  environmentOf,
  noteBehind,
  notePass,
  notePastFailing,
  type Pass,
  putPasses,
} from '../coverage/environments.ts';
import { nextWindow, windowsLeft } from '../coverage/gap.ts';
import {
  countInGap,
  dueWindow,
  type NewCounts,
  type OpenWindow,
  openWindows,
  replaceWindow,
} from '../coverage/gaps.ts';
import type { EnvironmentRow, ReadTo, WaitingEventRow } from '../coverage/tables.ts';
import { dueToRead, noteRead } from '../coverage/waiting-events.ts';
import { minuteOf, overlap, SECOND_MS, withoutRanges } from '../lib/time/durations.ts';
import { mayBeAboutTheRequest, orServiceError, ServiceError } from '../service/service-error.ts';
import { retrieveWithOwnSteps } from '../service/steps.ts';
import {
  agesWithSteps,
  behindMs,
  currentReadTo,
  lastPassJumps,
  latestReadTo,
  nextPass,
  readByYounger,
} from './passes.ts';
import type { PollCtx } from './poll.ts';
import { judgePage, noFindings, type Purpose, readSlices } from './read-slices.ts';
import { beginReading, openGapsFor, type PollingCtx, probe, type Reading } from './reading.ts';
import { recordAndMove, recordSlice } from './record-slice.ts';
import { isWholeMinutes, minutesOf, wholeMinutes } from './slices.ts';
import { readAndLog } from './try-reading.ts';

/** Two fifths of the smallest plan's rate (docs/service.md). */
export const PAGES_A_SECOND = 12;
/** Each is a request. */
const WAITING_A_TURN = 100;

const LOGS = { success: 'Late failures checked', failure: "Late failures couldn't be looked for" };

export async function pollPast(ctx: PollCtx, environment: string, forMs: number, signal: AbortSignal): Promise<void> {
  const read = () => readPast(ctx, environment, addMilliseconds(ctx.now(), forMs), signal);
  const report = await readAndLog(ctx, environment, LOGS, read);
  if (report !== null && report.newFailures > 0) await ctx.wakeAnnouncing();
}

interface PastReport extends NewCounts {
  pages: number;
}

/** Returns null if the present wasn't read yet. */
export async function readPast(
  ctx: PollingCtx,
  environment: string,
  until: Date,
  signal: AbortSignal,
): Promise<PastReport | null> {
  const known = await environmentOf(ctx.db, environment);
  if (known === null || known.lastSuccessAt === null) return null;
  const { readTo, pastFailingSince } = known;
  const reading = beginReading(ctx, known, signal);
  reading.keepsMinutes ||= pastFailingSince !== null;
  const noteFailing = (since: Date | null) => notePastFailing(ctx.db, environment, since);
  try {
    // What the last pass jumps over is lost, unless it only seems to, as our clock was changed.
    if (lastPassJumps(readTo, reading.ages, reading.serviceNow())) await probe(reading);
    await readGapsAndPasses(reading, known, until);
  } catch (error) {
    if (error instanceof ServiceError && !signal.aborted) await noteFailing(pastFailingSince ?? ctx.now());
    throw error;
  }
  if (pastFailingSince !== null) await noteFailing(null);
  return { ...reading.added, pages: reading.pages };
}

async function readGapsAndPasses(
  reading: Reading,
  { failingSince, readAhead }: EnvironmentRow,
  until: Date,
): Promise<void> {
  const began = reading.ctx.now();
  const halfTime = new Date((began.getTime() + until.getTime()) / 2);
  const mostPages = PAGES_A_SECOND * Math.max(1, (until.getTime() - began.getTime()) / SECOND_MS);
  // While the service refuses some of it, the present gets all that is answered.
  const isCatchingUp = failingSince !== null && readAhead.length > 0;
  const gapsRead = isCatchingUp ? null : await orServiceError(readGaps(reading, halfTime, mostPages / 2));
  // Unreadable gaps don't keep passes from reading.
  await readPasses(reading, until, mostPages);
  await readWaiting(reading);
  if (gapsRead instanceof ServiceError) throw gapsRead;
}

async function readPasses(reading: Reading, until: Date, mostPages: number): Promise<void> {
  const { ctx, environment, ages, signal } = reading;
  for (;;) {
    // The pass before may have measured the service's clock.
    const serviceNow = reading.serviceNow();
    signal.throwIfAborted();
    const known = await environmentOf(ctx.db, environment);
    if (known === null) return;
    const readTo = currentReadTo(known.readTo, ages, known, serviceNow);
    // A pass begins, also after what can't be read, or has read too far as a clock was set back.
    const isMoved = ([age, to]: [number, Date]) => !known.readTo.has(age) || to < (known.readTo.get(age) ?? to);
    if ([...readTo].some(isMoved)) await putPasses(ctx.db, known, readTo);
    const lateMs = behindMs(readTo, serviceNow, ctx.pollMs);
    if (lateMs !== known.behindMs) await noteBehind(ctx.db, environment, lateMs);
    const pass = nextPass(readTo, serviceNow);
    const isLeft = ctx.now() < until && reading.pages < mostPages;
    if (known.failingSince !== null || pass === undefined || !isLeft) return;
    reading.youngerReadTo = readByYounger(readTo, pass.age, known.clockAheadMs);
    await readPass(reading, pass, readTo);
  }
}

async function readPass(reading: Reading, { age, range }: Pass, readTo: ReadTo): Promise<void> {
  const { ctx, environment } = reading;
  const inGaps = await openWindows(ctx.db, environment);
  const whole = { from: minuteOf(range.from), to: range.to };
  // Each pass begins with another event's steps.
  reading.steps.turn = reading.ages.indexOf(age);
  // Younger passes jump over what this one reads.
  const isRead = (each: number) => each <= age && (readTo.get(each) ?? range.to) < range.to;
  const asksForSteps = agesWithSteps(reading.ages).some(isRead);
  const purpose: Purpose = { reads: 'pass', asksForSteps, planned: null };
  let { from } = range;
  for await (const { read, findings, isCounted, unread } of readSlices(reading, whole, inGaps, purpose)) {
    await openGapsFor(reading, unread);
    // Either clock may have been set back since the pass began.
    const to = read === null ? from : min([read.to, latestReadTo(age, reading.serviceNow())]);
    const holes = [...inGaps, ...unread].map(wholeMinutes);
    const counted = read !== null && isCounted ? withoutRanges(read, holes) : [];
    await recordAndMove(reading, { findings, counted }, async (tx) => {
      return read === null || (await notePass(tx, environment, { age, range: { from, to } }));
    });
    from = to;
  }
}

async function readGaps(reading: Reading, until: Date, mostPages: number): Promise<void> {
  const { ctx, environment, signal } = reading;
  // Our clock may have been changed while nothing ran.
  if (reading.needsProbe) await probe(reading);
  for (;;) {
    const open = await openWindows(ctx.db, environment);
    const due = dueWindow(open, ctx.now());
    if (due === undefined || ctx.now() >= until || reading.pages >= mostPages) return;
    signal.throwIfAborted();
    await readGap(reading, due, open);
  }
}

async function readGap(reading: Reading, due: OpenWindow, open: readonly OpenWindow[]): Promise<void> {
  const { ctx, environment } = reading;
  const now = ctx.now();
  const next = () => nextWindow(due, subMilliseconds(reading.serviceNow(), ctx.horizonMs));
  // After a change of our clock, it may only seem to be lost.
  if (next().isLost) await probe(reading);
  const { isLost, ...window } = next();
  const tried = { ...due, ...window };
  if (isLost) {
    const left = [{ ...window, tries: due.tries, nextTryAt: null }];
    await ctx.db.transaction((tx) => replaceWindow(tx, environment, { tried, left }, now));
  } else await readGapWindow(reading, tried, open);
  ctx.logger.info({ environment, ...window }, 'Gap read');
}

/** What was read of a window is kept, also if the rest of it can't be. */
async function readGapWindow(reading: Reading, tried: OpenWindow, open: readonly OpenWindow[]): Promise<void> {
  const { ctx, environment, keepsMinutes } = reading;
  const now = ctx.now();
  const others = open.filter(({ from, to }) => to <= tried.from || from >= tried.to);
  const planned = keepsMinutes ? minutesOf(tried) : null;
  const purpose: Purpose = { reads: 'gap', asksForSteps: true, planned };
  for await (const slice of readSlices(reading, wholeMinutes(tried), others, purpose)) {
    const { read, findings, unread } = slice;
    const part = read && overlap(read, tried);
    const left = windowsLeft(unread, tried.tries, now);
    // Passes count the rest of a minute with it.
    const pieces = read !== null && slice.isCounted && isWholeMinutes(read) ? [read] : [];
    await recordSlice(reading, findings, async (tx, write) => {
      const added = await write(pieces);
      // After `write`, which locks the environment: polls lock it before a gap of it, too.
      if (part) await replaceWindow(tx, environment, { tried: { ...tried, ...part }, left }, now);
      await countInGap(tx, tried.gapId, added);
      return added;
    });
  }
}

/** No list that is read shows these events any more, so they are asked for one by one. */
async function readWaiting(reading: Reading): Promise<void> {
  const { ctx, environment, steps, signal } = reading;
  for (const row of await dueToRead(ctx.db, environment, reading.serviceNow(), WAITING_A_TURN)) {
    if (steps.left === 0) return;
    signal.throwIfAborted();
    steps.left -= 1;
    await readWaitingEvent(reading, row);
  }
}

async function readWaitingEvent(reading: Reading, row: WaitingEventRow): Promise<void> {
  const { ctx, service, call } = reading;
  const now = reading.serviceNow();
  const event = await orServiceError(retrieveWithOwnSteps(row.eventId, service, call));
  if (event instanceof ServiceError && !mayBeAboutTheRequest(event.problem)) throw event;
  const items = event === null || event instanceof ServiceError ? [] : [event];
  const findings = noFindings({ from: row.dueAt, to: now });
  await judgePage(reading, 'pass', { items, unreadable: [], hasMore: false }, findings);
  await recordSlice(reading, findings, async (tx, write) => {
    const added = await write([]);
    await noteRead(tx, row, now, ctx.horizonMs);
    return added;
  });
}
