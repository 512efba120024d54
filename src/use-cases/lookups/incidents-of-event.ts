import { groupOf } from '../../domain/failures/failure.ts';
import type { IncidentNow } from '../../domain/incidents/incident-now.ts';
import type { FoundEvent } from '../../domain/lookups/looked-up.ts';
import type { IncidentsStore } from './find-failures.ts';

/** The incidents that an event's failures belong to and that aren't resolved, each once. */
export async function incidentsOfEvent(
  { environment, judgement: { failures } }: Pick<FoundEvent, 'environment' | 'judgement'>,
  { store, now }: { readonly store: IncidentsStore; readonly now: () => Date },
): Promise<IncidentNow[]> {
  const keyed = failures.map((failure) => ({ failure, key: groupOf(environment.name, failure).key }));
  const newest = await store.incidentsOf([...new Set(keyed.map(({ key }) => key))], now());
  const own = new Map<number, IncidentNow>();
  for (const { failure, key } of keyed) {
    const incident = newest.get(key);
    if (incident === undefined || incident.phase.phase === 'resolved') continue;
    if (failure.occurredAt === null || failure.occurredAt >= incident.tally.firstSeen)
      own.set(incident.episodeId, incident);
  }
  return [...own.values()];
}
