import { addMilliseconds } from 'date-fns';
import type { PollingCtx } from '../lib/ctx.ts';
import { halves, withoutRanges } from '../lib/time/coverage.ts';
import { MINUTE_MS, minuteOf } from '../lib/time/durations.ts';
import type { TimeRange } from '../lib/time/time-range.ts';
import { type StepsBudget, withSteps } from '../lookups/steps.ts';
import type { TriggeredEvent } from '../service/event.ts';
import type { Page } from '../service/query.ts';
import { eventsByMinute, noteRead } from './environments.ts';
import { type Unread, windowsLeft } from './gap.ts';
import { setAside } from './gaps.ts';
import { type Grown, MinuteCounts } from './minutes.ts';
import { agesUpTo, doubledAges, slices } from './passes.ts';
import { MOST_FAILED_REQUESTS, type ReadingBudget, readSlice } from './read-slice.ts';
import { recordPage } from './record.ts';

export interface Found {
  readonly newEvents: number;
  readonly newFailures: number;
  readonly newUnreadable: number;
}

export interface Run {
  readonly ctx: PollingCtx;
  readonly environment: string;
  readonly serviceNow: Date;
  readonly clockAheadMs: number | null;
  readonly budget: ReadingBudget;
  readonly steps: StepsBudget;
  readonly found: { newEvents: number; newFailures: number; newUnreadable: number; newestEventAt: Date | null };
}

/** A tenth of the smallest plan's rate (field notes, "Transport"). */
const STEPS_A_MINUTE = 180;
const MOST_STEPS_MS = 5 * MINUTE_MS;

export function beginRun(ctx: PollingCtx, environment: string, clockAheadMs: number | null, signal: AbortSignal): Run {
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

/** The oldest slice first. What can't be read becomes a gap; returns whether anything did. */
export async function readOn(
  run: Run,
  { age, range }: { readonly age: number; readonly range: TimeRange },
  inGaps: readonly TimeRange[],
): Promise<boolean> {
  const { ctx, environment } = run;
  const whole = { from: minuteOf(range.from), to: range.to };
  let [from, hasLeft] = [range.from, false];
  for await (const { slice, counts, isCounted, unread } of readSlices(run, whole, inGaps, age)) {
    await leaveUnread(run, unread, age);
    hasLeft ||= unread.some(({ problem }) => problem.kind !== 'beyond-plan');
    const holes = [...inGaps, ...unread.map(({ window }) => window)].map(wholeMinutes);
    const pieces = isCounted ? (age === 0 ? [slice] : withoutRanges(slice, holes)) : [];
    noteFound(run, await noteRead(ctx.db, environment, { age, from, to: slice.to, counts, pieces }));
    from = slice.to;
  }
  return hasLeft;
}

export async function* readSlices(run: Run, range: TimeRange, inGaps: readonly TimeRange[], age: number) {
  const { ctx, environment, budget } = run;
  const waiting = slices(range, await eventsByMinute(ctx.db, environment, range));
  for (let slice = waiting.shift(); slice !== undefined; slice = waiting.shift()) {
    budget.signal.throwIfAborted();
    const read = await readInto(run, slice, inGaps, age);
    if (read === null) waiting.unshift(...(halves(slice, MINUTE_MS) ?? [slice]));
    else yield { slice, ...read };
  }
}

export function noteFound({ found }: Run, grown: Grown): void {
  found.newEvents += grown.newEvents;
  found.newUnreadable += grown.newUnreadable;
}

/** Null if it is too long. Not counted where the list has no steps and nobody asked for them. */
async function readInto(run: Run, slice: TimeRange, inGaps: readonly TimeRange[], age: number) {
  const { ctx, environment, clockAheadMs, budget, found } = run;
  const counts = new MinuteCounts(slice);
  const asksForSteps = age === 0 || doubledAges(agesUpTo(ctx.horizonMs)).includes(age);
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
    const windows = windowsLeft([{ window, problem }], 0, now);
    const gap = { ...window, cause: problem.kind, windows };
    await ctx.db.transaction((sql) => setAside(sql, environment, gap, now));
    ctx.log.warn({ environment, ...window, cause: problem.kind }, 'part of the list set aside');
  }
}

export function wholeMinutes({ from, to }: TimeRange): TimeRange {
  const end = minuteOf(to);
  return { from: minuteOf(from), to: end < to ? addMilliseconds(end, MINUTE_MS) : to };
}
