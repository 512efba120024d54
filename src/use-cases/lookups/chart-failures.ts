import { type Buckets, bucketsOf, type Counted, divided } from '../../domain/charts/chart.ts';
import type { FailureFilter } from '../../domain/failures/failure-filter.ts';
import { type CheckNow, type Freshness, freshnessAfter } from '../../domain/polling/check.ts';
import { uncheckedOf } from '../../domain/polling/gap.ts';
import { shownOf, uncheckedIn } from '../../domain/time/coverage.ts';
import type { TimeRange } from '../../domain/time/time-range.ts';
import type { FailureStore } from './find-failures.ts';

export type ChartSubject =
  | { readonly is: 'filter'; readonly filter: FailureFilter }
  | { readonly is: 'incident'; readonly incidentId: number };

export interface ChartRequest {
  readonly environment: string;
  readonly range: TimeRange;
  readonly subject: ChartSubject;
}

export interface ChartStore extends Pick<FailureStore, 'coverage' | 'gapsIn'> {
  countedIn(environment: string, buckets: Buckets, subject: ChartSubject): Promise<Counted>;
}

export interface Chart extends Pick<Counted, 'events' | 'unreadable' | 'marks'>, ReturnType<typeof divided> {
  readonly buckets: Buckets;
  /** Unchecked ranges: a count there is a lower bound. */
  readonly unchecked: readonly TimeRange[];
  readonly freshness: Freshness;
}

/** Without `checkNow` it's as of the last check. */
export async function chartFailures(
  { environment, range, subject }: ChartRequest,
  { store, checkNow }: { readonly store: ChartStore; readonly checkNow: CheckNow | null },
): Promise<Chart> {
  const check = (await checkNow?.(environment)) ?? null;
  const coverage = await store.coverage(environment);
  const shown = shownOf(range, { coverage });
  const buckets = bucketsOf(shown);
  const gaps = await store.gapsIn(environment, shown);
  const { kinds, rest, ...counted } = await store.countedIn(environment, buckets, subject);
  return {
    ...counted,
    ...divided({ kinds, rest }),
    buckets,
    unchecked: uncheckedIn(shown, { coverage, gaps: gaps.flatMap((gap) => uncheckedOf(gap, shown.to)) }),
    freshness: freshnessAfter(check, coverage?.checkedAt ?? null),
  };
}
