import { StoreTroubleError } from '../../domain/health/store-trouble.ts';
import type { Logger } from '../../domain/logger.ts';
import type { FoundEvent } from '../../domain/lookups/looked-up.ts';
import { boundedId } from '../../domain/text/bounded-id.ts';
import type { IncidentNow } from '../../incidents/incident.ts';
import { incidentsWith } from '../../incidents/lists.ts';
import type { Database } from '../../store/database/database.ts';

export interface IncidentsOfEventParts {
  readonly db: Database;
  readonly logger: Logger;
  readonly now: () => Date;
}

/** Returns the unresolved incidents of an event's failures. None if the store is failing: the event can still be looked up. */
export async function incidentsOfEvent(
  { environment, judgement: { failures } }: Pick<FoundEvent, 'environment' | 'judgement'>,
  { db, logger, now }: IncidentsOfEventParts,
): Promise<IncidentNow[]> {
  const [first] = failures;
  if (first === undefined) return [];
  const incidents = await incidentsWith(db, environment.name, boundedId(first.eventKey), now()).catch(
    (err: unknown) => {
      if (!(err instanceof StoreTroubleError)) throw err;
      logger.warn({ trouble: err.trouble }, "an event's incidents are left out while the store is in trouble");
      return [];
    },
  );
  return incidents.filter(({ state }) => state.is !== 'resolved');
}
