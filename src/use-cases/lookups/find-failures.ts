import { max, min } from 'date-fns';
import type { Environment } from '../../domain/environment.ts';
import { ServiceError } from '../../domain/errors.ts';
import type { Failure } from '../../domain/failures/failure.ts';
import { type FailureFilter, matcherOf } from '../../domain/failures/failure-filter.ts';
import { judge } from '../../domain/failures/judge.ts';
import { emptySummary, type FailureSummary, joinSummaries, summarize } from '../../domain/failures/tally.ts';
import type { IncidentNow } from '../../domain/incidents/incident-now.ts';
import type { FailuresFound } from '../../domain/lookups/failures-found.ts';
import {
  ALL_RECHECKED,
  type Check,
  type CheckNow,
  type Freshness,
  freshnessAfter,
} from '../../domain/polling/check.ts';
import type { Gap } from '../../domain/polling/gap.ts';
import { CLOCK_TOLERANCE_MS } from '../../domain/polling/reading.ts';
import { shared } from '../../domain/polling/reading-windows.ts';
import type { TriggeredEvent } from '../../domain/service/event.ts';
import type { Call, EventQuery, Page } from '../../domain/service/query.ts';
import { joinedRanges } from '../../domain/time/coverage.ts';
import type { TimeRange } from '../../domain/time/time-range.ts';

export interface IncidentsStore {
  /** Returns the newest episodes of those groups' incidents that failed in the last day, by group key. */
  incidentsOf(groupKeys: readonly string[], now: Date): Promise<ReadonlyMap<string, IncidentNow>>;
}

export interface FailureStore {
  /** Returns what the poller has checked of an environment, by `createdAt`; null before its first poll. */
  coverage(environment: string): Promise<Coverage | null>;
  /** Returns the gaps of an environment that touch a time range, the oldest first. */
  gapsIn(environment: string, range: TimeRange): Promise<Gap[]>;
  /**
   * Returns the failures that occurred in `range` among stored events created within `coverage`, and how many events were checked in both.
   */
  failuresIn(
    environment: string,
    range: TimeRange,
    coverage: TimeRange,
    filter: FailureFilter,
  ): Promise<FailureSummary>;
}

export interface Coverage extends TimeRange {
  /** When the last poll that checked everything new began; null before the first. */
  readonly checkedAt: Date | null;
}

export interface FailureReader {
  eventPages(query: EventQuery & { readonly before: Date }, call: Call): AsyncIterable<Page<TriggeredEvent>>;
}

export interface FindFailuresParts {
  readonly environment: Environment;
  readonly service: FailureReader;
  readonly store: FailureStore;
  /** Null: the answer is what is known as of the last check. */
  readonly checkNow: CheckNow | null;
  readonly now: () => Date;
}

/** The time between parsing a command, which sets the range's "now", and reading the clock here. */
const ASKING_MS = 500;

/** Limits, in time and in pages of fifty, on reading from the service what the poller hasn't stored. */
const LONGEST_READING_MS = 10_000;
const MOST_PAGES = 40;

/**
 * Returns the failures of a time range after a check: stored ones and, for what the poller hasn't covered, those read from the service,
 * newest first, within a budget. Doesn't throw if the service can't be read, but returns what is known, with the problem and the time of
 * the last check.
 */
export async function findFailures(
  asked: TimeRange,
  filter: FailureFilter,
  parts: FindFailuresParts,
): Promise<FailuresFound> {
  const { environment, store } = parts;
  const askedAt = parts.now();
  // What is older than the first poll's coverage is read from the service, and a check would only compete with that.
  const covered = await store.coverage(environment.name);
  const concerns = covered !== null && asked.to > covered.from;
  const check = concerns ? ((await parts.checkNow?.(environment.name, asked)) ?? null) : null;
  const coverage = await store.coverage(environment.name);
  const { newer, stored, older } = split(asked, coverage);
  const budget: Budget = { pages: MOST_PAGES, startedAt: askedAt, until: parts.now().getTime() + LONGEST_READING_MS };

  if (coverage === null || stored === null) {
    const live = newer && (await readHead(newer, coverage === null ? null : check, filter, parts, budget));
    const isKnown = coverage !== null && isServiceAway(check);
    const freshness = isKnown
      ? freshnessAfter(check, coverage.checkedAt)
      : { asOf: askedAt, isCurrent: true, notRechecked: ALL_RECHECKED };
    return answerFor(
      asked,
      filter,
      environment,
      freshness,
    )([live], { from: live?.reachesTo ?? asked.to, to: asked.to });
  }
  const answer = answerFor(asked, filter, environment, freshnessAfter(check, coverage.checkedAt));
  const head = newer && (await readHead(newer, check, filter, parts, budget));
  const isHeadUnchecked = newer !== null && head !== null && head.reachesTo >= newer.to;
  if (newer && head && !isHeadUnchecked && head.reachesTo > newer.from) {
    return answer([head], { from: head.reachesTo, to: asked.to });
  }
  const gaps = await store.gapsIn(environment.name, stored);
  const known = {
    summary: await store.failuresIn(environment.name, toTheEnd(asked, askedAt), coverage, filter),
    reachesTo: stored.from,
    trouble: troubleOf(check, environment),
    gaps: gapsWithin(stored, gaps),
  };
  const to = newer !== null && isHeadUnchecked ? newer.from : asked.to;
  if (older === null || isHeadUnchecked) return answer([head, known], { from: stored.from, to });
  const tail = await readLive(older, filter, parts, budget);
  return answer([head, known, tail], { from: tail.reachesTo, to });
}

function troubleOf(check: Check | null, environment: Environment): ServiceError | null {
  if (check?.problem == null) return null;
  return new ServiceError(environment.name, 'listEvents', check.problem);
}

/** Reads what came after the last poll. If the service just failed a poll, Notif doesn't ask it again, and that part stays unchecked. */
async function readHead(
  newer: TimeRange,
  check: Check | null,
  filter: FailureFilter,
  parts: FindFailuresParts,
  budget: Budget,
): Promise<PartRead> {
  return isServiceAway(check)
    ? { summary: emptySummary(), reachesTo: newer.to, trouble: troubleOf(check, parts.environment) }
    : readLive(newer, filter, parts, budget);
}

function isServiceAway(check: Check | null): boolean {
  return check !== null && (check.outcome === 'still checking' || check.problem !== null);
}

interface Budget {
  pages: number;
  readonly startedAt: Date;
  readonly until: number;
}

/** A part of the range. Everything from `reachesTo` to its end was read, except `gaps`. */
interface PartRead {
  readonly summary: FailureSummary;
  readonly reachesTo: Date;
  readonly trouble: ServiceError | null;
  readonly gaps?: FailuresFound['gaps'];
}

/** Returns the parts of a stored range that belong to gaps. */
function gapsWithin(stored: TimeRange, gaps: readonly Gap[]): FailuresFound['gaps'] {
  const within = (windows: readonly TimeRange[]) =>
    joinedRanges(windows.map((window) => shared(window, stored)).filter((window) => window !== null));
  return {
    unchecked: within(gaps.flatMap((gap) => gap.unchecked)),
    givenUp: within(gaps.flatMap((gap) => gap.givenUp)),
  };
}

const NO_GAPS: FailuresFound['gaps'] = { unchecked: [], givenUp: [] };

function answerFor(asked: TimeRange, filter: FailureFilter, environment: Environment, freshness: Freshness) {
  return (parts: readonly (PartRead | null)[], read: TimeRange): FailuresFound => {
    const present = parts.filter((part) => part !== null);
    return {
      environment,
      filter,
      asked,
      freshness,
      read,
      unchecked: read.from > asked.from ? { from: asked.from, to: read.from } : null,
      gaps: present.find((part) => part.gaps !== undefined)?.gaps ?? NO_GAPS,
      trouble: present.find((part) => part.trouble !== null)?.trouble ?? null,
      summary: joinSummaries(present.map((part) => part.summary)),
    };
  };
}

/** If the service's clock is ahead, new failures seem to be in the future; they count in a range that ends now. */
function toTheEnd(range: TimeRange, now: Date): TimeRange {
  return range.to.getTime() < now.getTime() - ASKING_MS
    ? range
    : { from: range.from, to: new Date(now.getTime() + CLOCK_TOLERANCE_MS) };
}

/** Splits a range into the parts after, within and before what the poller has covered. */
export function split(asked: TimeRange, coverage: TimeRange | null) {
  if (coverage === null || coverage.to <= asked.from || coverage.from >= asked.to) {
    return { newer: asked, stored: null, older: null };
  }
  const stored = { from: max([asked.from, coverage.from]), to: min([asked.to, coverage.to]) };
  return {
    newer: asked.to > stored.to ? { from: stored.to, to: asked.to } : null,
    stored,
    older: asked.from < stored.from ? { from: asked.from, to: stored.from } : null,
  };
}

async function readLive(
  range: TimeRange,
  filter: FailureFilter,
  parts: FindFailuresParts,
  budget: Budget,
): Promise<PartRead> {
  const isMeant = matcherOf(filter);
  let summary = emptySummary();
  let reachesTo = range.to;
  const signal = AbortSignal.timeout(Math.max(1, budget.until - parts.now().getTime()));
  try {
    for await (const page of parts.service.eventPages(queryOf(toTheEnd(range, budget.startedAt), filter), {
      who: 'person',
      signal,
    })) {
      summary = joinSummaries([summary, ...summariesOfPage(page, isMeant, parts)]);
      reachesTo = page.items.at(-1)?.createdAt ?? reachesTo;
      budget.pages -= 1;
      const isSpent = budget.pages <= 0 || parts.now().getTime() >= budget.until;
      if (page.hasMore && isSpent) return { summary, reachesTo, trouble: null };
    }
  } catch (error) {
    if (error instanceof ServiceError) return { summary, reachesTo, trouble: error };
    if (signal.aborted)
      return { summary, reachesTo, trouble: reachesTo < range.to ? null : unanswered(parts.environment) };
    throw error;
  }
  return { summary, reachesTo: range.from, trouble: null };
}

/** Reports that the budget ran out before the service answered even once. */
function unanswered(environment: Environment): ServiceError {
  return new ServiceError(environment.name, 'listEvents', { kind: 'timed-out', afterMs: LONGEST_READING_MS });
}

/** Leaves to the service what it can filter, to stretch the budget. */
function queryOf(range: TimeRange, filter: FailureFilter): EventQuery & { readonly before: Date } {
  const transactionId = filter.transactions.length === 1 ? filter.transactions[0] : undefined;
  return {
    after: range.from,
    before: range.to,
    limit: 50,
    ...(filter.channels.length > 0 && { channels: filter.channels }),
    ...(filter.severities.length > 0 && { severity: filter.severities }),
    ...(filter.subscribers.length > 0 && { subscriberIds: filter.subscribers }),
    ...(transactionId !== undefined && { transactionId }),
  };
}

function summariesOfPage(
  page: Page<TriggeredEvent>,
  isMeant: (failure: Failure) => boolean,
  parts: FindFailuresParts,
): FailureSummary[] {
  const now = parts.now();
  const read: FailureSummary = {
    ...emptySummary(),
    eventsChecked: page.items.length,
    unreadable: page.unreadable.length,
    workflowEvents: countWorkflows(page.items),
  };
  const found = page.items.map((event) => {
    const failures = judge(event, now).failures.filter(isMeant);
    return summarize(parts.environment.name, failures, event.createdAt ?? now);
  });
  return [read, ...found];
}

function countWorkflows(events: readonly TriggeredEvent[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { workflow } of events) {
    if (workflow) counts.set(workflow.identifier, (counts.get(workflow.identifier) ?? 0) + 1);
  }
  return counts;
}
