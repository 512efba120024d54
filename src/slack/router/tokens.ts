import { WebAPIPlatformError, WebAPIRateLimitedError, WebClient } from '@slack/web-api';
import type { TokenCheck } from '../../health/token-check.ts';
import type { Logger } from '../../lib/logger.ts';
import { sleep } from '../../lib/sleep.ts';
import { clockAhead } from '../../lib/time/clock-ahead.ts';
import { doubled } from '../../lib/time/doubled.ts';
import type { Calls, Send } from './calls.ts';

/** Slack's error codes for a token that won't work until someone changes it, and what to change. */
const COPY = 'copy the token again from the Slack app';
const INSTALL = 'install the Slack app again and copy the new token';
const REMEDIES = new Map([
  ...([
    ['invalid_auth', COPY],
    ['not_authed', COPY],
    ['token_revoked', INSTALL],
    ['account_inactive', INSTALL],
  ] as const),
  ...([
    ['user_removed_from_team', INSTALL],
    ['team_disabled', 'use another workspace: this one is disabled'],
  ] as const),
  ['token_expired', 'turn token rotation off in the Slack app, and copy the new token'],
  ['not_allowed_token_type', 'SLACK_BOT_TOKEN takes the xoxb- token, SLACK_APP_TOKEN the xapp- token'],
  [
    'missing_scope',
    'give the app-level token the scope connections:write, and install the app again from manifest.yml',
  ],
]);

export type TokenVariable = 'SLACK_BOT_TOKEN' | 'SLACK_APP_TOKEN';

/** Slack refused a token permanently: a retry is useless until someone has followed `next`. */
export class SlackRefusedError extends Error {
  override readonly name = 'SlackRefusedError';
  readonly variable: TokenVariable;
  /** Slack's error code, such as `invalid_auth`. */
  readonly code: string;
  readonly next: string;

  constructor(variable: TokenVariable, code: string, next: string, cause: unknown) {
    super(`Slack refuses ${variable} with ${code}. Next: ${next}`, { cause });
    this.variable = variable;
    this.code = code;
    this.next = next;
  }
}

/** Null if a retry may help. */
function refusalOf(error: unknown, variable: TokenVariable): SlackRefusedError | null {
  if (!(error instanceof WebAPIPlatformError)) return null;
  const next = REMEDIES.get(error.data.error);
  return next === undefined ? null : new SlackRefusedError(variable, error.data.error, next, error);
}

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

/** Each makes one call with its own client. The app token's returns an address that stays unused. There is none in HTTP mode. */
export function createTokenChecks(botToken: string, appToken: string | null, calls: Calls, now: () => number) {
  async function check(token: string, variable: TokenVariable, method: string): Promise<TokenCheck> {
    const options = calls.once();
    let clockAheadMs: number | null = null;
    const timed: Send = async (url, init) => {
      const askedAt = now();
      const answer = await options.fetch(url, init);
      clockAheadMs = clockAhead(answer.headers.get('date'), askedAt, now());
      return answer;
    };
    try {
      const answer = await new WebClient(token, { ...options, fetch: timed }).apiCall(method);
      return { is: 'taken', scopes: answer.response_metadata?.scopes ?? null, clockAheadMs };
    } catch (error) {
      const refusal = refusalOf(error, variable);
      if (refusal === null) throw error;
      return { is: 'refused', variable, word: refusal.code, next: refusal.next };
    }
  }

  return {
    bot: () => check(botToken, 'SLACK_BOT_TOKEN', 'auth.test'),
    app: appToken === null ? null : () => check(appToken, 'SLACK_APP_TOKEN', 'apps.connections.open'),
  };
}
