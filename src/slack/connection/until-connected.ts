import { setTimeout as wait } from 'node:timers/promises';
import { WebAPIRateLimitedError } from '@slack/web-api';
import type { Logger } from '../../domain/logger.ts';
import { doubled } from '../../domain/time/doubled.ts';
import { refusalOf, type TokenVariable } from './refused-error.ts';

/** How long to wait after the first failure in a row, and at most. Milliseconds. */
export interface Backoff {
  readonly firstMs: number;
  readonly longestMs: number;
}

export interface Attempts {
  readonly variable: TokenVariable;
  readonly logger: Logger;
  readonly backoff: Backoff;
  readonly signal: AbortSignal;
}

/**
 * Asks Slack until it answers, waiting twice as long after each failure, or as long as a rate limit says.
 * Answers null once `signal` is aborted.
 * @throws SlackRefusedError where asking again is of no use.
 */
export async function untilConnected<T>(attempt: () => Promise<T>, attempts: Attempts): Promise<T | null> {
  const { variable, logger, backoff, signal } = attempts;
  for (let failures = 1; !signal.aborted; failures += 1) {
    try {
      return await attempt();
    } catch (error) {
      const refusal = refusalOf(error, variable);
      if (refusal !== null) throw refusal;
      if (signal.aborted) return null;
      const waitMs = Math.max(backoffMs(failures, backoff), rateLimitMs(error));
      logger.warn({ error, failures, waitMs }, "Slack can't be reached; trying again");
      await pause(waitMs, signal);
    }
  }
  return null;
}

/** No wait without a failure, then twice as long each time. */
export function backoffMs(failures: number, { firstMs, longestMs }: Backoff): number {
  return failures === 0 ? 0 : doubled(firstMs, failures - 1, longestMs);
}

/** Waits, but no longer than until `signal` is aborted. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}

function rateLimitMs(error: unknown): number {
  return error instanceof WebAPIRateLimitedError ? error.retryAfter * 1000 : 0;
}
