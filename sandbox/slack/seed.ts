/**
 * Somebody in the workspace. `teamId` other than the workspace's marks a person of another organization, unless `enterpriseId` is that of
 * `ENTERPRISE`: then theirs is another workspace of the same organization.
 */
export interface SeedPerson {
  readonly id: string;
  readonly name: string;
  readonly realName?: string;
  /** Slack shows apps no name of theirs; anyone who plays them goes by `name` anyway. */
  readonly isNameless?: boolean;
  /** IANA name; UTC when left out, and null for an account of which Slack tells no time zone. */
  readonly timeZone?: string | null;
  /** The language that they have chosen; en-US when left out. */
  readonly locale?: string;
  /** Without one nobody finds them by an address. */
  readonly email?: string;
  readonly teamId?: string;
  /** The organization (Enterprise Grid) of somebody whose workspace belongs to one. */
  readonly enterpriseId?: string;
  readonly isGuest?: boolean;
  /** A guest who may be in one channel only. */
  readonly isSingleChannelGuest?: boolean;
}

export interface SeedChannel {
  readonly id: string;
  readonly name: string;
  /** A public channel when left out; `group` is a group message, `direct` a conversation of one or two people without the bot. */
  readonly kind?: 'public' | 'private' | 'group' | 'direct';
  /** Another organization was invited and has not accepted yet. */
  readonly isPendingShared?: boolean;
  /** Ids of people and, when the bot is in the channel, of the bot. */
  readonly members: readonly string[];
}

export interface SeedUserGroup {
  readonly id: string;
  readonly handle: string;
  /** Its handle when left out. */
  readonly name?: string;
  readonly isDisabled?: boolean;
  readonly members: readonly string[];
}

export const TEAM = { id: 'T0SANDBOX', domain: 'sandbox' } as const;
export const APP_ID = 'A0SANDBOX';
export const BOT = { userId: 'U0BOT', botId: 'B0BOT' } as const;

/** The organization of several workspaces (Enterprise Grid) to which this one belongs where that is wanted. */
export const ENTERPRISE = { id: 'E0SANDBOX', name: 'Sandbox Group' } as const;

/** An organization that shares a channel with this workspace. */
export const OTHER_TEAM = { id: 'T0PARTNER', domain: 'partner' } as const;

export const PEOPLE: readonly SeedPerson[] = [
  { id: 'U0ANN', name: 'ann', realName: 'Ann Arbor', timeZone: 'Europe/Berlin', email: 'ann@sandbox.example' },
  { id: 'U0BEN', name: 'ben', realName: 'Ben Nevis', timeZone: 'America/New_York', email: 'ben@sandbox.example' },
  { id: 'U0GUS', name: 'gus', realName: 'Gus Guest', isGuest: true },
  { id: 'U0SAM', name: 'sam', realName: 'Sam Stranger', teamId: OTHER_TEAM.id },
];

export const CHANNELS: readonly SeedChannel[] = [
  { id: 'C0ONCALL', name: 'oncall', members: ['U0ANN', 'U0BEN', BOT.userId] },
  { id: 'C0GENERAL', name: 'general', members: ['U0ANN', 'U0BEN', 'U0GUS', BOT.userId] },
  { id: 'C0QUIET', name: 'quiet', members: ['U0ANN', 'U0BEN'] },
  { id: 'C0PARTNER', name: 'partner', members: ['U0ANN', 'U0SAM', BOT.userId] },
];

export const USER_GROUPS: readonly SeedUserGroup[] = [{ id: 'S0ONCALL', handle: 'oncall', members: ['U0ANN'] }];
