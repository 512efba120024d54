export interface SeedPerson {
  id: string;
  name: string;
  realName?: string;
  /** Slack shows apps no name of this person. Tests and the page still use `name`. */
  isNameless?: boolean;
  timeZone?: string | null;
  /** Another one is another organization's, unless `enterpriseId` is `ENTERPRISE`'s: then it's another workspace of the same one. */
  teamId?: string;
  enterpriseId?: string;
  /** The person's ID in the organization, if it's another than in the workspace. Slack accepts both. */
  enterpriseUserId?: string;
  isGuest?: boolean;
}

export interface SeedChannel {
  id: string;
  name: string;
  /** A public channel if undefined; `group` is a group message, `direct` a conversation of one or two people without the bot. */
  kind?: 'public' | 'private' | 'group' | 'direct';
  isPendingShared?: boolean;
  members: readonly string[];
}

export interface SeedUserGroup {
  id: string;
  handle: string;
  members: readonly string[];
}

export const TEAM = { id: 'T0SANDBOX', name: 'sandbox' } as const;
export const APP_ID = 'A0SANDBOX';
export const BOT = { userId: 'U0BOT', botId: 'B0BOT' } as const;

export const ENTERPRISE = { id: 'E0SANDBOX', name: 'Sandbox Group' } as const;

export const PEOPLE: readonly SeedPerson[] = [
  { id: 'U0ANN', name: 'ann', realName: 'Ann Arbor', timeZone: 'Europe/Berlin' },
  { id: 'U0BEN', name: 'ben', realName: 'Ben Nevis', timeZone: 'America/New_York' },
  { id: 'U0GUS', name: 'gus', realName: 'Gus Guest', isGuest: true },
  { id: 'U0SAM', name: 'sam', realName: 'Sam Stranger', teamId: 'T0PARTNER' },
];

export const CHANNELS: readonly SeedChannel[] = [
  { id: 'C0ONCALL', name: 'oncall', members: ['U0ANN', 'U0BEN', BOT.userId] },
  { id: 'C0GENERAL', name: 'general', members: ['U0ANN', 'U0BEN', 'U0GUS', BOT.userId] },
  { id: 'C0QUIET', name: 'quiet', members: ['U0ANN', 'U0BEN'] },
  { id: 'C0PARTNER', name: 'partner', members: ['U0ANN', 'U0SAM', BOT.userId] },
];

export const USER_GROUPS: readonly SeedUserGroup[] = [{ id: 'S0ONCALL', handle: 'oncall', members: ['U0ANN'] }];

export type Standing = 'member' | 'guest' | 'other organization';

export function standingOf(person: SeedPerson): Standing {
  const { teamId = TEAM.id, enterpriseId, isGuest = false } = person;
  if (teamId !== TEAM.id && enterpriseId !== ENTERPRISE.id) return 'other organization';
  return isGuest ? 'guest' : 'member';
}
