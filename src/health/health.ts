import type { ServiceProblem } from '../lib/errors.ts';

export interface EnvironmentHealth {
  readonly environment: string;
  /** Events created until then were read, except for gaps. */
  readonly checkedTo: Date;
  readonly lastPollAt: Date | null;
  /** When the last poll that read everything new began. */
  readonly lastSuccessAt: Date | null;
  /** Since when every poll has failed, and why; null if the last one succeeded. */
  readonly failingSince: Date | null;
  readonly problem: ServiceProblem | null;
  /** By how much the passes over older events are late. */
  readonly behindMs: number;
  /** How far the service's clock is ahead of ours; negative if it is behind, null if its responses don't say. */
  readonly clockAheadMs: number | null;
  readonly openGaps: number;
  readonly uncheckedMs: number;
  /** Events of the last day that couldn't be read, or recorded. */
  readonly unreadable: number;
  /** Events of the last quarter of an hour that couldn't be read; 0 if any event of that time could. */
  readonly unreadableAlone: number;
  /** Given up in gaps. */
  readonly notRecoveredMs: number;
}
