import { max } from 'date-fns';
import { DAY_MS, lengthWithout, MINUTE_MS, type TimeRange } from '../lib/time/durations.ts';
import { SAME_INCIDENT_MS } from './outbreak.ts';

export const INCIDENT_STATES = ['firing', 'recovering', 'unconfirmed', 'resolved'] as const;

export type IncidentState = (typeof INCIDENT_STATES)[number];

/** What fires recovers after so long without a failure, and what recovers is over after so long. */
export const CALM_MS = 5 * MINUTE_MS;
export const RECOVERED_MS = 10 * MINUTE_MS;

/** So many successes are a recovery before CALM_MS. */
const FEWEST_SUCCESSES = 10;

/** A workflow of which each attempt failed needs so many successes. */
export const FEWEST_NEEDED = 3;

/** A workflow that wasn't tried for so long isn't waited for. */
const UNTRIED_MS = 30 * MINUTE_MS;

/**
 * What shows that an outbreak is over: the successes of each workflow that failed in it, or nothing but time (what is the recipient's own, bounces,
 * and a service that couldn't be read), or the end of its steps (what is stuck).
 */
export type Proof = 'successes' | 'time' | 'steps';

/** A workflow of an outbreak, at the incident's channel and provider. Times are by the service's clock. */
export interface WorkflowEvidence {
  workflow: string;
  /** Counted in the incident's last day, as older successes are pruned. */
  failures: number;
  lastFailedAt: Date;
  successesBefore: number;
  /** Since the workflow's own last failure. */
  successesAfter: number;
  lastSuccessAt: Date | null;
  /** As counted when the incident began to recover. */
  successesNeeded: number | null;
  /** Between its events; null: not known. */
  usualPauseMs: number | null;
}

/** Times are by the service's clock: the caller has converted `stateAt`, which is stored by ours. */
export interface Evidence {
  state: IncidentState;
  stateAt: Date;
  /** The last failure. */
  lastAt: Date;
  /** When a failure was last recorded, as a stuck step is noticed late; `lastAt` if Notif itself was late. */
  foundAt: Date;
  /** Up to when the present was read. */
  checkedTo: Date;
  /** Up to when late failures were looked for, too. After a stop or a restore, that is behind the present for a while. */
  lookedTo: Date;
  /** Time that couldn't be read: it proves no calm. */
  unchecked: readonly TimeRange[];
  proof: Proof;
  /** Failures of the outbreak that are left: none if each retry succeeded. */
  failures: number;
  workflows: readonly WorkflowEvidence[];
  /** A stuck step isn't read again after this time. */
  horizonMs: number;
}

/** The state that an incident has by its evidence. */
export function stateBy(evidence: Evidence): IncidentState {
  const { state, stateAt, lastAt, foundAt, checkedTo, lookedTo, unchecked, failures, proof, workflows } = evidence;
  const calmMs = (from: Date, to = checkedTo): number => lengthWithout({ from, to }, unchecked);
  const isEmptied = failures === 0;
  switch (state) {
    case 'firing':
      if (isEmptied) return 'recovering';
      if (proof === 'steps') return calmMs(lastAt) >= evidence.horizonMs ? 'recovering' : 'firing';
      return isQuick(evidence) || calmMs(max([lastAt, foundAt])) >= CALM_MS ? 'recovering' : 'firing';
    case 'recovering':
      if (calmMs(max([lastAt, stateAt]), lookedTo) < RECOVERED_MS) return 'recovering';
      if (isEmptied || proof !== 'successes' || workflows.every(isDelivered)) return 'resolved';
      return workflows.some((workflow) => !isDelivered(workflow) && isUntried(workflow, checkedTo))
        ? 'unconfirmed'
        : 'recovering';
    case 'unconfirmed':
      return isEmptied || workflows.every(isDelivered) || isForgotten(evidence) ? 'resolved' : 'unconfirmed';
    case 'resolved':
      return 'resolved';
  }
}

/** So much was delivered that nobody waits for the calm. */
function isQuick({ proof, workflows }: Evidence): boolean {
  const successes = workflows.reduce((sum, { successesAfter }) => sum + successesAfter, 0);
  return proof === 'successes' && successes >= FEWEST_SUCCESSES && workflows.every(isDelivered);
}

/** An unconfirmed outbreak is over after SAME_INCIDENT_MS without a failure, though nobody saw it work again. */
export function isForgotten({ lastAt, checkedTo }: Pick<Evidence, 'lastAt' | 'checkedTo'>): boolean {
  return checkedTo.getTime() - lastAt.getTime() >= SAME_INCIDENT_MS;
}

/** By the rule of three (Hanley and Lippman-Hand, JAMA 1983): beyond 3 ÷ p successes, p is refuted at 5 %. */
function successesNeeded({
  failures,
  successesBefore,
}: Pick<WorkflowEvidence, 'failures' | 'successesBefore'>): number {
  return Math.ceil((FEWEST_NEEDED * (failures + successesBefore)) / Math.max(1, failures));
}

export const neededBy = (evidence: WorkflowEvidence): number =>
  Math.max(evidence.successesNeeded ?? 0, successesNeeded(evidence));

export const isDelivered = (evidence: WorkflowEvidence): boolean => evidence.successesAfter >= neededBy(evidence);

/** The newest of the deliveries that prove a recovery. Null until every workflow has enough. */
export function provenAt({ workflows }: Pick<Evidence, 'workflows'>): Date | null {
  const last = workflows.flatMap(({ lastSuccessAt }) => lastSuccessAt ?? []);
  return last.length > 0 && workflows.every(isDelivered) ? max(last) : null;
}

/** A workflow that has nothing to send proves nothing. One with longer pauses is waited for twice as long as these, up to a day. */
function isUntried({ lastFailedAt, lastSuccessAt, usualPauseMs }: WorkflowEvidence, checkedTo: Date): boolean {
  const longestMs = Math.min(DAY_MS, Math.max(UNTRIED_MS, 2 * (usualPauseMs ?? 0)));
  return checkedTo.getTime() - max([lastFailedAt, lastSuccessAt ?? lastFailedAt]).getTime() >= longestMs;
}
