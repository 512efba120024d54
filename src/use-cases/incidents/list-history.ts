import type { FailureFilter } from '../../domain/failures/failure-filter.ts';
import type { PastIncident } from '../../domain/incidents/past-incident.ts';

export interface HistoryQuery {
  readonly environment: string;
  /** Episodes with a failure that it takes. */
  readonly filter: FailureFilter;
  /** Episodes that failed since. */
  readonly since: Date;
  /** Only episodes with a lower number: the page after the one that ended with it. Null for the first page. */
  readonly olderThan: number | null;
  readonly limit: number;
}

export interface HistoryStore {
  /** The last that began, first. */
  history(
    query: HistoryQuery,
    now: Date,
  ): Promise<{ readonly incidents: readonly PastIncident[]; readonly hasOlder: boolean }>;
  /** Up to when the poller has checked an environment; null before its first poll. */
  coverage(environment: string): Promise<{ readonly to: Date } | null>;
}

export interface HistoryPage {
  readonly incidents: readonly PastIncident[];
  readonly hasOlder: boolean;
  /** Up to when events were checked; null: none were yet. */
  readonly asOf: Date | null;
}

/** A page of the incidents of an environment, with what people did about them. */
export async function listHistory(
  query: HistoryQuery,
  { store, now }: { readonly store: HistoryStore; readonly now: () => Date },
): Promise<HistoryPage> {
  // Before the list: what is found of a later poll doesn't make it older than it says.
  const coverage = await store.coverage(query.environment);
  return { ...(await store.history(query, now())), asOf: coverage?.to ?? null };
}
