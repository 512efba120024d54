import type { ServiceError } from '../domain/errors.ts';
import { createPause } from '../domain/time/pause.ts';

export type Rest = ReturnType<typeof createRest>;

/**
 * The longest pause. A longer `Retry-After` might not be meant, so Notif tries the service again after this. By then there was no poll for
 * five minutes; if that poll fails too, it opens a gap, and the channels are notified.
 */
const LONGEST_REST_MS = 5 * 60_000;

export function createRest(now: () => Date) {
  const pause = createPause(() => now().getTime());
  return {
    isResting: (): boolean => pause.end() !== null,
    leftMs: pause.leftMs,

    /** Pauses if a rate limit asks. Returns the pause in milliseconds. */
    after({ problem }: ServiceError): number {
      if (problem.kind !== 'rate-limited') return 0;
      const restMs = Math.min(problem.retryAfterMs, LONGEST_REST_MS);
      pause.extend(restMs);
      return restMs;
    },
  };
}
