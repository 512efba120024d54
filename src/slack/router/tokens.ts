import { WebAPIPlatformError, WebClient } from '@slack/web-api';
import type { TokenCheck } from '../../health/doctor.ts';
import { clockAhead } from '../../lib/time/service-clock.ts';
import type { Calls, Send } from './calls.ts';

const COPY = 'copy the token again from the Slack app';
const INSTALL = 'install the Slack app again and copy the new token';

/** Codes for a token that won't work until someone changes it. */
const REMEDIES: { [code: string]: string | undefined } = {
  ...{ invalid_auth: COPY, not_authed: COPY, token_revoked: INSTALL, account_inactive: INSTALL },
  ...{ user_removed_from_team: INSTALL, team_disabled: INSTALL },
  token_expired: 'turn token rotation off in the Slack app and copy the new token',
  not_allowed_token_type: 'SLACK_BOT_TOKEN takes the xoxb- token, SLACK_APP_TOKEN the xapp- token',
  missing_scope: 'give the app-level token the scope connections:write, and install the app again from manifest.yml',
};

export type TokenVariable = 'SLACK_BOT_TOKEN' | 'SLACK_APP_TOKEN';

/** A retry is useless. */
export class SlackRefusedError extends Error {
  override readonly name = 'SlackRefusedError';
  readonly variable: TokenVariable;
  readonly code: string;
  readonly next: string;

  constructor(variable: TokenVariable, code: string, next: string, cause: unknown) {
    super(`Slack refuses ${variable} with ${code}. Next: ${next}`, { cause });
    this.variable = variable;
    this.code = code;
    this.next = next;
  }
}

export function refusalOf(error: unknown, variable: TokenVariable): SlackRefusedError | null {
  if (!(error instanceof WebAPIPlatformError)) return null;
  const next = REMEDIES[error.data.error];
  return next === undefined ? null : new SlackRefusedError(variable, error.data.error, next, error);
}

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
