export interface Workspace {
  isActive(userId: string): Promise<boolean>;
  timeZoneOf(userId: string): Promise<string | null>;
  namesOf(userIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
  userGroups(): Promise<readonly UserGroup[]>;
  membersOf(groupId: string): Promise<readonly string[]>;
}

export interface UserGroup {
  id: string;
  handle: string;
}

export interface Channels {
  ask(channel: string): Promise<ChannelNow | null>;
  isPublic(channel: string): Promise<boolean>;
  /** Shared with another organization; true if Slack doesn't say. */
  isShared(channel: string): Promise<boolean>;
}

export interface ChannelNow {
  isPublic: boolean;
  isArchived: boolean;
  isMember: boolean;
  isShared: boolean;
}
