/**
 * Somebody's relation to the workspace in which Notif is installed: a member, a guest (who sees some of its channels), or a stranger from
 * another organization in a shared channel (Slack Connect).
 */
export type Membership = 'member' | 'guest' | 'stranger';

/** The value of `NOTIF_GUESTS`: whether guests and strangers can look things up. They can never change anything. */
export type GuestPolicy = 'allow' | 'refuse';

/**
 * Who can use a command, button or form: everyone whom Notif answers (including guests under `NOTIF_GUESTS=allow`), members of the
 * workspace, or only operators (`NOTIF_OPERATORS`). Declared once, with the command, button or form.
 */
export type Access = 'everyone' | 'members' | 'operators';

/** Whether somebody can use something; 'unknown' if Slack didn't say who they are or who is in a user group. */
export type Permission = 'yes' | 'no' | 'unknown';

/** Returns whether somebody who isn't a member can use something. */
export function isOpenToVisitors(access: Access, policy: GuestPolicy): boolean {
  return policy === 'allow' && access === 'everyone';
}

/**
 * The workspace in which Notif is installed, and the organization above it (Enterprise Grid); null if Slack hasn't said, or there is none.
 */
export interface HomeTeam {
  readonly teamId: string | null;
  readonly enterpriseId: string | null;
}
