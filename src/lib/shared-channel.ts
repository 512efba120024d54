/** `pending`: an organization was invited and has not accepted. `unknown`: Slack doesn't say, as for a private conversation without Notif. */
export type Sharing = 'none' | 'pending' | 'shared' | 'unknown';
