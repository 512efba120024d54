import type { ServiceProblem } from '../errors.ts';
import type { LateFailureDelay } from '../polling/recheck-pace.ts';

/** How the reading of an environment goes. */
export interface EnvironmentHealth {
  readonly environment: string;
  /** Events created up to then were read, but for what gaps say. */
  readonly readTo: Date;
  readonly newestEventAt: Date | null;
  readonly lastPollAt: Date | null;
  /** When the last round began that read all that was new. */
  readonly lastSuccessAt: Date | null;
  /** When all that was news was last written down for every watch; null: never yet. */
  readonly announcedAt: Date | null;
  /** Since when each round has failed, and by what; null when the last one succeeded. */
  readonly failingSince: Date | null;
  readonly problem: ServiceProblem | null;
  /** How late the latest sweep for late failures is. */
  readonly behindMs: number;
  /** How soon a late failure is reported at the latest, by its age, as the last sweep left it; empty before the first. */
  readonly lateFailures: readonly LateFailureDelay[];
  /** How far the service's clock is ahead of ours; negative where it is behind, null where its answers do not say. */
  readonly clockAheadMs: number | null;
  readonly openGaps: number;
  /** How much of them is still to be read, as a length of time. */
  readonly unreadMs: number;
  /** Events that are due to be read again, at most `MOST_COUNTED`. */
  readonly dueRereads: number;
  /** Events that could not be recorded, and are tried again after an upgrade or a day. */
  readonly quarantined: number;
  /** Unsettled events that couldn't be seen up to the horizon, since the environment was first read. */
  readonly givenUp: number;
}

/** Counts of what waits stop here: more than this says the same. */
export const MOST_COUNTED = 10_000;
