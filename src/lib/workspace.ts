export type Sharing = 'none' | 'pending' | 'shared' | 'unknown';

export interface Workspace {
  /** Rejects with Slack's error. Returns false if Slack doesn't know the ID or the account was deactivated. */
  isActive(userId: string): Promise<boolean>;
  /** Returns the IANA name of a person's time zone; null if Slack gives none or didn't respond. */
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
  /** Looks up a channel; null if it doesn't exist, or is private and Notif isn't in it. Rejects with Slack's error. */
  ask(channel: string): Promise<ChannelNow | null>;
  /** Returns whether everybody in the workspace can read a channel, by Slack's answer of the last minutes; false if Slack didn't say. */
  isPublic(channel: string): Promise<boolean>;
  /** Returns whether people of another organization can read a conversation. Never rejects. */
  sharing(channel: string): Promise<Sharing>;
}

export interface ChannelNow {
  readonly isPublic: boolean;
  readonly isArchived: boolean;
  /** Notif is in it, or it is a direct message with Notif. */
  readonly isMember: boolean;
  readonly sharing: Sharing;
}
