import type { FailureFilter } from '../../domain/failures/failure-filter.ts';
import type { PastIncident } from '../../domain/incidents/history.ts';
import { type Gap, uncheckedOf } from '../../domain/polling/gap.ts';
import { shownOf, uncheckedIn } from '../../domain/time/coverage.ts';
import type { TimeRange } from '../../domain/time/time-range.ts';

export interface HistoryQuery {
  readonly environment: string;
  readonly filter: FailureFilter;
  readonly since: Date;
  /** Limits the page to episodes with a lower number, to continue after the previous page. Null for the first page. */
  readonly olderThan: number | null;
  readonly limit: number;
}

export interface HistoryStore {
  history(
    query: HistoryQuery,
    now: Date,
  ): Promise<{ readonly incidents: readonly PastIncident[]; readonly hasOlder: boolean }>;
  coverage(environment: string): Promise<TimeRange | null>;
  gapsIn(environment: string, range: TimeRange): Promise<readonly Gap[]>;
}

export interface HistoryPage {
  readonly incidents: readonly PastIncident[];
  readonly hasOlder: boolean;
  readonly asOf: Date | null;
  readonly unchecked: readonly TimeRange[];
}

export async function listHistory(
  query: HistoryQuery,
  { store, now }: { readonly store: HistoryStore; readonly now: () => Date },
): Promise<HistoryPage> {
  // Read before the list, so that the list can be newer than this time but never older.
  const coverage = await store.coverage(query.environment);
  const range = shownOf({ from: query.since, to: now() }, { coverage });
  const gaps = (await store.gapsIn(query.environment, range)).flatMap((gap) => uncheckedOf(gap, range.to));
  return {
    ...(await store.history(query, now())),
    asOf: coverage?.to ?? null,
    unchecked: uncheckedIn(range, { coverage, gaps }),
  };
}
