import type { Unchecked } from '../../domain/polling/gap.ts';

/** What wasn't known before. */
export interface NewlyFound {
  readonly newEvents: number;
  readonly newFailures: number;
}

/** What a poll has recorded so far, how many pages of the list it took, and how long the service asked to wait when it cut a walk off. */
export type Sum = {
  newEvents: number;
  newFailures: number;
  unreadable: number;
  pages: number;
  newestEventAt: Date | null;
  retryAfterMs: number;
};

/** What a poll or recheck reports of all that it read. */
export interface Summed extends NewlyFound {
  readonly unreadable: number;
  /** How long the service asked to wait when it cut the reading off in the middle; 0 if it didn't. */
  readonly retryAfterMs: number;
}

export function emptySum(): Sum {
  return { newEvents: 0, newFailures: 0, unreadable: 0, pages: 0, newestEventAt: null, retryAfterMs: 0 };
}

/** Returns the part of a sum that is reported. */
export function recordedIn({ newEvents, newFailures, unreadable, retryAfterMs }: Sum): Summed {
  return { newEvents, newFailures, unreadable, retryAfterMs };
}

/** Notes the longest wait that a rate limit asked for where it left something unchecked. */
export function noteWait(sum: Sum, unchecked: readonly Unchecked[]): void {
  for (const { problem } of unchecked) {
    if (problem?.kind === 'rate-limited') sum.retryAfterMs = Math.max(sum.retryAfterMs, problem.retryAfterMs);
  }
}
