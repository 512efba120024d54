import type { ServiceError } from '../domain/errors.ts';
import { LONGEST_HOLD_MS } from '../domain/service/query.ts';
import { createPause } from '../domain/time/pause.ts';

export interface Rest {
  isResting(): boolean;
  leftMs(): number;
  /** Pauses for as long as a rate limit asks, up to a bound, and not at all after other errors. Returns the pause in milliseconds. */
  after(trouble: ServiceError): number;
  /**
   * Pauses, up to the same bound, for as long as a rate limit asked that cut a walk off in the middle. Not for up to a minute: the client
   * holds requests back for that by itself, and the rest is read as soon as it ends.
   */
  afterCutOff(retryAfterMs: number): void;
}

/**
 * The longest pause. A longer `Retry-After` might not be meant, so Notif tries the service again after this. By then there was no poll for
 * five minutes; if that poll fails too, it opens a gap, and the channels are notified.
 */
const LONGEST_REST_MS = 5 * 60_000;

export function createRest(now: () => Date): Rest {
  const pause = createPause(() => now().getTime());
  const restFor = (ms: number) => {
    const restMs = Math.min(ms, LONGEST_REST_MS);
    pause.extend(restMs);
    return restMs;
  };
  return {
    isResting: () => pause.end() !== null,
    leftMs: pause.leftMs,
    after: ({ problem }) => (problem.kind === 'rate-limited' ? restFor(problem.retryAfterMs) : 0),
    afterCutOff: (retryAfterMs) => {
      if (retryAfterMs > LONGEST_HOLD_MS) restFor(retryAfterMs);
    },
  };
}
