import type { Logger as SlackLogger } from '@slack/bolt';
import { type FetchFunction, type WebAPICallResult, WebClient } from '@slack/web-api';
import type { TokenCheck, TokenChecks } from '../../domain/health/token-check.ts';
import type { Observer } from '../../domain/observer.ts';
import { clockAhead } from '../../domain/time/clock-ahead.ts';
import { onceOnly } from './client-options.ts';
import { refusalOf, type TokenVariable } from './refused-error.ts';

export interface TokenChecksOptions {
  readonly botToken: string;
  /** Null in HTTP mode. */
  readonly appToken: string | null;
  readonly apiUrl: string | null;
  readonly observe: Observer;
  readonly logger: SlackLogger;
  /** In milliseconds. */
  readonly now: () => number;
}

/** Each makes one call with its own client. The app token's returns an address that stays unused. */
export function createTokenChecks(options: TokenChecksOptions): TokenChecks {
  const { botToken, appToken } = options;
  return {
    bot: () => check(botToken, 'SLACK_BOT_TOKEN', (client) => client.auth.test(), options),
    app:
      appToken === null
        ? null
        : () => check(appToken, 'SLACK_APP_TOKEN', (client) => client.apps.connections.open({}), options),
  };
}

async function check(
  token: string,
  variable: TokenVariable,
  call: (client: WebClient) => Promise<WebAPICallResult>,
  { apiUrl, observe, logger, now }: TokenChecksOptions,
): Promise<TokenCheck> {
  const options = onceOnly(apiUrl, observe, logger);
  const clock: NotedClock = { aheadMs: null };
  const client = new WebClient(token, { ...options, logger, fetch: noting(options.fetch ?? fetch, clock, now) });
  try {
    const { response_metadata: metadata } = await call(client);
    return { is: 'taken', scopes: metadata?.scopes ?? null, clockAheadMs: clock.aheadMs };
  } catch (error) {
    const refusal = refusalOf(error, variable);
    if (refusal === null) throw error;
    return { is: 'refused', variable, word: refusal.code, next: refusal.next };
  }
}

interface NotedClock {
  aheadMs: number | null;
}

function noting(send: FetchFunction, clock: NotedClock, now: () => number): FetchFunction {
  return async (url, init) => {
    const askedAt = now();
    const answer = await send(url, init);
    clock.aheadMs = clockAhead(answer.headers.get('date'), askedAt, now());
    return answer;
  };
}
