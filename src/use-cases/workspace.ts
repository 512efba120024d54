/** What is asked of the Slack workspace about people and user groups. Each rejects with Slack's error. */
export interface Workspace {
  /** Somebody; null where Slack does not know the id, or the account was deactivated. */
  person(userId: string): Promise<{ readonly timeZone: string | null } | null>;
  /** The user groups that are in use. */
  userGroups(): Promise<readonly UserGroup[]>;
}

export interface UserGroup {
  readonly id: string;
  /** Without its `@`. */
  readonly handle: string;
}
