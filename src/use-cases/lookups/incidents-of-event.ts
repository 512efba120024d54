import { groupOf } from '../../domain/failures/failure.ts';
import { StoreTroubleError } from '../../domain/health/store-trouble.ts';
import type { IncidentNow } from '../../domain/incidents/incident-now.ts';
import type { Logger } from '../../domain/logger.ts';
import type { FoundEvent } from '../../domain/lookups/looked-up.ts';
import type { IncidentsStore } from './find-failures.ts';

export interface IncidentsOfEventParts {
  readonly store: IncidentsStore;
  readonly logger: Logger;
  readonly now: () => Date;
}

/** Returns the unresolved incidents of an event's failures, each once. None if the store is failing: the event can still be looked up. */
export async function incidentsOfEvent(
  { environment, judgement: { failures } }: Pick<FoundEvent, 'environment' | 'judgement'>,
  { store, logger, now }: IncidentsOfEventParts,
): Promise<IncidentNow[]> {
  if (failures.length === 0) return [];
  const keyed = failures.map((failure) => ({ failure, key: groupOf(environment.name, failure).key }));
  const newest = await store.incidentsOf([...new Set(keyed.map(({ key }) => key))], now()).catch((err: unknown) => {
    if (!(err instanceof StoreTroubleError)) throw err;
    logger.warn({ trouble: err.trouble }, "an event's incidents are left out while the store is in trouble");
    return new Map<string, IncidentNow>();
  });
  const own = new Map<number, IncidentNow>();
  for (const { failure, key } of keyed) {
    const incident = newest.get(key);
    if (incident === undefined || incident.state.is === 'resolved') continue;
    if (failure.occurredAt === null || failure.occurredAt >= incident.tally.firstSeen)
      own.set(incident.episodeId, incident);
  }
  return [...own.values()];
}
