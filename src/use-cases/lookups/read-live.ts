import { addMilliseconds } from 'date-fns';
import type { Environment } from '../../domain/environment.ts';
import { ServiceError } from '../../domain/errors.ts';
import type { Failure } from '../../domain/failures/failure.ts';
import { type FailureFilter, matcherOf } from '../../domain/failures/failure-filter.ts';
import { emptySummary, type FailureSummary, joinSummaries, summarize } from '../../domain/failures/tally.ts';
import type { FailuresFound } from '../../domain/lookups/failures-found.ts';
import { CLOCK_TOLERANCE_MS, datedAheadMs } from '../../domain/polling/clock.ts';
import { beginWalk, hasNoOrder, type ListWalk, leftOf, withPage } from '../../domain/polling/list-order.ts';
import { halves, padded, pageWithin } from '../../domain/polling/reading-windows.ts';
import { keysOf, withoutRepeats } from '../../domain/polling/repeats.ts';
import { hidesOutcome, type TriggeredEvent } from '../../domain/service/event.ts';
import { type Call, type EventQuery, PAGE_SIZE, type Page } from '../../domain/service/query.ts';
import type { TimeRange } from '../../domain/time/time-range.ts';
import { judgeNow } from '../judge-now.ts';
import type { EventPages } from '../subscribers-with.ts';
import { beginSteps, type StepsBudget, type StepsReader, withSteps } from '../with-steps.ts';

export interface FailureReader extends StepsReader, EventPages {}

export interface ReadLiveParts {
  readonly environment: Environment;
  readonly service: FailureReader;
  readonly now: () => Date;
}

/** The time between parsing a command, which sets the range's "now", and reading the clock here. */
const ASKING_MS = 500;

/** Limits, in time and in pages of fifty, on reading from the service what the poller hasn't stored. */
const LONGEST_READING_MS = 10_000;
const MOST_PAGES = 40;

/** What is left of that for an answer, whose parts share it, and by which clock it's read. */
export interface Budget {
  pages: number;
  readonly steps: StepsBudget;
  readonly startedAt: Date;
  readonly until: number;
  /** How far the service's clock is ahead of ours; null until it's known. */
  clockAheadMs: number | null;
}

export function beginBudget(startedAt: Date, now: Date, clockAheadMs: number | null): Budget {
  const until = now.getTime() + LONGEST_READING_MS;
  return { pages: MOST_PAGES, steps: beginSteps(), startedAt, until, clockAheadMs };
}

export function movedBy(ms: number, { from, to }: TimeRange): TimeRange {
  return { from: addMilliseconds(from, ms), to: addMilliseconds(to, ms) };
}

export interface PartRead {
  readonly summary: FailureSummary;
  readonly unread: TimeRange | null;
  /** What of it to read next; null if that is left to the poller. */
  readonly next: TimeRange | null;
  readonly trouble: ServiceError | null;
  readonly gaps?: FailuresFound['gaps'];
}

export function nothingRead(range: TimeRange): PartRead {
  return { summary: emptySummary(), unread: range, next: range, trouble: null };
}

export function toTheEnd(range: TimeRange, now: Date): TimeRange {
  return range.to.getTime() < now.getTime() - ASKING_MS
    ? range
    : { from: range.from, to: addMilliseconds(now, CLOCK_TOLERANCE_MS) };
}

/** By our clock, in whatever order the list has. An event whose outcome isn't shown counts as unreadable. Doesn't throw `ServiceError`. */
export async function readLive(
  range: TimeRange,
  filter: FailureFilter,
  parts: ReadLiveParts,
  budget: Budget,
): Promise<PartRead> {
  const aheadMs = datedAheadMs(budget.clockAheadMs);
  const within = movedBy(aheadMs, toTheEnd(range, budget.startedAt));
  const earlier = new Set<string>();
  const call: Call = { who: 'person', signal: AbortSignal.timeout(Math.max(1, budget.until - parts.now().getTime())) };
  let summary = emptySummary();
  let walk = beginWalk();
  const partRead = (trouble: ServiceError | null): PartRead => ({
    ...{ summary, trouble },
    ...leftAfter(range, walk, aheadMs),
  });
  try {
    for await (const page of parts.service.eventPages(queryOf(padded(within), filter), call)) {
      // The first answer says what time it is there, so which part of the list was meant.
      budget.clockAheadMs ??= parts.service.clockAheadMs();
      if (datedAheadMs(budget.clockAheadMs) !== aheadMs) return await readLive(range, filter, parts, budget);
      const read = withoutRepeats(pageWithin(within, page), earlier);
      const items = await withSteps(read.items, parts.service, call, budget.steps);
      summary = joinSummaries([summary, ...summariesOfPage({ ...read, items }, matcherOf(filter), parts)]);
      for (const key of keysOf(page)) earlier.add(key);
      walk = withPage(walk, page);
      budget.pages -= 1;
      const isSpent = budget.pages <= 0 || parts.now().getTime() >= budget.until;
      if (page.hasMore && isSpent) return partRead(null);
    }
  } catch (error) {
    if (error instanceof ServiceError) return partRead(error);
    if (call.signal?.aborted) return partRead(earlier.size > 0 ? null : unanswered(parts.environment));
    throw error;
  }
  return { summary, unread: null, next: null, trouble: null };
}

/** Returns what is left of a range after a part of its list. Of one without an order all is left, and a shorter one is likelier to fit. */
function leftAfter(range: TimeRange, walk: ListWalk, aheadMs: number): Pick<PartRead, 'unread' | 'next'> {
  const left = leftOf(movedBy(aheadMs, range), walk);
  const unread = left && movedBy(-aheadMs, left);
  const newer = unread !== null && hasNoOrder(walk) ? halves(unread)?.newer : undefined;
  return { unread, next: newer ?? unread };
}

function unanswered(environment: Environment): ServiceError {
  return new ServiceError(environment.name, 'listEvents', { kind: 'timed-out', afterMs: LONGEST_READING_MS });
}

/** Leaves to the service what it can filter, to stretch the budget. */
function queryOf(range: TimeRange, filter: FailureFilter): EventQuery & { readonly before: Date } {
  const transactionId = filter.transactions.length === 1 ? filter.transactions[0] : undefined;
  return {
    after: range.from,
    before: range.to,
    limit: PAGE_SIZE,
    ...(filter.channels.length > 0 && { channels: filter.channels }),
    ...(filter.severities.length > 0 && { severity: filter.severities }),
    ...(filter.subscribers.length > 0 && { subscriberIds: filter.subscribers }),
    ...(transactionId !== undefined && { transactionId }),
  };
}

function summariesOfPage(
  page: Page<TriggeredEvent>,
  isMeant: (failure: Failure) => boolean,
  parts: ReadLiveParts,
): FailureSummary[] {
  const judged = page.items.map((event) => ({ event, failures: judgeNow(event, parts).failures }));
  const checked = judged.filter(({ event, failures }) => !hidesOutcome(event) || failures.length > 0);
  const read: FailureSummary = {
    ...emptySummary(),
    eventsChecked: checked.length,
    unreadable: page.unreadable.length + page.items.filter(hidesOutcome).length,
    workflowEvents: countWorkflows(checked.map(({ event }) => event)),
  };
  const found = judged.map(({ event, failures }) =>
    summarize(parts.environment.name, failures.filter(isMeant), event.createdAt ?? parts.now()),
  );
  return [read, ...found];
}

function countWorkflows(events: readonly TriggeredEvent[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { workflow } of events) {
    if (workflow) counts.set(workflow.identifier, (counts.get(workflow.identifier) ?? 0) + 1);
  }
  return counts;
}
