import type { ServiceError } from '../domain/errors.ts';

/** How long an environment's service is left alone because it asked for that; shared by all that read it in this process. */
export interface Rest {
  isResting(): boolean;
  /** Rests for as long as a rate limit asks, with a bound; not at all after anything else. Returns for how long, in milliseconds. */
  after(trouble: ServiceError): number;
}

/**
 * Nobody knows whether a longer `Retry-After` is meant: it is probed after this. By then five minutes have passed without a poll, and
 * the probe that fails opens a gap, of which the channels are notified.
 */
const LONGEST_REST_MS = 5 * 60_000;

export function createRest(now: () => Date): Rest {
  let until = 0;
  return {
    isResting: () => now().getTime() < until,
    after: ({ problem }) => {
      if (problem.kind !== 'rate-limited') return 0;
      const restMs = Math.min(problem.retryAfterMs, LONGEST_REST_MS);
      until = Math.max(until, now().getTime() + restMs);
      return restMs;
    },
  };
}
