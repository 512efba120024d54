import type { FailureFilter } from '../../domain/failures/failure-filter.ts';
import type { PastIncident } from '../../domain/incidents/past-incident.ts';

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
  /** Returns until when the poller has checked an environment; null before its first poll. */
  coverage(environment: string): Promise<{ readonly to: Date } | null>;
}

export interface HistoryPage {
  readonly incidents: readonly PastIncident[];
  readonly hasOlder: boolean;
  /** Until when events were checked; null if none were yet. */
  readonly asOf: Date | null;
}

/** Returns a page of the incidents of an environment, with what people did about them. */
export async function listHistory(
  query: HistoryQuery,
  { store, now }: { readonly store: HistoryStore; readonly now: () => Date },
): Promise<HistoryPage> {
  // Read before the list, so that the list can be newer than this time but never older.
  const coverage = await store.coverage(query.environment);
  return { ...(await store.history(query, now())), asOf: coverage?.to ?? null };
}
