import { addMilliseconds, max, min, subMilliseconds } from 'date-fns';
import type { Environment } from '../../domain/environment.ts';
import { ServiceError } from '../../domain/errors.ts';
import type { FailureFilter } from '../../domain/failures/failure-filter.ts';
import { type FailureSummary, joinSummaries } from '../../domain/failures/tally.ts';
import type { IncidentNow } from '../../domain/incidents/incident-now.ts';
import type { FailuresFound } from '../../domain/lookups/failures-found.ts';
import { type Check, type CheckNow, type Freshness, freshnessAfter } from '../../domain/polling/check.ts';
import { datedAheadMs } from '../../domain/polling/clock.ts';
import type { Gap } from '../../domain/polling/gap.ts';
import { shared } from '../../domain/polling/reading-windows.ts';
import { joinedRanges } from '../../domain/time/coverage.ts';
import type { TimeRange } from '../../domain/time/time-range.ts';
import {
  type Budget,
  beginBudget,
  type FailureReader,
  movedBy,
  nothingRead,
  type PartRead,
  readLive,
  toTheEnd,
} from './read-live.ts';

export interface IncidentsStore {
  incidentsOf(groupKeys: readonly string[], now: Date): Promise<ReadonlyMap<string, IncidentNow>>;
}

export interface FailureStore {
  coverage(environment: string): Promise<Coverage | null>;
  gapsIn(environment: string, range: TimeRange): Promise<Gap[]>;
  /** Returns the failures in `range` of stored events created within `coverage`, and how many events were checked in both. */
  failuresIn(
    environment: string,
    range: TimeRange,
    coverage: TimeRange,
    filter: FailureFilter,
  ): Promise<FailureSummary>;
}

export interface ClockStore {
  /** Returns the difference of clocks that the last poll found, whichever process ran it; null before the first. */
  clockAheadMs(environment: string): Promise<number | null>;
}

export interface Coverage extends TimeRange {
  /** When the last poll that checked everything new began; null before the first. */
  readonly checkedAt: Date | null;
}

export interface FindFailuresParts {
  readonly environment: Environment;
  readonly service: FailureReader;
  readonly store: FailureStore & ClockStore;
  /** Null: the answer is what is known as of the last check. */
  readonly checkNow: CheckNow | null;
  readonly now: () => Date;
}

/**
 * The range is by our clock: if the service's is behind, what occurred in it is dated earlier. Doesn't throw if the service can't be
 * read, but returns what is known, with the problem and the time of the last check.
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
  const clockAheadMs = await clockAheadOf(parts);
  const aheadMs = datedAheadMs(clockAheadMs);
  const dated = movedBy(aheadMs, toTheEnd(asked, askedAt));
  const check = concerns ? ((await parts.checkNow?.(environment.name)) ?? null) : null;
  const coverage = await store.coverage(environment.name);
  const { newer, stored, older } = split(asked, coverage && byOurs(coverage, aheadMs));
  const budget = beginBudget(askedAt, parts.now(), clockAheadMs);

  if (coverage === null || stored === null) {
    const live = await readHead(asked, coverage === null ? null : check, filter, parts, budget);
    const isKnown = coverage !== null && isServiceAway(check);
    const freshness = isKnown ? freshnessAfter(check, coverage.checkedAt) : { asOf: askedAt, isCurrent: true };
    return answerFor(asked, filter, environment, freshness)([live]);
  }
  const answer = answerFor(asked, filter, environment, freshnessAfter(check, coverage.checkedAt));
  const head = newer && (await readHead(newer, check, filter, parts, budget));
  if (newer && head?.unread && isOlderPart(head.unread, newer)) {
    const unread = { from: asked.from, to: head.unread.to };
    return answer([{ ...head, unread, next: unread }]);
  }
  const gaps = await store.gapsIn(environment.name, stored);
  // What is read from the service isn't counted from the store, too. If nothing was, the store has more: clocks may differ by less than now.
  const isRead = newer !== null && head !== null && (head.unread === null || head.unread.from > newer.from);
  const within = isRead ? { ...coverage, to: addMilliseconds(coverage.to, aheadMs) } : coverage;
  const known = {
    summary: await store.failuresIn(environment.name, dated, within, filter),
    unread: null,
    next: null,
    trouble: troubleOf(check, environment),
    gaps: gapsWithin(stored, gaps),
  };
  const isHeadWhole = head === null || head.unread === null;
  const tail = older && (isHeadWhole ? await readLive(older, filter, parts, budget) : nothingRead(older));
  return answer([head, known, tail]);
}

async function clockAheadOf({ service, store, environment }: FindFailuresParts): Promise<number | null> {
  return service.clockAheadMs() ?? (await store.clockAheadMs(environment.name));
}

/** Returns what is covered by our clock. It begins with what the service dates so, and ends when the last poll began. */
function byOurs({ from, to }: Coverage, aheadMs: number): TimeRange {
  return { from: min([to, subMilliseconds(from, aheadMs)]), to };
}

function isOlderPart(left: TimeRange, range: TimeRange): boolean {
  return left.from <= range.from && left.to < range.to;
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
    ? { ...nothingRead(newer), next: null, trouble: troubleOf(check, parts.environment) }
    : readLive(newer, filter, parts, budget);
}

function isServiceAway(check: Check | null): boolean {
  return check !== null && (check.outcome === 'still checking' || check.problem !== null);
}

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
  return (parts: readonly (PartRead | null)[]): FailuresFound => {
    const present = parts.filter((part) => part !== null);
    const unread = present.map((part) => part.unread).filter((window) => window !== null);
    const gaps = present.find((part) => part.gaps !== undefined)?.gaps ?? NO_GAPS;
    const read = rangeRead(asked, unread);
    const inside = unread.filter(({ from, to }) => from > read.from && to < read.to);
    const next = present.findLast((part) => part.next !== null)?.next ?? null;
    return {
      environment,
      filter,
      asked,
      freshness,
      read,
      unchecked: read.from < read.to ? next : (next ?? asked),
      gaps: { ...gaps, unchecked: joinedRanges([...gaps.unchecked, ...inside]) },
      trouble: present.find((part) => part.trouble !== null)?.trouble ?? null,
      summary: joinSummaries(present.map((part) => part.summary)),
    };
  };
}

/** Returns a range without what wasn't read at its ends; an empty one at its end if nothing is left. */
function rangeRead(asked: TimeRange, unread: readonly TimeRange[]): TimeRange {
  const from = max([asked.from, ...unread.filter((one) => one.from <= asked.from).map((one) => one.to)]);
  const to = min([asked.to, ...unread.filter((one) => one.to >= asked.to).map((one) => one.from)]);
  return from < to ? { from, to } : { from: asked.to, to: asked.to };
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
