import { WebAPIRateLimitedError } from '@slack/web-api';
import type { Logger } from '../../lib/logger.ts';
import { doubled, sleep } from '../../lib/time/waiting.ts';
import { refusalOf, type TokenVariable } from './tokens.ts';

export interface Attempts {
  readonly logger: Logger;
  /** After the first failure in a row, and at most. */
  readonly backoff: { readonly firstMs: number; readonly longestMs: number };
  readonly signal: AbortSignal;
}

/**
 * Doubles the wait after each failure, or waits as long as a rate limit says. Returns null once `signal` aborts.
 * @throws SlackRefusedError if a retry is useless.
 */
export async function untilConnected<T>(attempt: () => Promise<T>, variable: TokenVariable, attempts: Attempts) {
  const { logger, backoff, signal } = attempts;
  for (let failures = 0; !signal.aborted; failures += 1) {
    try {
      return await attempt();
    } catch (err) {
      const refusal = refusalOf(err, variable);
      if (refusal !== null) throw refusal;
      if (signal.aborted) return null;
      const limitMs = err instanceof WebAPIRateLimitedError ? err.retryAfter * 1000 : 0;
      const waitMs = Math.max(doubled(backoff.firstMs, failures, backoff.longestMs), limitMs);
      logger.warn({ err, failures: failures + 1, waitMs }, "Slack can't be reached; trying again");
      await sleep(waitMs, signal);
    }
  }
  return null;
}
