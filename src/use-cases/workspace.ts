/** What is asked of the Slack workspace about people, user groups and channels. Each rejects with Slack's error. */
export interface Workspace {
  /** Somebody; null where Slack does not know the id, or the account was deactivated. */
  person(userId: string): Promise<{ readonly timeZone: string | null } | null>;
  /** The user groups that are in use. */
  userGroups(): Promise<readonly UserGroup[]>;
  /** Whether Notif can post in a channel; null where it may not ask. */
  isIn(channel: string): Promise<boolean | null>;
}

export interface UserGroup {
  readonly id: string;
  /** Without its `@`. */
  readonly handle: string;
}
