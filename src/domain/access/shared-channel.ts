/**
 * Whether people of another organization can read a conversation (Slack Connect). `pending`: an organization was invited and has not
 * accepted; `unknown`: Slack doesn't say, for example for a private conversation that Notif isn't in.
 */
export type Sharing = 'none' | 'pending' | 'shared' | 'unknown';
