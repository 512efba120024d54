import { addDays, addMilliseconds, max, min, subMilliseconds } from 'date-fns';
import type { ExplainCause } from '../causes/explain-cause.ts';
import { type EnvironmentRow, noteRead, type Pass, type ReadTo } from '../coverage/environments.ts';
import { type Unread, windowsLeft } from '../coverage/gap.ts';
import { type NewCounts, openGap, openWindows } from '../coverage/gaps.ts';
import { countedIn, MinuteCounts } from '../coverage/minutes.ts';
import type { Traffic } from '../failures/labels.ts';
import { storedFailures } from '../incidents/record.ts';
import { mayBeAboutTheRequest, ServiceError } from '../lib/errors.ts';
import { boundedId } from '../lib/text/shown-id.ts';
import {
  halves,
  lengthOf,
  MINUTE_MS,
  minuteOf,
  SECOND_MS,
  type TimeRange,
  withoutRanges,
} from '../lib/time/durations.ts';
import { byServiceClock } from '../lib/time/service-clock.ts';
import { eventKey, lacksReason, type TriggeredEvent } from '../service/event.ts';
import { type EventReader, stepsBudget, withSteps } from '../service/operations.ts';
import { PAGE_SIZE, type Page } from '../service/query.ts';
import type { Ctx, Db } from '../store/db.ts';
import { agesUpTo, doubledAges, latestReadTo, slices } from './passes.ts';
import { judgePage, recordSlice, type SliceFindings } from './record.ts';

/** A tenth of the smallest plan's rate (docs/service.md), for present and past each. */
const STEP_REQUESTS_A_MINUTE = 180;
const LONGEST_BUDGET_MS = 5 * MINUTE_MS;
/** Each failed request costs seconds of retries. */
const MOST_FAILED_REQUESTS = 20;

export interface PollingCtx extends Ctx {
  serviceOf: (environment: string) => EventReader;
  explainCause: ExplainCause;
  pollMs: number;
  horizonMs: number;
  traffic: Traffic;
}

export type Reading = ReturnType<typeof beginReading>;

export function beginReading(ctx: PollingCtx, known: EnvironmentRow, signal: AbortSignal) {
  const { environment, clockAheadMs } = known;
  const service = ctx.serviceOf(environment);
  return {
    ctx,
    environment,
    signal,
    service,
    call: { who: 'poller', signal } as const,
    serviceNow: () => byServiceClock(ctx.now(), service.clockAheadMs() ?? clockAheadMs),
    needsProbe: clockAheadMs !== null && service.clockAheadMs() === null,
    ages: agesUpTo(ctx.horizonMs),
    steps: stepsBudget(Math.ceil((STEP_REQUESTS_A_MINUTE * Math.min(ctx.pollMs, LONGEST_BUDGET_MS)) / MINUTE_MS)),
    added: { ...NOTHING },
    pages: 0,
    failedRequestsLeft: MOST_FAILED_REQUESTS,
    planReachesFrom: new Date(0),
    youngerReadTo: new Date(0),
    trouble: null as ServiceError | null,
  };
}

export type Purpose = { reads: 'present' | 'gap' | 'pass'; asksForSteps: boolean };

export async function readPass(reading: Reading, { age, range }: Pass, readTo: ReadTo = new Map()) {
  const { ctx, environment } = reading;
  const inGaps = await openWindows(ctx.db, environment);
  const whole = { from: minuteOf(range.from), to: range.to };
  const isPresent = age === 0;
  // Each pass begins with another event's steps.
  reading.steps.turn = reading.ages.indexOf(age);
  // Younger passes jump over what this one reads.
  const isRead = (each: number) => each <= age && (readTo.get(each) ?? range.to) < range.to;
  const asksForSteps = isPresent || doubledAges(reading.ages).some(isRead);
  const purpose: Purpose = { reads: isPresent ? 'present' : 'pass', asksForSteps };
  let from = range.from;
  for await (const { slice, findings, isCounted, unread } of readSlices(reading, whole, inGaps, purpose)) {
    await openGapsFor(reading, unread);
    // Either clock may have been set back since the pass began.
    const to = min([slice.to, isPresent ? reading.serviceNow() : latestReadTo(age, reading.serviceNow())]);
    const holes = [...inGaps, ...unread].map(wholeMinutes);
    const pieces = isCounted ? (isPresent ? [slice] : withoutRanges(slice, holes)) : [];
    const note = (tx: Db) => noteRead(tx, environment, { age, range: { from, to } });
    if (pieces.length + findings.readings.size === 0) await note(ctx.db);
    else await recordSlice(reading, findings, async (tx, write) => ((await note(tx)) ? write(pieces) : NOTHING));
    from = to;
  }
}

const NOTHING: NewCounts = { newEvents: 0, newFailures: 0, newUnreadable: 0 };

/** A range that stays empty isn't counted. */
export async function* readSlices(reading: Reading, range: TimeRange, inGaps: readonly TimeRange[], purpose: Purpose) {
  const { events, unreadable } = await countedIn(reading.ctx.db, reading.environment, range);
  reading.steps.every = Math.ceil(events / reading.steps.left) || 1;
  const waiting = slices(range, events + unreadable);
  for (let slice = waiting.shift(); slice !== undefined; slice = waiting.shift()) {
    reading.signal.throwIfAborted();
    const read = await readSlice(reading, slice, inGaps, purpose);
    if (read === null) waiting.unshift(...(halves(slice, MINUTE_MS) ?? [slice]));
    else
      yield { slice, ...read, isCounted: read.isCounted && events + unreadable + read.findings.counts.events.size > 0 };
  }
}

async function readSlice(
  reading: Reading,
  slice: TimeRange,
  inGaps: readonly TimeRange[],
  { reads, asksForSteps }: Purpose,
) {
  const findings: SliceFindings = { counts: new MinuteCounts(slice), readings: new Map(), workflows: [] };
  let lacksSteps = false;
  const onPage: OnPage = async (page) => {
    lacksSteps ||= page.items.some(({ listsSteps }) => !listsSteps);
    // The next slice counts the padding.
    const inSlice = page.items.filter(({ createdAt }) => minuteOf(createdAt ?? slice.from) < slice.to);
    const items = asksForSteps ? await completedItems(reading, inSlice) : inSlice;
    await judgePage(reading, reads, { ...page, items }, findings);
  };
  const unread = await readWindows(reading, withoutRanges(slice, inGaps), onPage);
  return unread && { findings, isCounted: asksForSteps || !lacksSteps, unread };
}

/** A step that is explained in the store isn't asked for again. */
async function completedItems({ ctx, environment, service, call, steps }: Reading, items: readonly TriggeredEvent[]) {
  const unexplained = items.filter((event) => event.listsSteps && event.jobs.some(lacksReason));
  const known = unexplained.length === 0 ? [] : await storedFailures(ctx.db, environment, unexplained.map(eventKey));
  const reasons = known.filter(({ isUnexplained }) => !isUnexplained);
  const isKnown = (event: TriggeredEvent) =>
    event.jobs
      .filter(lacksReason)
      .every(({ id }) => reasons.some((step) => step.eventKey === eventKey(event) && step.jobId === boundedId(id)));
  const explained = unexplained.filter(isKnown);
  const others = items.filter((event) => !explained.includes(event));
  return [...explained, ...(await withSteps(others, service, call, steps))];
}

/** Beyond the plan's reach, a pass misses nothing that a younger one has read. */
async function openGapsFor({ ctx, environment, youngerReadTo }: Reading, unread: readonly Unread[]) {
  const now = ctx.now();
  for (const { to, cause, ...range } of unread) {
    const missing = { from: cause === 'beyond-plan' ? max([range.from, youngerReadTo]) : range.from, to, cause };
    if (missing.from >= to) continue;
    const gap = { ...missing, windows: windowsLeft([missing], 0, now) };
    await ctx.db.transaction((tx) => openGap(tx, environment, gap, now));
    ctx.logger.warn({ environment, ...missing }, 'Gap opened');
  }
}

export function wholeMinutes({ from, to }: TimeRange) {
  return { from: minuteOf(from), to: minuteOf(addMilliseconds(to, MINUTE_MS - 1)) };
}

/** A longer slice is halved, so that a kill or a limit costs little. */
const MOST_PAGES_A_SLICE = 40;

/** A list's bounds may exclude their own second (docs/service.md). */
const [PADDING_MS, LEAST_PADDING_MS] = [1_000, 1];

type OnPage = (page: Page<TriggeredEvent>) => Promise<void>;

/** Halves refused windows down to a second. Returns null for too long a slice. */
async function readWindows(reading: Reading, windows: readonly TimeRange[], onPage: OnPage) {
  const unread: Unread[] = [];
  const waiting = windows.map((window) => ({ window, paddingMs: PADDING_MS }));
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { window, paddingMs } = next;
    if (window.to <= reading.planReachesFrom) {
      unread.push({ ...window, cause: 'beyond-plan' });
      continue;
    }
    try {
      if (await walk(reading, window, paddingMs, onPage)) return null;
    } catch (error) {
      if (!(error instanceof ServiceError) || !mayBeAboutTheRequest(error.problem) || reading.signal.aborted)
        throw error;
      if (reading.failedRequestsLeft >= MOST_FAILED_REQUESTS) await probe(reading);
      reading.failedRequestsLeft -= 1;
      if (reading.failedRequestsLeft <= 0) reading.trouble = error;
      const retried = paddingMs === PADDING_MS ? [window] : halves(window, SECOND_MS);
      const isBeyond = error.problem.kind === 'beyond-plan';
      if (isBeyond && retried === null) reading.planReachesFrom = window.to;
      if (retried === null || reading.trouble || (isBeyond && window.to <= reading.youngerReadTo))
        unread.push({ ...window, cause: error.problem.kind });
      else waiting.push(...retried.map((half) => ({ window: half, paddingMs: LEAST_PADDING_MS })));
    }
  }
  return unread;
}

/** Returns whether the window is too long for a slice. */
async function walk(reading: Reading, { from, to }: TimeRange, paddingMs: number, onPage: OnPage) {
  const { service, call, signal } = reading;
  const query = { after: subMilliseconds(from, paddingMs), before: addMilliseconds(to, paddingMs), limit: PAGE_SIZE };
  let pages = 0;
  for await (const page of service.eventPages(query, call)) {
    await onPage(page);
    pages += 1;
    reading.pages += 1;
    if (page.hasMore && pages >= MOST_PAGES_A_SLICE && lengthOf({ from, to }) > MINUTE_MS) return true;
    signal.throwIfAborted();
  }
  return false;
}

/** Measures the service's clock. A service that fails on a moment without events fails as a whole. */
export async function probe({ ctx, service, call }: Reading) {
  const moment = addDays(ctx.now(), 1);
  const query = { after: moment, before: moment, limit: 1 };
  for await (const _ of service.eventPages(query, call)) break;
}
