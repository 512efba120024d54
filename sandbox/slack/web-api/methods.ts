import type { Arguments } from '../arguments.ts';
import type { Json } from '../page-protocol.ts';
import type { SlackState } from '../state/slack-state.ts';
import { authTest, openConnection } from './app.ts';
import * as chat from './chat.ts';
import * as conversations from './conversations.ts';
import { completeUpload, fileInfo, getUploadUrl } from './files.ts';
import { userInfo } from './people.ts';
import type { Tier } from './rate-limits.ts';
import { userGroupMembers, userGroups } from './user-groups.ts';
import { validateBlocks } from './validate-blocks.ts';
import * as views from './views.ts';

type ByArguments<T> = (args: Arguments, slack: SlackState) => T;

export interface Method {
  readonly token: 'bot' | 'app' | 'none';
  /** The scope that the token needs; null where Slack asks for none. */
  readonly scope: ByArguments<string> | string | null;
  /** How often it may be called: by Slack's tier, or as messages are posted. */
  readonly tier: Tier | 'messages';
  readonly handler: ByArguments<Json>;
}

/** What this Slack can do: every method that is not here is answered with `unknown_method`. */
export const METHODS: Readonly<Record<string, Method>> = {
  'apps.connections.open': { token: 'app', scope: 'connections:write', tier: 3, handler: openConnection },
  'auth.test': { token: 'bot', scope: null, tier: 'special', handler: authTest },
  'blocks.validate': { token: 'none', scope: null, tier: 4, handler: validateBlocks },
  'chat.delete': { token: 'bot', scope: 'chat:write', tier: 3, handler: chat.remove },
  'chat.getPermalink': { token: 'bot', scope: null, tier: 'special', handler: chat.getPermalink },
  'chat.postEphemeral': { token: 'bot', scope: 'chat:write', tier: 4, handler: chat.postEphemeral },
  'chat.postMessage': { token: 'bot', scope: 'chat:write', tier: 'messages', handler: chat.postMessage },
  'chat.update': { token: 'bot', scope: 'chat:write', tier: 3, handler: chat.update },
  'conversations.history': {
    token: 'bot',
    scope: conversations.scopeFor('history'),
    tier: 3,
    handler: conversations.history,
  },
  'conversations.info': {
    token: 'bot',
    scope: conversations.scopeFor('read'),
    tier: 3,
    handler: conversations.info,
  },
  'conversations.members': {
    token: 'bot',
    scope: conversations.scopeFor('read'),
    tier: 4,
    handler: conversations.members,
  },
  'conversations.open': { token: 'bot', scope: 'im:write', tier: 3, handler: conversations.open },
  'conversations.replies': {
    token: 'bot',
    scope: conversations.scopeFor('history'),
    tier: 3,
    handler: conversations.replies,
  },
  'files.completeUploadExternal': { token: 'bot', scope: 'files:write', tier: 4, handler: completeUpload },
  'files.getUploadURLExternal': { token: 'bot', scope: 'files:write', tier: 4, handler: getUploadUrl },
  'files.info': { token: 'bot', scope: 'files:read', tier: 4, handler: fileInfo },
  'usergroups.list': { token: 'bot', scope: 'usergroups:read', tier: 2, handler: userGroups },
  'usergroups.users.list': { token: 'bot', scope: 'usergroups:read', tier: 2, handler: userGroupMembers },
  'users.info': { token: 'bot', scope: 'users:read', tier: 4, handler: userInfo },
  'views.open': { token: 'bot', scope: null, tier: 4, handler: views.open },
  'views.publish': { token: 'bot', scope: null, tier: 4, handler: views.publish },
  'views.push': { token: 'bot', scope: null, tier: 4, handler: views.push },
  'views.update': { token: 'bot', scope: null, tier: 4, handler: views.update },
};
