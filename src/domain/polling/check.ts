import type { ServiceProblem } from '../errors.ts';
import type { TimeRange } from '../time/time-range.ts';

/** `checked`: a poll that began after the question has finished. `still checking`: none has finished so far. */
export type CheckOutcome = 'checked' | 'still checking' | 'failed';

/** The result of a check for a person's question. */
export interface Check {
  readonly outcome: CheckOutcome;
  /** Why it failed or can't finish yet, if the service is the reason. */
  readonly problem: ServiceProblem | null;
  readonly notRechecked: NotRechecked;
}

/** Events that were checked before the question but not again, so they may have failed since. */
export interface NotRechecked {
  /** With a step that isn't final. */
  readonly inProgress: number;
  /** Events that can only fail late, such as by a bounce; their rechecks follow a schedule. */
  readonly settled: number;
}

export const ALL_RECHECKED: NotRechecked = { inProgress: 0, settled: 0 };

/** How current an answer from the store is. */
export interface Freshness {
  /** When the last successful check of new events began; null if there was none. */
  readonly asOf: Date | null;
  /** Whether that was after the question. */
  readonly isCurrent: boolean;
  readonly notRechecked: NotRechecked;
}

/** Returns whether everything that had been checked before a question was checked again for it. */
export function isCheckedAgain({ isCurrent, notRechecked }: Freshness): boolean {
  return isCurrent && notRechecked.inProgress + notRechecked.settled === 0;
}

/** Returns how current an answer is after a check; null: none was made. `checkedAt`: when the last successful check began. */
export function freshnessAfter(check: Check | null, checkedAt: Date | null): Freshness {
  return {
    asOf: checkedAt,
    isCurrent: check?.outcome === 'checked',
    notRechecked: check?.notRechecked ?? ALL_RECHECKED,
  };
}

/** Checks an environment now: polls it, and rechecks the events of `window`, if given. Takes at most two seconds; never rejects. */
export type CheckNow = (environment: string, window: TimeRange | null) => Promise<Check>;
