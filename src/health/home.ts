import type { IncidentNow } from '../incidents/incident.ts';
import type { Permission } from '../lib/people.ts';
import type { Watch } from '../watches/settings.ts';
import type { Status } from './situation.ts';

export interface Home {
  readonly status: Status;
  /** Null if the database doesn't respond, like `watches`. */
  readonly open: OpenIncidents | null;
  readonly watches: SeenWatches | null;
  /** Whether its owner can send tests; the button is also offered if that isn't known. */
  readonly canTrigger: Permission;
}

export interface OpenIncident extends IncidentNow {
  readonly mutedIn: number;
}

export interface OpenIncidents {
  readonly incidents: readonly OpenIncident[];
  /** How many come before them in the complete order. */
  readonly offset: number;
  readonly total: number;
}

/** The watches that a person can see: those of public channels, and their own. */
export interface SeenWatches {
  readonly watches: readonly Watch[];
  readonly others: number;
}
