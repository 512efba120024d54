export const isPerson = (id: string) => /^[UW]/.test(id);
export const isUserGroup = (id: string) => id.startsWith('S');
export const isChannel = (id: string) => /^[CG]/.test(id);
export const isDirectMessage = (id: string) => id.startsWith('D');

export type Access = 'everyone' | 'members' | 'operators';

export interface Operators {
  isEverybody: boolean;
  users: readonly string[];
  groups: readonly string[];
}

export function parseOperators(text: string): Operators {
  const ids = text.split(/[,\s]+/).filter((id) => id !== '');
  if (ids.includes('*')) return { isEverybody: true, users: [], groups: [] };
  return { isEverybody: false, users: ids.filter((id) => !isUserGroup(id)), groups: ids.filter(isUserGroup) };
}

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
  /** Whether another organization is in it; true if Slack doesn't say. */
  isShared(channel: string): Promise<boolean>;
}

export interface ChannelNow {
  isPublic: boolean;
  isArchived: boolean;
  isMember: boolean;
  isShared: boolean;
}
