import { checkedMs } from '../time/coverage.ts';
import type { TimeRange } from '../time/time-range.ts';

/**
 * The failures of one cause at one channel and provider of an environment, over all workflows, from the first until it has ended. Its state
 * is decided here; alerts about it, in `domain/alerting/alert-decision.ts`.
 */
export type IncidentState =
  /** It is failing, or failed so recently or is tried so rarely that nobody can say that it has ended. */
  | 'firing'
  /** No failure for an hour, but too few successes to say that it has ended. */
  | 'quiet'
  /** No failure for five minutes, and enough successes since to say that it has ended. */
  | 'recovering'
  /** It has been recovering for another ten minutes, or a person resolved it. */
  | 'resolved';

export type OverState = Extract<IncidentState, 'recovering' | 'resolved'>;

/** Returns whether an incident in this state has ended, as far as anybody can tell; a new failure is then a relapse. */
export function isOverIn(state: IncidentState): state is OverState {
  return state === 'recovering' || state === 'resolved';
}

/** How long an incident has no failure before it is recovering, and how long it recovers before it is resolved. */
export const RECOVERING_MS = 5 * 60_000;
const RESOLVED_MS = 15 * 60_000;

/** An incident is quiet after this long without a failure or a proof that it has ended. */
export const QUIET_MS = 60 * 60_000;

/** How sure Notif must be, by successes, that a cause is gone. */
const CONFIDENCE = 0.95;

/** What is known of an unresolved incident. Steps are those of its channel and provider. */
export interface Evidence {
  /** By our clock. */
  readonly lastFailureAt: Date;
  /** When the last failure was recorded; a late one occurred earlier. */
  readonly lastRecordedAt: Date;
  /** Until when the environment has been checked; nothing is known about failures after that. */
  readonly checkedTo: Date;
  /** What wasn't checked of the time before that, by our clock. */
  readonly unchecked: readonly TimeRange[];
  /** Failures and deliveries since it started firing or, from its second relapse on, since it began. */
  readonly failures: number;
  readonly successesMeanwhile: number;
  readonly successesSince: number;
  /** Whether one of them belonged to a workflow that had failed. Other workflows' successes say little about a mistake in a template. */
  readonly hasOwnSuccess: boolean;
}

/**
 * Returns how many steps in a row must be delivered to say with 95% confidence that a cause is gone that made `failures` of so many fail:
 * if it were still there, so long a run without a failure would have a probability of at most 5%, (1 − p)ⁿ ≤ 0.05. For rare failures that
 * is the statisticians' rule of three, n ≈ 3/p (Hanley and Lippman-Hand, JAMA 1983).
 */
export function successesNeeded(failures: number, successesMeanwhile: number): number {
  const share = failures / Math.max(1, failures + successesMeanwhile);
  return Math.max(1, Math.ceil(Math.log(1 - CONFIDENCE) / Math.log(1 - share)));
}

/** Returns the state of an unresolved incident by what is known of it. Time that wasn't checked isn't time without a failure. */
export function stateBy(evidence: Evidence, now: Date): IncidentState {
  const { lastFailureAt, lastRecordedAt, checkedTo, unchecked, successesSince, hasOwnSuccess } = evidence;
  const to = checkedTo < now ? checkedTo : now;
  const calmMs = checkedMs({ from: lastFailureAt, to }, unchecked);
  const isEnough = successesSince >= successesNeeded(evidence.failures, evidence.successesMeanwhile) && hasOwnSuccess;
  if (isEnough && calmMs >= RESOLVED_MS) return 'resolved';
  if (isEnough && calmMs >= RECOVERING_MS) return 'recovering';
  return checkedMs({ from: lastRecordedAt, to }, unchecked) >= QUIET_MS ? 'quiet' : 'firing';
}
