/**
 * Who somebody is to the workspace in which Notif is installed: a member, a guest (who sees some of its channels), or a stranger from
 * another organization, in a channel that is shared (Slack Connect).
 */
export type Standing = 'member' | 'guest' | 'stranger';

/** What `NOTIF_GUESTS` says: whether guests and strangers may look things up. They never change anything. */
export type GuestPolicy = 'allow' | 'refuse';

export type Purpose = 'looking' | 'changing';

/** Whether somebody who is no member may have something done. */
export function mayVisit(purpose: Purpose, policy: GuestPolicy): boolean {
  return policy === 'allow' && purpose === 'looking';
}

/**
 * The workspace in which Notif is installed, and the organization above it (Enterprise Grid); null where Slack has not told, or there is
 * none.
 */
export interface HomeTeam {
  readonly teamId: string | null;
  readonly enterpriseId: string | null;
}
