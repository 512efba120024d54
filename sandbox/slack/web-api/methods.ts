import type { Arguments } from '../arguments.ts';
import type { Json } from '../page-protocol.ts';
import type { SlackState } from '../state/slack-state.ts';
import { authTest, openConnection } from './app.ts';
import * as chat from './chat.ts';
import * as conversations from './conversations.ts';
import { completeUpload, getUploadUrl } from './files.ts';
import { userInfo } from './people.ts';
import type { Tier } from './rate-limits.ts';
import { userGroupMembers, userGroups } from './user-groups.ts';
import * as views from './views.ts';

type ByArguments<T> = (args: Arguments, slack: SlackState) => T;

export interface Method {
  readonly token: 'bot' | 'app' | 'none';
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
