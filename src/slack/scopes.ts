/**
 * The bot scopes of each Web API method that Notif calls (its page at docs.slack.dev). test/manifest.test.ts holds the
 * table against the calls in the code and the scopes in manifest.yml, so that nothing is called without its scope and
 * no scope is asked for in vain.
 */
export const METHOD_SCOPES: Readonly<Record<string, readonly string[]>> = {
  'auth.test': [],
  'chat.postEphemeral': ['chat:write'],
  'chat.postMessage': ['chat:write'],
  'chat.update': ['chat:write'],
  'conversations.history': ['channels:history', 'groups:history', 'im:history'],
  'conversations.info': ['channels:read', 'groups:read'],
  'conversations.open': ['im:write'],
  'files.uploadV2': ['files:write'],
  'usergroups.list': ['usergroups:read'],
  'usergroups.users.list': ['usergroups:read'],
  'users.info': ['users:read'],
  'views.open': [],
  'views.publish': [],
  'views.update': [],
};

/** Of each event in manifest.yml, what Slack wants before it tells of it. */
export const EVENT_SCOPES: Readonly<Record<string, readonly string[]>> = {
  app_home_opened: [],
  app_mention: ['app_mentions:read'],
  'message.im': ['im:history'],
};

/** What slash commands and shortcuts need. */
export const COMMAND_SCOPE = 'commands';
