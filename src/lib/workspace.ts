import { z } from 'zod';
import { HOUR_MS, MINUTE_MS } from './time/durations.ts';

export const isPerson = (id: string): boolean => /^[UW]/.test(id);
export const isUserGroup = (id: string): boolean => id.startsWith('S');
export const isChannel = (id: string): boolean => /^[CG]/.test(id);
export const isDirectMessage = (id: string): boolean => id.startsWith('D');

export function messageLink(channel: string, ts: string): `https://${string}` {
  return `https://slack.com/archives/${channel}/p${ts.replace('.', '')}`;
}

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

/** The workspace of what is stored. */
export const Home = z.object({ id: z.string(), name: z.string() });
export type Home = z.output<typeof Home>;

export interface Workspace {
  isActive(userId: string): Promise<boolean>;
  timeZoneOf(userId: string): Promise<string | null>;
  /** Of people and user groups: `ann`, `@oncall`; without those that Slack doesn't name. */
  namesOf(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  userGroups(): Promise<readonly UserGroup[]>;
  membersOf(groupId: string): Promise<GroupMembers>;
}

/** Slack's answer about a user group counts as current for this long. */
export const GROUP_CURRENT_MS = 5 * MINUTE_MS;
/** While Slack doesn't answer, its last answer counts for this long: somebody may have lost a right since. */
export const LONGEST_USED_MS = HOUR_MS;

/** A group that is gone, disabled or empty has none. */
export interface GroupMembers {
  members: readonly string[];
  /** When Slack said so. */
  asOf: Date;
}

export interface UserGroup {
  id: string;
  handle: string;
}

export interface Channels {
  ask(channel: string): Promise<ChannelNow | null>;
  /** Slack has another ID for a channel that was shared since: what is stored follows it. Null: it has not. */
  newId(channel: string): Promise<string | null>;
  isPublic(channel: string): Promise<boolean>;
  /** Null: it isn't public, or Slack doesn't say. */
  publicName(channel: string): Promise<string | null>;
  /** Whether another organization is in it; true if Slack doesn't say. */
  isShared(channel: string): Promise<boolean>;
}

export interface ChannelNow {
  isPublic: boolean;
  isArchived: boolean;
  isMember: boolean;
  isShared: boolean;
}
