/**
 * Who somebody is to the workspace in which Notif is installed: a member, a guest (who sees some of its channels), or a stranger from
 * another organization, in a channel that is shared (Slack Connect).
 */
export type Membership = 'member' | 'guest' | 'stranger';

/** What `NOTIF_GUESTS` says: whether guests and strangers may look things up. They never change anything. */
export type GuestPolicy = 'allow' | 'refuse';

/**
 * Who can use a command, button or form: everyone whom Notif answers (guests too, under `NOTIF_GUESTS=allow`), members of the workspace, or
 * the operators among them (`NOTIF_OPERATORS`). Declared once, where the command, button or form is.
 */
export type Access = 'everyone' | 'members' | 'operators';

/** Whether somebody can use something; 'unknown' where Slack didn't say who they are or who is in a user group. */
export type Permission = 'yes' | 'no' | 'unknown';

/** Whether somebody who is no member can use something. */
export function isOpenToVisitors(access: Access, policy: GuestPolicy): boolean {
  return policy === 'allow' && access === 'everyone';
}

/**
 * The workspace in which Notif is installed, and the organization above it (Enterprise Grid); null where Slack hasn't said, or there is
 * none.
 */
export interface HomeTeam {
  readonly teamId: string | null;
  readonly enterpriseId: string | null;
}
