import type { Arguments } from '../arguments.ts';
import type { Json } from '../page-protocol.ts';
import type { SlackState } from '../state/slack-state.ts';
import { authTest, openConnection } from './app.ts';
import * as chat from './chat.ts';
import * as conversations from './conversations.ts';
import { completeUpload, fileInfo, getUploadUrl } from './files.ts';
import { userInfo } from './people.ts';
import { userGroupMembers, userGroups } from './user-groups.ts';
import { validateBlocks } from './validate-blocks.ts';
import * as views from './views.ts';

type ByArguments<T> = (args: Arguments, slack: SlackState) => T;

export interface Method {
  readonly token: 'bot' | 'app' | 'none';
  /** The scope that the token needs; null where Slack asks for none. */
  readonly scope: ByArguments<string> | string | null;
  /** Slack's published calls per minute: tier 2, 3, 4, or the special limit of the method. */
  readonly perMinute: number;
  readonly handler: ByArguments<Json>;
}

/** What this Slack can do: every method that is not here is answered with `unknown_method`. */
export const METHODS: Readonly<Record<string, Method>> = {
  'apps.connections.open': { token: 'app', scope: 'connections:write', perMinute: 50, handler: openConnection },
  'auth.test': { token: 'bot', scope: null, perMinute: 600, handler: authTest },
  'blocks.validate': { token: 'none', scope: null, perMinute: 100, handler: validateBlocks },
  'chat.delete': { token: 'bot', scope: 'chat:write', perMinute: 50, handler: chat.remove },
  'chat.getPermalink': { token: 'bot', scope: null, perMinute: 600, handler: chat.getPermalink },
  'chat.postEphemeral': { token: 'bot', scope: 'chat:write', perMinute: 100, handler: chat.postEphemeral },
  'chat.postMessage': { token: 'bot', scope: 'chat:write', perMinute: 60, handler: chat.postMessage },
  'chat.update': { token: 'bot', scope: 'chat:write', perMinute: 50, handler: chat.update },
  'conversations.history': {
    token: 'bot',
    scope: conversations.scopeFor('history'),
    perMinute: 50,
    handler: conversations.history,
  },
  'conversations.info': {
    token: 'bot',
    scope: conversations.scopeFor('read'),
    perMinute: 50,
    handler: conversations.info,
  },
  'conversations.members': {
    token: 'bot',
    scope: conversations.scopeFor('read'),
    perMinute: 100,
    handler: conversations.members,
  },
  'conversations.open': { token: 'bot', scope: 'im:write', perMinute: 50, handler: conversations.open },
  'conversations.replies': {
    token: 'bot',
    scope: conversations.scopeFor('history'),
    perMinute: 50,
    handler: conversations.replies,
  },
  'files.completeUploadExternal': { token: 'bot', scope: 'files:write', perMinute: 100, handler: completeUpload },
  'files.getUploadURLExternal': { token: 'bot', scope: 'files:write', perMinute: 100, handler: getUploadUrl },
  'files.info': { token: 'bot', scope: 'files:read', perMinute: 100, handler: fileInfo },
  'usergroups.list': { token: 'bot', scope: 'usergroups:read', perMinute: 20, handler: userGroups },
  'usergroups.users.list': { token: 'bot', scope: 'usergroups:read', perMinute: 20, handler: userGroupMembers },
  'users.info': { token: 'bot', scope: 'users:read', perMinute: 100, handler: userInfo },
  'views.open': { token: 'bot', scope: null, perMinute: 100, handler: views.open },
  'views.publish': { token: 'bot', scope: null, perMinute: 100, handler: views.publish },
  'views.push': { token: 'bot', scope: null, perMinute: 100, handler: views.push },
  'views.update': { token: 'bot', scope: null, perMinute: 100, handler: views.update },
};
