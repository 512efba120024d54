import { bucketsOf } from '../../domain/charts/buckets.ts';
import type { Buckets, Chart, Counted } from '../../domain/charts/chart.ts';
import { makeChart, shownOf } from '../../domain/charts/make-chart.ts';
import type { FailureFilter } from '../../domain/failures/failure-filter.ts';
import type { CheckNow } from '../../domain/polling/check.ts';
import type { TimeRange } from '../../domain/time/time-range.ts';
import type { FailureStore } from './find-failures.ts';

/** Which failures a chart is about: those that a filter takes, or those of an incident, by one of its episodes. */
export type ChartSubject =
  | { readonly is: 'filter'; readonly filter: FailureFilter }
  | { readonly is: 'incident'; readonly episodeId: number };

export interface ChartRequest {
  readonly environment: string;
  readonly range: TimeRange;
  readonly subject: ChartSubject;
}

export interface ChartStore extends Pick<FailureStore, 'coverage' | 'gapsIn'> {
  /** What is stored of an environment's failures and events, by bucket. Failures that are only counted count where a verdict is asked for. */
  countedIn(environment: string, buckets: Buckets, subject: ChartSubject): Promise<Counted>;
}

export interface ChartFailuresParts {
  readonly store: ChartStore;
  /** Null: the chart is about what is known, as of the last check. */
  readonly checkNow: CheckNow | null;
}

/** The failures of a span of time as a chart, from what is stored. What wasn't checked is part of it. */
export async function chartFailures(
  { environment, range, subject }: ChartRequest,
  { store, checkNow }: ChartFailuresParts,
): Promise<Chart> {
  await checkNow?.(environment, range);
  const coverage = await store.coverage(environment);
  const shown = shownOf(range, { coverage });
  const buckets = bucketsOf(shown);
  const gaps = await store.gapsIn(environment, buckets);
  const counted = await store.countedIn(environment, buckets, subject);
  const unread = gaps.flatMap(({ from, to, unread: open, givenUp }) =>
    to === null ? [{ from, to: buckets.to }] : [...open, ...givenUp],
  );
  return makeChart(buckets, counted, { coverage: coverage && withFirstBucket(coverage, shown, buckets), gaps: unread });
}

/** A bucket that begins before what was asked for isn't unchecked for that. */
function withFirstBucket({ from, to }: TimeRange, shown: TimeRange, buckets: Buckets): TimeRange {
  return { from: from <= shown.from ? buckets.from : from, to };
}
