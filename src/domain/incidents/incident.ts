/**
 * The failures of one cause at one channel and provider of an environment, over all workflows, from the first until it is over. What
 * becomes of it is decided here; what is said about that, in `alerting/alert-decision.ts`.
 */
export type IncidentState =
  /** It fails, or has failed so lately, or so rarely is anything tried, that nobody can say that it is over. */
  | 'firing'
  /** No failure for an hour, and too few successes to say that it is over. */
  | 'quiet'
  /** No failure for five minutes, and enough successes since to say that it is over. */
  | 'recovering'
  /** It has been recovering for ten minutes more, or a person said so. */
  | 'resolved';

export type OverState = Extract<IncidentState, 'recovering' | 'resolved'>;

/** Whether an incident in a state is over, as far as anybody can tell: a failure is a relapse then. */
export function isOverIn(state: IncidentState): state is OverState {
  return state === 'recovering' || state === 'resolved';
}

/** What an incident needs without a failure before it recovers, and before that resolves it. */
export const RECOVERING_MS = 5 * 60_000;
const RESOLVED_MS = 15 * 60_000;

/** Without a failure for this long, and nothing that would show that it is over, an incident is quiet. */
export const QUIET_MS = 60 * 60_000;

/** How sure successes have to make us that a cause is gone. */
const CONFIDENCE = 0.95;

/** What is known of an incident that is not resolved. Steps are those of its channel and provider. */
export interface Evidence {
  readonly lastFailureAt: Date;
  /** When the last failure was recorded: a late one occurred before. */
  readonly lastRecordedAt: Date;
  /** Up to when the environment has been checked; nobody knows of later whether it failed. */
  readonly checkedTo: Date;
  /** How often it failed, and how many steps were delivered meanwhile: since it fires or, from its second relapse on, since it began. */
  readonly failures: number;
  readonly successesMeanwhile: number;
  /** Steps delivered after its last failure. */
  readonly successesSince: number;
  /** Whether one of them was of a workflow that had failed: others' say little about a mistake in a template. */
  readonly hasOwnSuccess: boolean;
}

/**
 * How many steps in a row have to be delivered to say with 95% confidence that a cause is gone which made `failures` of so many fail: if it
 * were still there, so long a run without a failure would have a probability of 5% at most, (1 − p)ⁿ ≤ 0.05. For rare failures that is the
 * statisticians' rule of three, n ≈ 3/p (Hanley and Lippman-Hand, JAMA 1983).
 */
export function successesNeeded(failures: number, successesMeanwhile: number): number {
  const share = failures / Math.max(1, failures + successesMeanwhile);
  if (share >= CONFIDENCE) return 1;
  return Math.max(1, Math.ceil(Math.log(1 - CONFIDENCE) / Math.log(1 - share)));
}

/** The state of an incident that is not resolved, by what is known of it. */
export function stateBy(evidence: Evidence, now: Date): IncidentState {
  const { lastFailureAt, lastRecordedAt, checkedTo, successesSince, hasOwnSuccess } = evidence;
  const end = Math.min(now.getTime(), checkedTo.getTime());
  const calmMs = end - lastFailureAt.getTime();
  const isEnough = successesSince >= successesNeeded(evidence.failures, evidence.successesMeanwhile) && hasOwnSuccess;
  if (isEnough && calmMs >= RESOLVED_MS) return 'resolved';
  if (isEnough && calmMs >= RECOVERING_MS) return 'recovering';
  return end - lastRecordedAt.getTime() >= QUIET_MS ? 'quiet' : 'firing';
}
