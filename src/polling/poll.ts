import { addMilliseconds, subMilliseconds } from 'date-fns';
import { ServiceError, type ServiceProblem } from '../domain/errors.ts';
import { causeOfGap, type GapPart, partsLeft, partsToRead, type Unchecked } from '../domain/polling/gap.ts';
import { FIRST_COVERAGE_MS, longestBetweenPolls } from '../domain/polling/reading.ts';
import { withoutRanges } from '../domain/polling/reading-windows.ts';
import type { TriggeredEvent } from '../domain/service/event.ts';
import type { Page } from '../domain/service/query.ts';
import { MINUTE_MS } from '../domain/time/durations.ts';
import type { TimeRange } from '../domain/time/time-range.ts';
import type { PollingCtx } from '../lib/ctx.ts';
import { type StepsBudget, withSteps } from '../use-cases/with-steps.ts';
import {
  beginPasses,
  environmentOf,
  eventsByMinute,
  leaveBehind,
  noteBehind,
  noteFailing,
  noteGrown,
  noteRead,
  noteSuccess,
  openEnvironment,
  type ReadEnvironment,
  setBack,
} from './environments.ts';
import {
  countInGap,
  type DuePart,
  dueParts,
  endGaps,
  openEndlessGap,
  partsWithin,
  replacePart,
  setAside,
} from './gaps.ts';
import { MinuteCounts, replaceMinutes } from './minutes.ts';
import { agesUpTo, behindMs, currentReadTo, duePasses, inTwo, minuteOf, type ReadTo, slices } from './passes.ts';
import { MOST_FAILED_REQUESTS, type ReadingBudget, readSlice, type Unread } from './read-slice.ts';
import { recordPage } from './record.ts';

/** What was found that wasn't known before. */
export interface Found {
  readonly newEvents: number;
  readonly newFailures: number;
  readonly newUnreadable: number;
}

export interface PresentReport extends Found {
  readonly checkedTo: Date;
  readonly clockAheadMs: number | null;
  /** Whether something was left for later. */
  readonly hasGap: boolean;
}

export interface PastReport extends Found {
  readonly pages: number;
  /** By how much the passes are late. */
  readonly behindMs: number;
}

/** How much of the time before now a poll reads if it is behind; what is older becomes a gap, so that the past never delays the present. */
const PRESENT_MS = 15 * 60_000;

/** A run of polling and what it has found so far. */
interface Run {
  readonly ctx: PollingCtx;
  readonly environment: string;
  /** Now, by the service's clock. */
  readonly serviceNow: Date;
  readonly clockAheadMs: number | null;
  readonly budget: ReadingBudget;
  readonly steps: StepsBudget;
  readonly found: { newEvents: number; newFailures: number; newUnreadable: number; newestEventAt: Date | null };
}

/** A tenth of the smallest plan's rate (field notes, "Transport"). */
const STEPS_A_MINUTE = 180;
const MOST_STEPS_MS = 5 * MINUTE_MS;

function beginRun(ctx: PollingCtx, environment: string, clockAheadMs: number | null, signal: AbortSignal): Run {
  return {
    ctx,
    environment,
    serviceNow: addMilliseconds(ctx.now(), clockAheadMs ?? 0),
    clockAheadMs,
    budget: { failures: MOST_FAILED_REQUESTS, pages: 0, planFrom: null, signal },
    steps: { left: Math.ceil((STEPS_A_MINUTE * Math.min(ctx.pollMs, MOST_STEPS_MS)) / MINUTE_MS) },
    found: { newEvents: 0, newFailures: 0, newUnreadable: 0, newestEventAt: null },
  };
}

/**
 * Reads what was created since the last poll. Throws `ServiceError` if the service can't be read now: what was read until then stays, and the
 * next poll continues there.
 */
export async function readPresent(ctx: PollingCtx, environment: string, signal: AbortSignal): Promise<PresentReport> {
  const now = ctx.now();
  const service = ctx.service(environment);
  const first = subMilliseconds(addMilliseconds(now, service.clockAheadMs() ?? 0), FIRST_COVERAGE_MS);
  const known = await openEnvironment(ctx.db, environment, first);
  const run = beginRun(ctx, environment, service.clockAheadMs() ?? known.clockAheadMs, signal);
  try {
    const { known: caughtUp, hasGap: isBehind } = await catchUp(run, known, now);
    const inGaps = await partsWithin(ctx.db, environment, { from: minuteOf(caughtUp.checkedTo), to: run.serviceNow });
    const range = { from: caughtUp.checkedTo, to: run.serviceNow };
    const hasLeft = await readOn(run, { age: 0, range }, inGaps);
    const clockAheadMs = service.clockAheadMs();
    const readAt = addMilliseconds(now, clockAheadMs ?? 0);
    await ctx.db.withTransaction(async (sql) => {
      if (known.readTo.size === 0) await beginPasses(sql, environment, beginningAt(readAt, known, ctx));
      await noteSuccess(sql, environment, { clockAheadMs, newestEventAt: run.found.newestEventAt }, now);
      await endGaps(sql, environment, run.serviceNow, now);
    });
    const { newestEventAt: _, ...found } = run.found;
    return { ...found, checkedTo: run.serviceNow, clockAheadMs, hasGap: isBehind || hasLeft };
  } catch (error) {
    if (error instanceof ServiceError && !signal.aborted) await noteTrouble(run, error.problem);
    throw error;
  }
}

/** The first poll reads everything for all passes; only its answers tell what time it is at the service. */
function beginningAt(readAt: Date, { coveredFrom }: ReadEnvironment, { horizonMs }: PollingCtx): ReadTo {
  return currentReadTo(new Map(), agesUpTo(horizonMs), coveredFrom, readAt);
}

async function noteTrouble({ ctx, environment }: Run, problem: ServiceProblem): Promise<void> {
  const now = ctx.now();
  await ctx.db.withTransaction(async (sql) => {
    const failing = await noteFailing(sql, environment, problem, now);
    await openEndlessGap(sql, { environment, problem, ...failing }, now);
  });
}

/** Begins at the present after a downtime, and again at a time of the service's clock if that was set back. */
async function catchUp(
  { ctx, environment, serviceNow }: Run,
  known: ReadEnvironment,
  now: Date,
): Promise<{ readonly known: ReadEnvironment; readonly hasGap: boolean }> {
  const { checkedTo } = known;
  const longestMs = Math.max(PRESENT_MS, longestBetweenPolls(ctx.pollMs));
  if (checkedTo > serviceNow) {
    const from = subMilliseconds(serviceNow, longestMs);
    ctx.log.warn({ environment, from, checkedTo }, "the service's clock was set back");
    await setBack(ctx.db, environment, from);
    return { known: { ...known, checkedTo: from }, hasGap: false };
  }
  const isFirst = checkedTo <= known.coveredFrom;
  const behind = serviceNow.getTime() - checkedTo.getTime();
  if (behind <= (isFirst ? FIRST_COVERAGE_MS + longestMs : longestMs)) return { known, hasGap: false };
  const to = minuteOf(subMilliseconds(serviceNow, PRESENT_MS));
  const window = { from: minuteOf(checkedTo), to };
  const parts = partsToRead(window, 0, now, subMilliseconds(serviceNow, ctx.horizonMs));
  const { cause, problem } = causeOfGap(known, now, ctx.pollMs);
  await leaveBehind(ctx.db, known, { from: checkedTo, to, cause, problem, parts }, to, now);
  ctx.log.warn({ environment, from: checkedTo, to, cause }, 'part of the list set aside');
  return { known: { ...known, checkedTo: to }, hasGap: true };
}

/**
 * Reads a range in slices, the oldest first, without what lies in gaps, and notes each. What can't be read becomes a gap. Returns whether
 * anything did.
 */
async function readOn(
  run: Run,
  { age, range }: { readonly age: number; readonly range: TimeRange },
  inGaps: readonly TimeRange[],
): Promise<boolean> {
  const { ctx, environment } = run;
  const whole = { from: minuteOf(range.from), to: range.to };
  const waiting = slices(whole, await eventsByMinute(ctx.db, environment, whole));
  let [from, hasLeft] = [range.from, false];
  for (let slice = waiting.shift(); slice !== undefined; slice = waiting.shift()) {
    run.budget.signal.throwIfAborted();
    const read = await readInto(run, slice, inGaps, age);
    if (read === null) {
      waiting.unshift(...(inTwo(slice) ?? [slice]));
      continue;
    }
    const { counts, isCounted, unread } = read;
    await leaveUnread(run, unread, age);
    hasLeft ||= unread.some(({ problem }) => problem.kind !== 'beyond-plan');
    const holes = [...inGaps, ...unread.map(({ window }) => window)].map(wholeMinutes);
    const pieces = isCounted ? (age === 0 ? [slice] : withoutRanges(slice, holes)) : [];
    noteFound(run, await noteRead(ctx.db, environment, { age, from, to: slice.to, counts, pieces }));
    from = slice.to;
  }
  return hasLeft;
}

function noteFound({ found }: Run, grown: { readonly newEvents: number; readonly newUnreadable: number }): void {
  found.newEvents += grown.newEvents;
  found.newUnreadable += grown.newUnreadable;
}

/** Lists that leave out the steps are asked for them by ID, which costs a request an event, so only at each doubled age. */
const STEPS_EVERY = 4;

function asksAt(age: number, ages: readonly number[]): boolean {
  return ages.indexOf(age) % STEPS_EVERY === 0 || age === ages.at(-1);
}

/** Reads a slice outside of gaps. Null if it is too long. It isn't counted where the list has no steps and nobody asked for them. */
async function readInto(run: Run, slice: TimeRange, inGaps: readonly TimeRange[], age: number) {
  const { ctx, environment, clockAheadMs, budget, found } = run;
  const counts = new MinuteCounts(slice);
  const asksForSteps = age === 0 || asksAt(age, agesUpTo(ctx.horizonMs));
  let lacksSteps = false;
  const onPage = async (page: Page<TriggeredEvent>) => {
    lacksSteps ||= page.items.some(({ listsSteps }) => !listsSteps);
    const call = { who: 'poller', signal: budget.signal } as const;
    const items = asksForSteps
      ? await withSteps(page.items, ctx.service(environment), call, run.steps)
      : page.items.filter(({ listsSteps }) => listsSteps);
    const unasked = asksForSteps ? items.filter(({ listsSteps }) => !listsSteps) : [];
    for (const { id, createdAt } of unasked) counts.addUnreadable({ key: `steps of ${id}`, createdAt });
    const origin = { environment, clockAheadMs, isNew: age === 0 };
    found.newFailures += await recordPage(ctx, origin, { ...page, items }, counts);
    for (const { createdAt } of items) {
      if (createdAt !== null && (found.newestEventAt === null || createdAt > found.newestEventAt))
        found.newestEventAt = createdAt;
    }
  };
  const unread: Unread[] = [];
  for (const window of withoutRanges(slice, inGaps)) {
    const left = await readSlice(ctx, environment, window, age === 0, budget, onPage);
    if (left === null) return null;
    unread.push(...left);
  }
  return { counts, isCounted: asksForSteps || !lacksSteps, unread };
}

/** What the plan doesn't reach anymore isn't missing for a pass that reads it again. */
async function leaveUnread({ ctx, environment }: Run, unread: readonly Unread[], age: number): Promise<void> {
  const now = ctx.now();
  const missing = unread.filter(({ problem }) => age === 0 || problem.kind !== 'beyond-plan');
  for (const { window, problem } of missing) {
    const parts = partsLeft([{ window, problem }], 0, now);
    const gap = { ...window, cause: problem.kind, problem, parts };
    await ctx.db.withTransaction((sql) => setAside(sql, environment, gap, now));
    ctx.log.warn({ environment, ...window, cause: problem.kind }, 'part of the list set aside');
  }
}

/** The most requests of one run of the past: two fifths of the smallest plan's rate in a minute (field notes, "Transport"). */
const MOST_PAGES = 720;

/**
 * Reads what is due of the past until `until`: gaps, the newest first, for half of the time, and the passes, the latest first. Null before the
 * present was first read. Throws `ServiceError` if the service can't be read now.
 */
export async function readPast(
  ctx: PollingCtx,
  environment: string,
  until: Date,
  signal: AbortSignal,
): Promise<PastReport | null> {
  const began = ctx.now();
  const known = await environmentOf(ctx.db, environment);
  if (known === null || known.lastSuccessAt === null) return null;
  const run = beginRun(ctx, environment, ctx.service(environment).clockAheadMs() ?? known.clockAheadMs, signal);
  const halfTime = new Date((began.getTime() + until.getTime()) / 2);
  try {
    const trouble = await readGaps(run, halfTime).catch(serviceErrorOf);
    await readPasses(run, until);
    if (trouble instanceof ServiceError) throw trouble;
  } finally {
    await noteBehind(ctx.db, environment, await behindIn(run));
  }
  const { newestEventAt: _, ...found } = run.found;
  return { ...found, pages: run.budget.pages, behindMs: await behindIn(run) };
}

/** Gaps that can't be read now don't keep the passes from reading. */
function serviceErrorOf(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  throw error;
}

async function behindIn({ ctx, environment, serviceNow }: Run): Promise<number> {
  const known = await environmentOf(ctx.db, environment);
  if (known === null) return 0;
  const readTo = currentReadTo(known.readTo, agesUpTo(ctx.horizonMs), known.coveredFrom, serviceNow);
  return behindMs(readTo, serviceNow, ctx.pollMs);
}

async function readPasses(run: Run, until: Date): Promise<void> {
  const { ctx, environment, serviceNow, budget } = run;
  const ages = agesUpTo(ctx.horizonMs);
  for (;;) {
    budget.signal.throwIfAborted();
    const known = await environmentOf(ctx.db, environment);
    if (known === null) return;
    const readTo = currentReadTo(known.readTo, ages, known.coveredFrom, serviceNow);
    if (ages.some((age) => !known.readTo.has(age))) await beginPasses(ctx.db, environment, readTo);
    const [pass] = duePasses(readTo, serviceNow);
    if (pass === undefined || ctx.now() >= until || budget.pages >= MOST_PAGES) return;
    await readOn(run, pass, await partsWithin(ctx.db, environment, pass.range));
  }
}

async function readGaps(run: Run, until: Date): Promise<void> {
  const { ctx, environment, budget } = run;
  for (;;) {
    const [part] = await dueParts(ctx.db, environment, ctx.now(), 1);
    if (part === undefined || ctx.now() >= until || budget.pages >= MOST_PAGES) return;
    budget.signal.throwIfAborted();
    await readGap(run, part);
  }
}

/** Reads a part of a gap in whole minutes, and replaces it with what is left of it. */
async function readGap(run: Run, part: DuePart): Promise<void> {
  const { ctx, environment, serviceNow } = run;
  const now = ctx.now();
  const horizon = subMilliseconds(serviceNow, ctx.horizonMs);
  const left: GapPart[] = [];
  for (const piece of partsToRead(part.window, part.tries, now, horizon)) {
    if (piece.nextTryAt === null) left.push(piece);
    else left.push(...partsLeft(await readPiece(run, part, piece.window), part.tries, now));
  }
  await ctx.db.withTransaction((sql) => replacePart(sql, part, left, environment, now));
  const givenUp = left.filter(({ nextTryAt }) => nextTryAt === null).length;
  ctx.log.info({ environment, ...part.window, left: left.length, givenUp }, 'part of a gap read');
}

async function readPiece(run: Run, { gapId }: DuePart, window: TimeRange): Promise<readonly Unchecked[]> {
  const { ctx, environment } = run;
  const unread: Unchecked[] = [];
  const waiting = [wholeMinutes(window)];
  for (let slice = waiting.pop(); slice !== undefined; slice = waiting.pop()) {
    const failuresBefore = run.found.newFailures;
    const others = await partsWithin(ctx.db, environment, slice);
    const read = await readInto(
      run,
      slice,
      others.filter((other) => !overlap(other, window)),
      0,
    );
    if (read === null) {
      waiting.push(...(inTwo(slice) ?? [slice]));
      continue;
    }
    unread.push(...read.unread);
    const span = slice;
    const grown = await ctx.db.withTransaction(async (sql) => {
      const news = await replaceMinutes(sql, environment, span, read.counts);
      await noteGrown(sql, environment, news);
      await countInGap(sql, gapId, { newEvents: news.newEvents, newFailures: run.found.newFailures - failuresBefore });
      return news;
    });
    noteFound(run, grown);
  }
  return unread;
}

function wholeMinutes({ from, to }: TimeRange): TimeRange {
  const end = minuteOf(to);
  return { from: minuteOf(from), to: end < to ? addMilliseconds(end, MINUTE_MS) : to };
}

function overlap(a: TimeRange, b: TimeRange): boolean {
  return a.from < b.to && b.from < a.to;
}
