import type { ServiceProblem } from '../lib/errors.ts';

/** `checked`: a poll that began after the question has finished. `still checking`: none has finished so far. */
export type CheckOutcome = 'checked' | 'still checking' | 'failed';

/** The result of a check for a person's question. */
export interface Check {
  readonly outcome: CheckOutcome;
  /** Why it failed or can't finish yet, if the service is the reason. */
  readonly problem: ServiceProblem | null;
}

/** How current an answer from the store is. */
export interface Freshness {
  /** When the last successful check of new events began; null if there was none. */
  readonly asOf: Date | null;
  /** Whether that was after the question. */
  readonly isCurrent: boolean;
}

/** Returns how current an answer is after a check; null: none was made. `checkedAt`: when the last successful check began. */
export function freshnessAfter(check: Check | null, checkedAt: Date | null): Freshness {
  return { asOf: checkedAt, isCurrent: check?.outcome === 'checked' };
}

/** Checks an environment now. Takes at most two seconds; never rejects. */
export type CheckNow = (environment: string) => Promise<Check>;
