import type { Arguments } from '../arguments.ts';
import type { Json } from '../page-protocol.ts';
import type { SlackState } from '../state/slack-state.ts';
import { apiTest, authTest, botInfo, openConnection, teamInfo } from './app.ts';
import * as chat from './chat.ts';
import { conversationsOf, join, list, scopeForTypes } from './conversation-lists.ts';
import * as conversations from './conversations.ts';
import { completeUpload, fileInfo, getUploadUrl } from './files.ts';
import { userByEmail, userInfo, userList } from './people.ts';
import type { Tier } from './rate-limits.ts';
import { addReaction, getReactions, removeReaction } from './reactions.ts';
import { schedule, scheduledList, unschedule } from './scheduled.ts';
import { unfurl } from './unfurl.ts';
import { userGroupMembers, userGroups } from './user-groups.ts';
import { validateBlocks } from './validate-blocks.ts';
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
  'api.test': { token: 'none', scope: null, tier: 4, handler: apiTest },
  'apps.connections.open': { token: 'app', scope: 'connections:write', tier: 3, handler: openConnection },
  'auth.test': bot(null, 'special', authTest),
  'blocks.validate': { token: 'none', scope: null, tier: 4, handler: validateBlocks },
  'bots.info': bot('users:read', 3, botInfo),
  'chat.delete': bot('chat:write', 3, chat.remove),
  'chat.deleteScheduledMessage': bot('chat:write', 3, unschedule),
  'chat.getPermalink': bot(null, 'special', chat.getPermalink),
  'chat.postEphemeral': bot('chat:write', 4, chat.postEphemeral),
  'chat.postMessage': bot('chat:write', 'messages', chat.postMessage),
  'chat.scheduleMessage': bot('chat:write', 3, schedule),
  'chat.scheduledMessages.list': bot(null, 3, scheduledList),
  'chat.unfurl': bot('links:write', 3, unfurl),
  'chat.update': bot('chat:write', 3, chat.update),
  'conversations.history': bot(ofHistory, 3, conversations.history),
  'conversations.info': bot(toRead, 3, conversations.info),
  'conversations.join': bot('channels:join', 3, join),
  'conversations.list': bot(scopeForTypes, 2, list),
  'conversations.members': bot(toRead, 4, conversations.members),
  'conversations.open': bot('im:write', 3, conversations.open),
  'conversations.replies': bot(ofHistory, 3, conversations.replies),
  'files.completeUploadExternal': bot('files:write', 4, completeUpload),
  'files.getUploadURLExternal': bot('files:write', 4, getUploadUrl),
  'files.info': bot('files:read', 4, fileInfo),
  'reactions.add': bot('reactions:write', 3, addReaction),
  'reactions.get': bot('reactions:read', 3, getReactions),
  'reactions.remove': bot('reactions:write', 2, removeReaction),
  'team.info': bot('team:read', 3, teamInfo),
  'usergroups.list': bot('usergroups:read', 2, userGroups),
  'usergroups.users.list': bot('usergroups:read', 2, userGroupMembers),
  'users.conversations': bot(scopeForTypes, 3, conversationsOf),
  'users.info': bot('users:read', 4, userInfo),
  'users.list': bot('users:read', 2, userList),
  'users.lookupByEmail': bot('users:read.email', 3, userByEmail),
  'views.open': bot(null, 4, views.open),
  'views.publish': bot(null, 4, views.publish),
  'views.push': bot(null, 4, views.push),
  'views.update': bot(null, 4, views.update),
};
