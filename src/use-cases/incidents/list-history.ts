import type { FailureFilter } from '../../domain/failures/failure-filter.ts';
import type { PastIncident } from '../../domain/incidents/past-incident.ts';
import { type Gap, uncheckedOf } from '../../domain/polling/gap.ts';
import { shownOf, uncheckedIn } from '../../domain/time/coverage.ts';
import type { TimeRange } from '../../domain/time/time-range.ts';

export interface HistoryQuery {
  readonly environment: string;
  /** Only episodes with a failure that matches. */
  readonly filter: FailureFilter;
  /** Only episodes that failed since then. */
  readonly since: Date;
  /** Limits the page to episodes with a lower number, to continue after the previous page. Null for the first page. */
  readonly olderThan: number | null;
  readonly limit: number;
}

export interface HistoryStore {
  /** Returns episodes, the latest to begin first. */
  history(
    query: HistoryQuery,
    now: Date,
  ): Promise<{ readonly incidents: readonly PastIncident[]; readonly hasOlder: boolean }>;
  /** Returns what the poller has checked of an environment; null before its first poll. */
  coverage(environment: string): Promise<TimeRange | null>;
  gapsIn(environment: string, range: TimeRange): Promise<readonly Gap[]>;
}

export interface HistoryPage {
  readonly incidents: readonly PastIncident[];
  readonly hasOlder: boolean;
  /** Until when events were checked; null if none were yet. */
  readonly asOf: Date | null;
  /** The parts of the time since then in which incidents may be missing. */
  readonly unchecked: readonly TimeRange[];
}

/** Returns a page of the incidents of an environment, with what people did about them. */
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
