import { type ConversationsInfoResponse, type UsersInfoResponse, WebAPIPlatformError } from '@slack/web-api';
import { PersonUnknownError } from '../../lib/errors.ts';
import { typableZone } from '../../lib/input/time-zone.ts';
import { storableText, stored } from '../../lib/text/shown-id.ts';
import { MINUTE_MS } from '../../lib/time/durations.ts';
import { inTime } from '../../lib/time/waiting.ts';
import {
  type ChannelNow,
  type Channels,
  GROUP_CURRENT_MS,
  type GroupMembers,
  Home,
  isChannel,
  isUserGroup,
  LONGEST_USED_MS,
  type UserGroup,
  type Workspace,
} from '../../lib/workspace.ts';
import type { Identity } from '../../people/identity.ts';
import type { Db } from '../../store/db.ts';
import { getValue, putValue } from '../../store/kv.ts';
import type { SlackCtx } from '../ctx.ts';
import {
  LOST_ERRORS,
  nullIfRefused,
  PASSING_ERRORS,
  SlackRefusedError,
  slackReason,
  UNKNOWN_PERSON,
} from '../slack-errors.ts';

const PEOPLE_TTL_MS = 5 * MINUTE_MS;
/** Slack allows twenty calls a minute. */
const GROUPS_TTL_MS = MINUTE_MS;

type ChannelInfo = NonNullable<ConversationsInfoResponse['channel']>;
export type User = NonNullable<UsersInfoResponse['user']>;

export interface People extends Workspace {
  user(userId: string): Promise<User | null>;
  /** Asks Slack each time, so that a removed member loses access at once. */
  membersNow(groupId: string): Promise<GroupMembers>;
}

/** In an Enterprise Grid, Slack shows people by an ID of their workspace here and by the organization's there. */
export function identityOf(userId: string, user: User): Identity {
  const person = user.enterprise_user?.id ?? user.id ?? userId;
  return { person, ids: [...new Set([userId, user.id ?? userId, person])] };
}

interface WorkspaceCtx extends AskingCtx {
  noteIdentity: (identity: Identity) => Promise<void>;
}

export function createWorkspace(ctx: WorkspaceCtx): People {
  const { client, logger, now, noteIdentity } = ctx;
  const user = cached(ctx, PEOPLE_TTL_MS, async (userId) => {
    const found = (await nullIfRefused(UNKNOWN_PERSON, client.users.info({ user: userId })))?.user ?? null;
    const noted = found && noteIdentity(identityOf(userId, found));
    await noted?.catch((err: unknown) => logger.warn({ err }, "A person's IDs couldn't be stored"));
    return found;
  });
  const userGroups = cached(ctx, GROUPS_TTL_MS, async () => {
    const { usergroups = [] } = await client.usergroups.list({});
    const enabled = usergroups.filter(({ date_delete: disabledAt = 0 }) => disabledAt === 0);
    return enabled.flatMap(({ id, handle }) => (id === undefined || handle === undefined ? [] : [{ id, handle }]));
  });
  // Slack also denies a group that is disabled.
  const members = cached(ctx, GROUP_CURRENT_MS, async (usergroup): Promise<GroupMembers> => {
    const listed = await nullIfRefused(['no_such_subteam'], client.usergroups.users.list({ usergroup }));
    return { members: listed?.users ?? [], asOf: now() };
  });
  const membersWithin = (ttlMs: number) => (group: string) =>
    members(group, ttlMs).catch((cause: unknown) => {
      throw new PersonUnknownError(slackReason(cause), { group, cause });
    });
  const userIfKnown = (userId: string) =>
    user(userId).catch((err: unknown) => {
      logger.warn({ err }, "Slack didn't describe a person");
      return null;
    });
  const groupsIfKnown = () =>
    userGroups('').catch((err: unknown): readonly UserGroup[] => {
      logger.warn({ err }, "Slack didn't list its user groups");
      return [];
    });
  return {
    user,
    isActive: async (userId) => {
      const account = await user(userId);
      return account !== null && !account.deleted && !account.is_bot;
    },
    timeZoneOf: async (userId) => {
      const zone = (await userIfKnown(userId))?.tz;
      return zone ? typableZone(zone) : null;
    },
    namesOf: async (ids) => {
      const groups = ids.some(isUserGroup) ? await groupsIfKnown() : [];
      const handleOf = (groupId: string) => groups.find(({ id }) => id === groupId)?.handle;
      const named = await Promise.all(
        ids.map(async (id) => {
          const handle = handleOf(id);
          const name = isUserGroup(id) ? handle && `@${handle}` : nameOf(await userIfKnown(id));
          return [id, name ?? ''] as const;
        }),
      );
      return new Map(named.filter(([, name]) => name !== ''));
    },
    userGroups: () => userGroups(''),
    membersOf: membersWithin(GROUP_CURRENT_MS),
    membersNow: membersWithin(0),
  };
}

function nameOf(user: User | null) {
  return user?.profile?.display_name || user?.profile?.real_name || user?.name || '';
}

/** A channel that became private can count as public for this long. */
const CHANNELS_TTL_MS = 10 * MINUTE_MS;

interface ChannelsCtx extends AskingCtx {
  noteChannelId: (from: string, to: string) => Promise<void>;
}

export function createChannels(ctx: ChannelsCtx): Channels {
  const { client, logger } = ctx;
  const infoOf = async (channel: string) => {
    // Slack omits groups that Notif isn't in.
    const answer = await nullIfRefused(['channel_not_found'], client.conversations.info({ channel }));
    return answer && (answer.channel ?? {});
  };
  const newId = async (channel: string) => {
    // A private channel that is shared with another organization keeps the rest: G012Y48650T becomes C012Y48650T.
    const id = channel.replace(/^G/, 'C');
    if (id === channel || !(await infoOf(id))?.is_member) return null;
    await ctx.noteChannelId(channel, id);
    return id;
  };
  const ask = async (channel: string): Promise<ChannelNow | null> => {
    const info = await infoOf(channel);
    if (info === null) {
      const id = await newId(channel);
      return id === null ? null : ask(id);
    }
    const isDirect = info.is_im || info.is_mpim;
    return {
      isPublic: isPublicNow(info),
      isArchived: info.is_archived === true,
      isMember: info.is_member || isDirect || false,
      isShared: info.is_ext_shared || info.is_pending_ext_shared || false,
    };
  };
  const nameIfPublic = cached(ctx, CHANNELS_TTL_MS, async (channel) => {
    const info = await infoOf(channel);
    return info !== null && isPublicNow(info) ? (info.name ?? '') : null;
  });
  const orNull = <Answer>(channel: string, answer: Promise<Answer>) =>
    answer.catch((err: unknown) => {
      logger.warn({ err, channel }, "Slack didn't describe a channel");
      return null;
    });
  const publicName = async (channel: string) =>
    isChannel(channel) ? await orNull(channel, nameIfPublic(channel)) : null;
  return {
    ask,
    newId,
    publicName,
    isShared: async (channel) => isChannel(channel) && ((await orNull(channel, ask(channel)))?.isShared ?? true),
    isPublic: async (channel) => (await publicName(channel)) !== null,
  };
}

const isPublicNow = ({ is_private: isPrivate, is_im: isDirect, is_mpim: isGroup }: ChannelInfo): boolean =>
  isPrivate === false && !isDirect && !isGroup;

type AskingCtx = Pick<SlackCtx, 'client' | 'logger' | 'now' | 'sleep'>;

export const MOST_KEPT = 1_000;
/** Slack gives a form three seconds to open. */
const WAIT_IF_KNOWN_MS = 1_500;

/** The client's four tries take as long. */
const LONGEST_WAIT_MS = 8_000;

/** Uses the last answer while Slack has a problem or is slow, but none that is too old. */
export function cached<Answer>(
  { logger, now, sleep }: AskingCtx,
  usualTtlMs: number,
  ask: (key: string) => Promise<Answer>,
): (key: string, ttlMs?: number) => Promise<Answer> {
  const answers = new Map<string, { answer: Answer; since: number }>();
  return async (key, ttlMs = usualTtlMs) => {
    const known = answers.get(key);
    const since = now().getTime();
    // The clock may have been set back.
    if (known !== undefined && since >= known.since && since < known.since + ttlMs) return known.answer;
    const fresh = ask(key).then((answer) => {
      answers.delete(key);
      const [oldest = key] = answers.keys();
      if (answers.size >= MOST_KEPT) answers.delete(oldest);
      answers.set(key, { answer, since });
      return answer;
    });
    if (known === undefined || Math.abs(since - known.since) >= LONGEST_USED_MS) {
      const answered = await inTime(
        fresh.then((answer) => ({ answer })),
        LONGEST_WAIT_MS,
        null,
        sleep,
      );
      if (answered === null) throw new Error("Slack doesn't answer");
      return answered.answer;
    }
    const freshOrKnown = fresh.catch((err: unknown) => {
      if (err instanceof WebAPIPlatformError && !PASSING.includes(err.data.error)) throw err;
      logger.warn({ err }, "Slack didn't answer, using its last answer");
      return known.answer;
    });
    return inTime(freshOrKnown, WAIT_IF_KNOWN_MS, known.answer, sleep);
  };
}

const PASSING = [...LOST_ERRORS, ...PASSING_ERRORS];

const HOME = 'workspace';

/** Refuses another workspace, whose answers would end the stored watches. */
export async function claimHome(db: Db, home: Home, isMoved: boolean): Promise<void> {
  const known = await getValue(db, HOME, Home);
  if (known === null || known.id === home.id || isMoved)
    return putValue(db, HOME, { Value: Home, value: stored({ id: home.id, name: storableText(home.name) }) });
  const [before, other] = [known, home].map(({ id, name }) => (name === '' ? id : `${name} (${id})`));
  const problem = `SLACK_BOT_TOKEN is of the workspace ${other}, and what is stored is of ${before}`;
  const next = `set a token of ${before}; or name an empty NOTIF_DATA_DIR or DATABASE_URL for ${other}; or, if Slack moved the workspace with its channels and people, start with NOTIF_TEAM_CHANGE=accept`;
  throw new SlackRefusedError(problem, { code: 'other_workspace', next });
}
