import type { ServiceProblem } from '../domain/errors.ts';

export interface Attempt {
  readonly isWrite: boolean;
  readonly problem: ServiceProblem;
  /** The service's `Retry-After`, in milliseconds. */
  readonly retryAfterMs: number | null;
  /** How many retries there have been after a 429 if this is one, or after anything else: a 429 says nothing about the request. */
  readonly retries: number;
}

const MAX_RETRIES = 2;
/** A running request with the same key takes seconds at most: its own timeout is 10 s. */
const MAX_CONFLICT_WAITS = 8;
/** If the service asks for a longer wait, Notif reports when to retry instead of waiting. */
const LONGEST_WAIT_MS = 10_000;
const CONFLICT_WAIT_MS = 1_000;
const FIRST_BACKOFF_MS = 500;

/**
 * Returns how long to wait before a retry, in milliseconds, or null for no retry. A read is retried after any temporary problem, no earlier
 * than its `Retry-After`. A write is retried only if it certainly wasn't carried out (429) or is still running under the same key (409)
 * (field notes, "Transport").
 */
export function retryDelayMs(attempt: Attempt, random: () => number): number | null {
  const { isWrite, problem, retryAfterMs, retries } = attempt;
  if (problem.kind === 'still-running') {
    return isWrite && retries < MAX_CONFLICT_WAITS ? bounded(retryAfterMs ?? CONFLICT_WAIT_MS) : null;
  }
  if (retries >= MAX_RETRIES) return null;
  if (problem.kind === 'rate-limited') return bounded(problem.retryAfterMs);
  if (isWrite || !mayPass(problem)) return null;
  const backoffMs = random() * FIRST_BACKOFF_MS * 2 ** retries;
  return bounded(Math.max(retryAfterMs ?? 0, backoffMs));
}

function bounded(waitMs: number): number | null {
  return waitMs <= LONGEST_WAIT_MS ? waitMs : null;
}

function mayPass(problem: ServiceProblem): boolean {
  switch (problem.kind) {
    case 'timed-out':
    case 'unreachable':
    case 'service-error':
      return true;
    case 'gateway':
      return problem.status >= 500;
    default:
      return false;
  }
}
