export type Sharing = 'none' | 'pending' | 'shared' | 'unknown';

export interface Workspace {
  /** False if Slack doesn't know the ID or the account was deactivated. Rejects with Slack's error. */
  isActive(userId: string): Promise<boolean>;
  timeZoneOf(userId: string): Promise<string | null>;
  namesOf(userIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Rejects with Slack's error. */
  userGroups(): Promise<readonly UserGroup[]>;
}

export interface UserGroup {
  readonly id: string;
  readonly handle: string;
}

export interface Channels {
  /** Null if it doesn't exist, or is private and Notif isn't in it. Rejects with Slack's error. */
  ask(channel: string): Promise<ChannelNow | null>;
  /** Whether everybody in the workspace can read it; false if Slack didn't say. */
  isPublic(channel: string): Promise<boolean>;
  /** Whether people of another organization can read it. Never rejects. */
  sharing(channel: string): Promise<Sharing>;
}

export interface ChannelNow {
  readonly isPublic: boolean;
  readonly isArchived: boolean;
  /** Notif is in it, or it is a direct message with Notif. */
  readonly isMember: boolean;
  readonly sharing: Sharing;
}
