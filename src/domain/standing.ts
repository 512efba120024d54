/**
 * Who somebody is to the workspace in which Notif is installed: a member, a guest (who sees some of its channels), or a stranger from
 * another organization, in a channel that is shared (Slack Connect).
 */
export type Standing = 'member' | 'guest' | 'stranger';

/** What `NOTIF_GUESTS` says: whether guests and strangers may look things up. They never change anything. */
export type GuestPolicy = 'allow' | 'refuse';

export type Purpose = 'looking' | 'changing';

export function isAdmitted(standing: Standing, purpose: Purpose, policy: GuestPolicy): boolean {
  return standing === 'member' || (policy === 'allow' && purpose === 'looking');
}
