import { setTimeout as wait } from 'node:timers/promises';
import { WebAPIRateLimitedError } from '@slack/web-api';
import type { Logger } from '../../domain/logger.ts';
import { doubled } from '../../domain/time/doubled.ts';
import { refusalOf, type TokenVariable } from './refused-error.ts';

/** After the first failure in a row, and at most. */
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
 * Doubles the wait after each failure, or waits as long as a rate limit says. Returns null once `signal` aborts.
 * @throws SlackRefusedError if a retry is useless.
 */
export async function untilConnected<T>(attempt: () => Promise<T>, attempts: Attempts): Promise<T | null> {
  const { variable, logger, backoff, signal } = attempts;
  for (let failures = 1; !signal.aborted; failures += 1) {
    try {
      return await attempt();
    } catch (err) {
      const refusal = refusalOf(err, variable);
      if (refusal !== null) throw refusal;
      if (signal.aborted) return null;
      const waitMs = Math.max(backoffMs(failures, backoff), rateLimitMs(err));
      logger.warn({ err, failures, waitMs }, "Slack can't be reached; trying again");
      await pauseFor(waitMs, signal);
    }
  }
  return null;
}

export function backoffMs(failures: number, { firstMs, longestMs }: Backoff): number {
  return failures === 0 ? 0 : doubled(firstMs, failures - 1, longestMs);
}

export async function pauseFor(ms: number, signal: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}

function rateLimitMs(error: unknown): number {
  return error instanceof WebAPIRateLimitedError ? error.retryAfter * 1000 : 0;
}
