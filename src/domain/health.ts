import type { ServiceProblem } from './errors.ts';

/** How the reading of an environment goes. */
export interface EnvironmentHealth {
  readonly environment: string;
  /** Events created up to then were read, but for what gaps say. */
  readonly readTo: Date;
  readonly newestEventAt: Date | null;
  readonly lastRoundAt: Date | null;
  /** When the last round began that read all that was new. */
  readonly lastSuccessAt: Date | null;
  /** Since when each round has failed, and by what; null when the last one succeeded. */
  readonly failingSince: Date | null;
  readonly problem: ServiceProblem | null;
  /** How late the latest sweep for late failures is. */
  readonly behindMs: number;
  /** How far the service's clock is ahead of ours; negative where it is behind, null where its answers do not say. */
  readonly clockAheadMs: number | null;
  readonly openGaps: number;
  /** How much of them is still to be read, as a length of time. */
  readonly unreadMs: number;
  /** Events that are due to be read again, at most `MOST_COUNTED`. */
  readonly dueRereads: number;
}

/** Counts of what waits stop here: more than this says the same. */
export const MOST_COUNTED = 10_000;
