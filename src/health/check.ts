import type { ServiceProblem } from '../lib/errors.ts';

/** `checked`: a poll that began after the question has finished. `still checking`: none has finished so far. */
export type CheckOutcome = 'checked' | 'still checking' | 'failed';

export interface Check {
  readonly outcome: CheckOutcome;
  readonly problem: ServiceProblem | null;
}

/** Checks an environment now, for a person's question. Takes at most two seconds; never rejects. */
export type CheckNow = (environment: string) => Promise<Check>;
