import type { Environment } from '../environment.ts';
import { type Explanation, problemAt, ServiceError } from '../errors.ts';
import { describeDuration } from '../time/time-range.ts';
import { explainServiceProblem } from './explain.ts';
import type { EnvironmentHealth } from './health.ts';
import type { EnvironmentStatus } from './status.ts';

const STUCK = 'If it persists, look for "Loop failed" or "Loop timed out" in the log, then restart Notif.';
const RESUMES =
  "It resumes by itself once the database accepts changes. Don't restart Notif: it may not start, and lookups would stop too.";

/** Returns what is wrong with the reading of an environment, and what to do ('' if it recovers by itself). Null if nothing is wrong. */
export function explainReading(
  { environment, condition, health }: Pick<EnvironmentStatus, 'environment' | 'condition' | 'health'>,
  at: Date,
): Explanation | null {
  if (condition === 'waits-for-store') {
    return { what: `Polling waits for the database.${lastSuccess(health?.lastSuccessAt ?? null, at)}`, next: RESUMES };
  }
  if (health === null) return null;
  switch (condition) {
    case 'failing':
      return explainFailing(health, environment, at);
    case 'silent':
      return { what: `Polling has stalled without an error.${lastSuccess(health.lastSuccessAt, at)}`, next: STUCK };
    case 'not-announced':
      return { what: `Alerts have not been written for a while.${lastSuccess(health.announcedAt, at)}`, next: STUCK };
    case 'catching-up':
      return {
        what: `${gaps(health.openGaps)}: ${describeDuration(health.uncheckedMs)} still to be checked.`,
        next: '',
      };
    case 'late':
      return {
        what: `Checks for late failures are ${describeDuration(health.behindMs)} behind; they catch up when the rate limit allows.`,
        next: '',
      };
    case 'incomplete':
      return {
        what: `${notRead(health)}: failures there aren't reported.`,
        next: `For the reasons, search the log for "couldn't be read" and "Event could not be recorded".`,
      };
    default:
      return null;
  }
}

function notRead({ unreadable, notRecoveredMs }: EnvironmentHealth): string {
  const events = unreadable === 0 ? [] : [`${unreadable} ${unreadable === 1 ? 'event' : 'events'}`];
  const times = notRecoveredMs === 0 ? [] : [describeDuration(notRecoveredMs)];
  return `${[...events, ...times].join(' and ')} of the last day couldn't be read`;
}

const NEXT_POLL = 'Notif tries again at its next poll.';

function explainFailing(
  { failingSince, lastPollAt, problem: met }: EnvironmentHealth,
  environment: Environment,
  at: Date,
): Explanation {
  const problem = met && problemAt(at, met, lastPollAt);
  const since = failingSince === null ? null : describeDuration(at.getTime() - failingSince.getTime());
  if (problem === null) return { what: `Every poll has failed${since === null ? '' : ` for ${since}`}.`, next: '' };
  const { what, next } = explainServiceProblem(new ServiceError(environment.name, 'listEvents', problem), environment);
  const isPauseOver = problem.kind === 'rate-limited' && problem.retryAfterMs === 0;
  return { what: since === null ? what : `${what} Failing for ${since}.`, next: isPauseOver ? NEXT_POLL : next };
}

function lastSuccess(last: Date | null, at: Date): string {
  return last === null ? '' : ` Last success ${describeDuration(at.getTime() - last.getTime())} ago.`;
}

function gaps(count: number): string {
  return count === 1 ? '1 gap' : `${count} gaps`;
}
