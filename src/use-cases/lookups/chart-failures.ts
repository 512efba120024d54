import { addMilliseconds } from 'date-fns';
import { bucketsOf } from '../../domain/charts/buckets.ts';
import type { Buckets, Chart, Counted } from '../../domain/charts/chart.ts';
import { makeChart } from '../../domain/charts/make-chart.ts';
import type { FailureFilter } from '../../domain/failures/failure-filter.ts';
import { type CheckNow, type Freshness, freshnessAfter } from '../../domain/polling/check.ts';
import { uncheckedOf } from '../../domain/polling/gap.ts';
import { datedAheadMs } from '../../domain/polling/reading.ts';
import { shownOf } from '../../domain/time/coverage.ts';
import type { TimeRange } from '../../domain/time/time-range.ts';
import type { ClockStore, FailureStore } from './find-failures.ts';

/** The failures that a chart covers: those matching a filter, or those of an incident, given by one of its episodes. */
export type ChartSubject =
  | { readonly is: 'filter'; readonly filter: FailureFilter }
  | { readonly is: 'incident'; readonly episodeId: number };

export interface ChartRequest {
  readonly environment: string;
  readonly range: TimeRange;
  readonly subject: ChartSubject;
}

export interface ChartStore extends Pick<FailureStore, 'coverage' | 'gapsIn'> {
  /** Returns an environment's stored failures and events by bucket. Includes failures that are only counted if a verdict is asked for. */
  countedIn(environment: string, buckets: Buckets, subject: ChartSubject): Promise<Counted>;
}

export interface ChartFailuresParts {
  readonly store: ChartStore & ClockStore;
  /** Null: the chart shows what is known as of the last check. */
  readonly checkNow: CheckNow | null;
}

export interface ChartFound {
  readonly chart: Chart;
  readonly freshness: Freshness;
}

/**
 * Charts the stored failures of a time range, marking what wasn't checked. Says how current that is. The chart of a range that somebody
 * asked for begins earlier if the service's clock is behind, with what it dates so: its bars are at the service's own times.
 */
export async function chartFailures(
  { environment, range: asked, subject }: ChartRequest,
  { store, checkNow }: ChartFailuresParts,
): Promise<ChartFound> {
  const range = subject.is === 'incident' ? asked : await withBehind(environment, asked, store);
  const check = (await checkNow?.(environment, range)) ?? null;
  const coverage = await store.coverage(environment);
  const shown = shownOf(range, { coverage });
  const buckets = bucketsOf(shown);
  const gaps = await store.gapsIn(environment, buckets);
  const counted = await store.countedIn(environment, buckets, subject);
  const chart = makeChart(buckets, counted, {
    coverage: coverage && withFirstBucket(coverage, shown, buckets),
    gaps: gaps.flatMap((gap) => uncheckedOf(gap, buckets.to)),
  });
  return { chart, freshness: freshnessAfter(check, coverage?.checkedAt ?? null) };
}

async function withBehind(environment: string, { from, to }: TimeRange, store: ClockStore): Promise<TimeRange> {
  const aheadMs = datedAheadMs((await store.currentPast(environment))?.clockAheadMs ?? null);
  return { from: addMilliseconds(from, aheadMs), to };
}

/** The first bucket may begin before the range; that part doesn't count as unchecked. */
function withFirstBucket({ from, to }: TimeRange, shown: TimeRange, buckets: Buckets): TimeRange {
  return { from: from <= shown.from ? buckets.from : from, to };
}
