import type { Arguments } from '../arguments.ts';
import { Refusal } from '../refusal.ts';
import type { SlackState } from '../state/slack-state.ts';
import type { Method } from './methods.ts';

/** The sandbox's tokens, which are useless elsewhere. */
export const BOT_TOKEN = 'xoxb-sandbox-bot';
export const APP_TOKEN = 'xapp-sandbox-app';

const APP_SCOPES = ['connections:write'];

/** Returns a token's scopes; for the bot's token, those that it was granted. */
export function scopesOf(token: string | undefined, slack: SlackState): readonly string[] {
  if (token === BOT_TOKEN) return slack.grants.scopes;
  return token === APP_TOKEN ? APP_SCOPES : [];
}

/** Refuses the call unless the token is of the right kind and has the scope, in Slack's order and words. */
export function checkAccess(method: Method, token: string | undefined, args: Arguments, slack: SlackState): void {
  if (method.token === 'none') return;
  checkToken(method, token);
  const needed = neededScope(method, args, slack);
  const provided = scopesOf(token, slack);
  if (needed !== null && !provided.includes(needed)) {
    throw new Refusal('missing_scope', { needed, provided: provided.join(',') });
  }
}

/** Returns the scope that this call needs; null if it needs none. */
export function neededScope(method: Method, args: Arguments, slack: SlackState): string | null {
  return typeof method.scope === 'function' ? method.scope(args, slack) : method.scope;
}

function checkToken(method: Method, token: string | undefined): void {
  if (token === undefined) throw new Refusal('not_authed');
  if (token !== BOT_TOKEN && token !== APP_TOKEN) throw new Refusal('invalid_auth');
  if ((token === BOT_TOKEN) !== (method.token === 'bot')) throw new Refusal('not_allowed_token_type');
}
