/**
 * The bot scopes of each Web API method that Notif calls (its page at docs.slack.dev). test/manifest.test.ts compares the table with the
 * scopes in manifest.yml.
 */
export const METHOD_SCOPES: Readonly<Record<string, readonly string[]>> = {
  // Uses the app-level token, which has its own scope.
  'apps.connections.open': [],
  'auth.test': [],
  'chat.postEphemeral': ['chat:write'],
  'chat.delete': ['chat:write'],
  'chat.postMessage': ['chat:write'],
  'chat.update': ['chat:write'],
  'conversations.history': ['channels:history', 'groups:history', 'im:history', 'mpim:history'],
  'conversations.info': ['channels:read', 'groups:read', 'im:read', 'mpim:read'],
  'conversations.open': ['im:write'],
  'conversations.replies': ['channels:history', 'groups:history', 'im:history', 'mpim:history'],
  'files.uploadV2': ['files:write'],
  'usergroups.list': ['usergroups:read'],
  'usergroups.users.list': ['usergroups:read'],
  'users.info': ['users:read'],
  'views.open': [],
  'views.publish': [],
  'views.push': [],
  'views.update': [],
};

/** The scopes that Slack requires for each event in manifest.yml. */
export const EVENT_SCOPES: Readonly<Record<string, readonly string[]>> = {
  app_home_opened: [],
  app_mention: ['app_mentions:read'],
  'message.im': ['im:history'],
};

export const COMMAND_SCOPE = 'commands';

/** For people who find a scope missing (docs/slack-app.md has details). */
export const SCOPE_USES: Readonly<Record<string, string>> = {
  commands: '/notif and the shortcuts',
  'app_mentions:read': 'lookups by a mention of Notif',
  'chat:write': 'digests, and every other message',
  'channels:history':
    'finding out in public channels whether a message was posted whose answer was lost, and what a thread is about',
  'groups:history':
    'finding out in private channels whether a message was posted whose answer was lost, and what a thread is about',
  'mpim:history':
    'finding out in group messages whether a message was posted whose answer was lost, and what a thread is about',
  'im:history': 'lookups in direct messages, and finding out there whether a message was posted',
  'im:write': 'sending files, and finding direct messages',
  'files:write': 'lists of affected subscribers as files',
  'users:read': 'telling members from guests, time zones, and names in threads',
  'channels:read': 'whether Notif is in a public channel, and whether another organization shares it',
  'groups:read': 'whether Notif is in a private channel, and whether another organization shares it',
  'im:read': 'whether a direct message is one with Notif',
  'mpim:read': 'whether Notif is in a group message, and whether people of another organization are',
  'usergroups:read': 'operators by user group, and mentions of user groups',
};
