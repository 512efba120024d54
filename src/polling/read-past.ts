import { subMilliseconds } from 'date-fns';
import { environmentOf, noteBehind, putPasses } from '../coverage/environments.ts';
import { nextWindow, type Unread, windowsLeft } from '../coverage/gap.ts';
import { countInGap, dueWindow, type OpenWindow, openWindows, replaceWindow } from '../coverage/gaps.ts';
import { ServiceError } from '../lib/errors.ts';
import { SECOND_MS } from '../lib/time/durations.ts';
import { behindMs, currentReadTo, lastPassJumps, nextPass, readByYounger } from './passes.ts';
import { beginReading, type PollingCtx, probe, type Reading, readPass, readSlices, wholeMinutes } from './reading.ts';
import { recordSlice } from './record.ts';

/** Two fifths of the smallest plan's rate (docs/service.md). */
export const PAGES_A_SECOND = 12;

export async function readPast(ctx: PollingCtx, environment: string, until: Date, signal: AbortSignal) {
  const began = ctx.now();
  const known = await environmentOf(ctx.db, environment);
  if (known === null || known.lastSuccessAt === null) return null;
  const reading = beginReading(ctx, known, signal);
  // After a change of our clock, it may only seem to.
  if (lastPassJumps(known.readTo, reading.ages, reading.serviceNow())) await probe(reading);
  const halfTime = new Date((began.getTime() + until.getTime()) / 2);
  const mostPages = PAGES_A_SECOND * Math.max(1, (until.getTime() - began.getTime()) / SECOND_MS);
  // Unreadable gaps don't keep passes from reading.
  const trouble = await readGaps(reading, halfTime, mostPages / 2).catch((error: unknown) => error);
  if (trouble === undefined || trouble instanceof ServiceError) await readPasses(reading, until, mostPages);
  if (trouble !== undefined) throw trouble;
  return { ...reading.added, pages: reading.pages };
}

async function readPasses(reading: Reading, until: Date, mostPages: number) {
  const { ctx, environment, ages, signal } = reading;
  for (;;) {
    // The pass before may have measured the service's clock.
    const serviceNow = reading.serviceNow();
    signal.throwIfAborted();
    const known = await environmentOf(ctx.db, environment);
    if (known === null) return;
    const readTo = currentReadTo(known.readTo, ages, known, serviceNow);
    // A pass begins, or has read too far as a clock was set back.
    const isMoved = ([age, to]: [number, Date]) => !known.readTo.has(age) || to < (known.readTo.get(age) ?? to);
    if ([...readTo].some(isMoved)) await putPasses(ctx.db, environment, readTo);
    const lateMs = behindMs(readTo, serviceNow, ctx.pollMs);
    if (lateMs !== known.behindMs) await noteBehind(ctx.db, environment, lateMs);
    const pass = nextPass(readTo, serviceNow);
    if (known.failingSince !== null || pass === undefined || ctx.now() >= until || reading.pages >= mostPages) return;
    reading.youngerReadTo = readByYounger(readTo, pass.age, known.clockAheadMs);
    await readPass(reading, pass, readTo);
  }
}

async function readGaps(reading: Reading, until: Date, mostPages: number) {
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

async function readGap(reading: Reading, due: OpenWindow, open: readonly OpenWindow[]) {
  const { ctx, environment } = reading;
  const now = ctx.now();
  const next = () => nextWindow(due, subMilliseconds(reading.serviceNow(), ctx.horizonMs));
  // After a change of our clock, it may only seem to be lost.
  if (next().isLost) await probe(reading);
  const { isLost, ...window } = next();
  const tried = { ...due, ...window };
  const left = isLost
    ? [{ ...window, tries: due.tries, nextTryAt: null }]
    : windowsLeft(await readGapWindow(reading, tried, open), due.tries, now);
  await ctx.db.transaction((tx) => replaceWindow(tx, environment, { tried, left }, now));
  ctx.logger.info({ environment, ...window, left: left.length }, 'Gap read');
}

async function readGapWindow(reading: Reading, { gapId, ...window }: OpenWindow, open: readonly OpenWindow[]) {
  const whole = wholeMinutes(window);
  const others = open.filter(({ from, to }) => to <= window.from || from >= window.to);
  const purpose = { reads: 'gap', asksForSteps: true } as const;
  const unread: Unread[] = [];
  for await (const { slice, findings, unread: left } of readSlices(reading, whole, others, purpose)) {
    unread.push(...left);
    await recordSlice(reading, findings, async (tx, write) => {
      const added = await write([slice]);
      await countInGap(tx, gapId, added);
      return added;
    });
  }
  return unread;
}
