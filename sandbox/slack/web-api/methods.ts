import { type Arguments, Refusal } from '../arguments.ts';
import type { Json } from '../page-protocol.ts';
import type { SlackState } from '../state/slack-state.ts';
import * as chat from './chat.ts';
import * as conversations from './conversations.ts';
import { completeUpload, getUploadUrl } from './files.ts';
import { authTest, openConnection, userGroupMembers, userGroups, userInfo } from './people.ts';
import type { Tier } from './rate-limits.ts';
import * as views from './views.ts';

type ByArguments<T> = (args: Arguments, slack: SlackState) => T;

export interface Method {
  readonly token: 'bot' | 'app';
  /** The scope that the token needs; null if Slack requires none. */
  readonly scope: ByArguments<string> | string | null;
  /** The rate limit: Slack's tier, or that of messages. */
  readonly tier: Tier | 'messages';
  readonly handler: ByArguments<Json>;
}

const bot = (scope: Method['scope'], tier: Method['tier'], handler: Method['handler']): Method => {
  return { token: 'bot', scope, tier, handler };
};

const toRead = conversations.scopeFor('read');
const ofHistory = conversations.scopeFor('history');

/** The methods of this Slack. Every other method is answered with `unknown_method`. */
export const METHODS: Readonly<Record<string, Method>> = {
  'apps.connections.open': { token: 'app', scope: 'connections:write', tier: 3, handler: openConnection },
  'auth.test': bot(null, 'special', authTest),
  'chat.delete': bot('chat:write', 3, chat.remove),
  'chat.postEphemeral': bot('chat:write', 4, chat.postEphemeral),
  'chat.postMessage': bot('chat:write', 'messages', chat.postMessage),
  'chat.update': bot('chat:write', 3, chat.update),
  'conversations.history': bot(ofHistory, 3, conversations.history),
  'conversations.info': bot(toRead, 3, conversations.info),
  'conversations.open': bot('im:write', 3, conversations.open),
  'conversations.replies': bot(ofHistory, 3, conversations.replies),
  'files.completeUploadExternal': bot('files:write', 4, completeUpload),
  'files.getUploadURLExternal': bot('files:write', 4, getUploadUrl),
  'usergroups.list': bot('usergroups:read', 2, userGroups),
  'usergroups.users.list': bot('usergroups:read', 2, userGroupMembers),
  'users.info': bot('users:read', 4, userInfo),
  'views.open': bot(null, 4, views.open),
  'views.publish': bot(null, 4, views.publish),
  'views.push': bot(null, 4, views.push),
  'views.update': bot(null, 4, views.update),
};

/** The sandbox's tokens, which are useless elsewhere. */
export const BOT_TOKEN = 'xoxb-sandbox-bot';
export const APP_TOKEN = 'xapp-sandbox-app';

const APP_SCOPES = ['connections:write'];

export function scopesOf(token: string | undefined, slack: SlackState): readonly string[] {
  if (token === BOT_TOKEN) return slack.grants.scopes;
  return token === APP_TOKEN ? APP_SCOPES : [];
}

/** Refuses the call unless the token is of the right kind and has the scope, in Slack's order and words. */
export function checkAccess(method: Method, token: string | undefined, args: Arguments, slack: SlackState): void {
  checkToken(method, token);
  const needed = neededScope(method, args, slack);
  const provided = scopesOf(token, slack);
  if (needed !== null && !provided.includes(needed)) {
    throw new Refusal('missing_scope', { needed, provided: provided.join(',') });
  }
}

export function neededScope(method: Method, args: Arguments, slack: SlackState): string | null {
  return typeof method.scope === 'function' ? method.scope(args, slack) : method.scope;
}

function checkToken(method: Method, token: string | undefined): void {
  if (token === undefined) throw new Refusal('not_authed');
  if (token !== BOT_TOKEN && token !== APP_TOKEN) throw new Refusal('invalid_auth');
  if ((token === BOT_TOKEN) !== (method.token === 'bot')) throw new Refusal('not_allowed_token_type');
}
