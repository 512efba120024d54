import { addMilliseconds } from 'date-fns';
import type { Environment } from '../../domain/environment.ts';
import { ServiceError } from '../../domain/errors.ts';
import type { FailureFilter } from '../../domain/failures/failure-filter.ts';
import { emptySummary, type FailureSummary } from '../../domain/failures/tally.ts';
import type { FailuresFound } from '../../domain/lookups/failures-found.ts';
import { type CheckNow, freshnessAfter } from '../../domain/polling/check.ts';
import { CLOCK_TOLERANCE_MS, datedAheadMs } from '../../domain/polling/clock.ts';
import type { Gap } from '../../domain/polling/gap.ts';
import { shared } from '../../domain/polling/reading-windows.ts';
import { joinedRanges } from '../../domain/time/coverage.ts';
import type { TimeRange } from '../../domain/time/time-range.ts';

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
  readonly store: FailureStore & ClockStore;
  /** Null: the answer is what is known as of the last check. */
  readonly checkNow: CheckNow | null;
  readonly now: () => Date;
}

/** The time between parsing a command, which sets the range's "now", and reading the clock here. */
const ASKING_MS = 500;

/**
 * The range is by our clock: if the service's is behind, what occurred in it is dated earlier. Doesn't throw if the service can't be
 * read, but returns what is known, with the problem and the time of the last check.
 */
export async function findFailures(
  asked: TimeRange,
  filter: FailureFilter,
  { environment, store, checkNow, now }: FindFailuresParts,
): Promise<FailuresFound> {
  const askedAt = now();
  const check = (await checkNow?.(environment.name)) ?? null;
  const coverage = await store.coverage(environment.name);
  const aheadMs = datedAheadMs(await store.clockAheadMs(environment.name));
  const since = coverage && addMilliseconds(coverage.from, -aheadMs);
  const found = {
    environment,
    filter,
    asked,
    freshness: freshnessAfter(check, coverage?.checkedAt ?? null),
    since: since !== null && since > asked.from ? since : null,
    trouble: check?.problem == null ? null : new ServiceError(environment.name, 'listEvents', check.problem),
  };
  const read = coverage && shared(asked, movedBy(-aheadMs, coverage));
  if (coverage === null || read === null) {
    const at = since !== null && since >= asked.to ? asked.to : asked.from;
    return { ...found, read: { from: at, to: at }, gaps: { unchecked: [], givenUp: [] }, summary: emptySummary() };
  }
  const gaps = await store.gapsIn(environment.name, movedBy(aheadMs, read));
  const within = (windows: readonly TimeRange[]) =>
    joinedRanges(windows.flatMap((window) => shared(movedBy(-aheadMs, window), read) ?? []));
  return {
    ...found,
    read,
    gaps: {
      unchecked: within(gaps.flatMap(({ unchecked }) => unchecked)),
      givenUp: within(gaps.flatMap(({ givenUp }) => givenUp)),
    },
    summary: await store.failuresIn(environment.name, movedBy(aheadMs, toTheEnd(asked, askedAt)), coverage, filter),
  };
}

/** The service's clock may date into our future what has just happened. */
function toTheEnd(range: TimeRange, now: Date): TimeRange {
  return range.to.getTime() < now.getTime() - ASKING_MS
    ? range
    : { from: range.from, to: addMilliseconds(now, CLOCK_TOLERANCE_MS) };
}

function movedBy(ms: number, { from, to }: TimeRange): TimeRange {
  return { from: addMilliseconds(from, ms), to: addMilliseconds(to, ms) };
}
