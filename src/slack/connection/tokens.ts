import { WebAPIPlatformError, WebClient } from '@slack/web-api';
import type { DoctorCtx } from '../../health/doctor.ts';
import type { TokenCheck } from '../../health/token-findings.ts';
import { clockAhead } from '../../lib/time/service-clock.ts';
import { SlackRefusedError, TOKEN_ERRORS } from '../slack-errors.ts';
import type { Calls } from './calls.ts';
import type { Send } from './wrapped-fetch.ts';

/** What to do about a token that Slack refuses, by its variable. */
const REMEDIES = {
  SLACK_BOT_TOKEN: 'install the Slack app again from manifest.yml, without token rotation, and copy its xoxb- token',
  SLACK_APP_TOKEN: 'make a new app-level token with the scope connections:write, and copy that xapp- token',
};

export type TokenVariable = keyof typeof REMEDIES;

const SOCKETS_ON = 'turn it on under Socket Mode in the settings of the Slack app';

/** Null if another try can succeed. */
export function refusalOf(error: unknown, variable: TokenVariable): SlackRefusedError | null {
  if (error instanceof SlackRefusedError) return error;
  if (!(error instanceof WebAPIPlatformError)) return null;
  const { error: code } = error.data;
  if (code === 'socket_mode_not_enabled')
    return new SlackRefusedError('Socket Mode of the Slack app is off', { code, next: SOCKETS_ON, cause: error });
  if (!TOKEN_ERRORS.includes(code)) return null;
  const message = `Slack refuses ${variable} with ${code}`;
  return new SlackRefusedError(message, { code, next: REMEDIES[variable], cause: error });
}

export function createTokenChecks(
  botToken: string,
  appToken: string | null,
  calls: Calls,
  now: () => number,
): DoctorCtx['tokenChecks'] {
  async function check(token: string, variable: TokenVariable, method: string): Promise<TokenCheck> {
    const options = calls.once();
    let clockAheadMs: number | null = null;
    const timed: Send = async (url, init) => {
      const sentAt = now();
      const answer = await options.fetch(url, init);
      clockAheadMs = clockAhead(answer.headers.get('date'), sentAt, now());
      return answer;
    };
    try {
      const answer = await new WebClient(token, { ...options, fetch: timed }).apiCall(method);
      return { is: 'accepted', scopes: answer.response_metadata?.scopes ?? null, clockAheadMs };
    } catch (error) {
      const refusal = refusalOf(error, variable);
      if (refusal === null) throw error;
      return { is: 'refused', what: refusal.problem, next: refusal.next };
    }
  }

  return {
    bot: () => check(botToken, 'SLACK_BOT_TOKEN', 'auth.test'),
    app: appToken === null ? null : () => check(appToken, 'SLACK_APP_TOKEN', 'apps.connections.open'),
  };
}
