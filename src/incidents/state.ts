import { checkedMs } from '../lib/time/coverage.ts';
import { MINUTE_MS } from '../lib/time/durations.ts';
import type { TimeRange } from '../lib/time/time-range.ts';

export const INCIDENT_STATES = ['firing', 'recovering', 'unconfirmed', 'resolved'] as const;

/**
 * Firing: it fails. Recovering: enough was delivered since, or nothing failed for five minutes. Ten minutes later it is resolved or, without
 * enough deliveries to say so, an unconfirmed recovery.
 */
export type IncidentState = (typeof INCIDENT_STATES)[number];

const CALM_MS = 5 * MINUTE_MS;
const RECOVERED_MS = 10 * MINUTE_MS;

/** Fewer successes prove nothing before five minutes are over. */
const FEWEST_SUCCESSES = 10;

/** What is known of an unresolved incident, by the service's clock; successes are its workflows' at its channel and provider. */
export interface Evidence {
  readonly state: IncidentState;
  readonly stateAt: Date;
  readonly lastAt: Date;
  /** How far its environment was checked, and what within wasn't. */
  readonly checkedTo: Date;
  readonly unchecked: readonly TimeRange[];
  /** Whose recovery needs no success: that of another mailbox says nothing. */
  readonly isRecipients: boolean;
  /** While it was failing, since it started or, from the second relapse on, since it first failed. */
  readonly failures: number;
  readonly successesMeanwhile: number;
  readonly successesSince: number;
}

/**
 * By the rule of three: if a share p still failed, 3 ÷ p successes in a row would have a probability of at most 5 % (Hanley and
 * Lippman-Hand, JAMA 1983).
 */
function successesNeeded({ failures, successesMeanwhile }: Pick<Evidence, 'failures' | 'successesMeanwhile'>) {
  return Math.ceil((3 * (failures + successesMeanwhile)) / Math.max(1, failures));
}

/** Time that wasn't checked isn't time without a failure. */
export function stateBy(evidence: Evidence): IncidentState {
  const { state, stateAt, lastAt, checkedTo, unchecked, isRecipients, successesSince } = evidence;
  const needed = successesNeeded(evidence);
  const isProven = isRecipients || successesSince >= needed;
  const calmMs = (from: Date) => checkedMs({ from, to: checkedTo }, unchecked);
  switch (state) {
    case 'firing': {
      const isQuick = !isRecipients && successesSince >= Math.max(FEWEST_SUCCESSES, needed);
      return isQuick || calmMs(lastAt) >= CALM_MS ? 'recovering' : 'firing';
    }
    case 'recovering':
      if (calmMs(stateAt > lastAt ? stateAt : lastAt) < RECOVERED_MS) return 'recovering';
      return isProven ? 'resolved' : 'unconfirmed';
    case 'unconfirmed':
      return isProven ? 'resolved' : 'unconfirmed';
    case 'resolved':
      return 'resolved';
  }
}

/** What failures change of an incident's state. Times are the service's. */
export type Course = 'stays' | 'fires' | 'relapses';

/**
 * A late failure changes nothing: it occurred before the last known one, or before a resolved incident's end. Only one after that end is a
 * relapse; what was recovering had not ended.
 */
export function courseAfter(
  { state, lastAt, endedAt }: { readonly state: IncidentState; readonly lastAt: Date; readonly endedAt: Date },
  occurredAt: Date,
): Course {
  if (state === 'firing') return 'stays';
  if (state === 'resolved') return occurredAt > endedAt ? 'relapses' : 'stays';
  return occurredAt > lastAt ? 'fires' : 'stays';
}
