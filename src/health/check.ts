import type { ServiceProblem } from '../lib/errors.ts';

/** `still checking`: none has finished so far. */
export type CheckOutcome = 'checked' | 'still checking' | 'failed';

export interface Check {
  readonly outcome: CheckOutcome;
  readonly problem: ServiceProblem | null;
}

/** Takes at most two seconds; never rejects. */
export type CheckNow = (environment: string) => Promise<Check>;
