/** A guest sees some of the workspace's channels; a stranger is from another organization in a shared channel (Slack Connect). */
export type Membership = 'member' | 'guest' | 'stranger';

/** The value of `NOTIF_GUESTS`: whether guests and strangers can look things up. They can never change anything. */
export type GuestPolicy = 'allow' | 'refuse';

/** `everyone` includes guests under `NOTIF_GUESTS=allow`; `operators` are those of `NOTIF_OPERATORS`. */
export type Access = 'everyone' | 'members' | 'operators';

/** Whether somebody can use something; 'unknown' if Slack didn't say who they are or who is in a user group. */
export type Permission = 'yes' | 'no' | 'unknown';

export function isOpenToVisitors(access: Access, policy: GuestPolicy): boolean {
  return policy === 'allow' && access === 'everyone';
}

/** `enterpriseId`: the organization above the workspace (Enterprise Grid). Null if Slack hasn't said, or there is none. */
export interface HomeTeam {
  readonly teamId: string | null;
  readonly enterpriseId: string | null;
}
