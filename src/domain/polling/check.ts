import type { ServiceProblem } from '../errors.ts';
import type { TimeRange } from '../time/time-range.ts';

/** `checked`: a poll that began after the question has finished. `still checking`: none has so far. */
export type CheckOutcome = 'checked' | 'still checking' | 'failed';

/** What a check upon somebody's question came to. */
export interface Check {
  readonly outcome: CheckOutcome;
  /** Why it failed, where that is the service's doing. */
  readonly problem: ServiceProblem | null;
  readonly notRechecked: NotRechecked;
}

/** Events that were checked before the question, and not again: they may have failed since. */
export interface NotRechecked {
  /** With a step that isn't final. */
  readonly inProgress: number;
  /** Those that can only fail late, as a bounce does: their rechecks have a schedule. */
  readonly settled: number;
}

export const ALL_RECHECKED: NotRechecked = { inProgress: 0, settled: 0 };

/** How current an answer from what is stored is. */
export interface Freshness {
  /** When the last successful check of new events began; null where there was none. */
  readonly asOf: Date | null;
  /** Whether that was after the question. */
  readonly isCurrent: boolean;
  readonly notRechecked: NotRechecked;
}

/**
 * Checks an environment now: polls it, and rechecks the events of `window` where one is given. Takes two seconds at most; never
 * rejects.
 */
export type CheckNow = (environment: string, window: TimeRange | null) => Promise<Check>;
