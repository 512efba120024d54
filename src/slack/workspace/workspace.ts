import { type UsersInfoResponse, WebAPIPlatformError } from '@slack/web-api';
import { typableZone } from '../../lib/input/time-zone.ts';
import { isChannel } from '../../lib/slack-ids.ts';
import { MINUTE_MS } from '../../lib/time/durations.ts';
import { inTime } from '../../lib/time/waiting.ts';
import type { ChannelNow, Channels, UserGroup, Workspace } from '../../lib/workspace.ts';
import type { SlackCtx } from '../ctx.ts';
import { LOST_ERRORS, nullIfRefused, PASSING_ERRORS, UNKNOWN_PERSON } from '../slack-errors.ts';

const PEOPLE_TTL_MS = 5 * MINUTE_MS;
/** Slack allows twenty a minute. */
const GROUPS_TTL_MS = MINUTE_MS;

export type User = NonNullable<UsersInfoResponse['user']>;

export interface People extends Workspace {
  user(userId: string): Promise<User | null>;
  /** Who was removed may do no more: asked anew each time. */
  membersNow(groupId: string): Promise<readonly string[]>;
}

export function createWorkspace(ctx: AskingCtx): People {
  const { client, logger } = ctx;
  const user = cached(ctx, PEOPLE_TTL_MS, async (userId) => {
    const answer = await nullIfRefused(UNKNOWN_PERSON, client.users.info({ user: userId }));
    return answer?.user ?? null;
  });
  const userGroups = cached(ctx, GROUPS_TTL_MS, () => askUserGroups(client));
  const listMembers = async (usergroup: string) => (await client.usergroups.users.list({ usergroup })).users ?? [];
  const userIfKnown = (userId: string) =>
    user(userId).catch((err: unknown) => {
      logger.warn({ err }, "Slack didn't describe a person");
      return null;
    });
  return {
    user,
    isActive: async (userId) => {
      const found = await user(userId);
      return found !== null && !found.deleted && !found.is_bot;
    },
    timeZoneOf: async (userId) => {
      const zone = (await userIfKnown(userId))?.tz;
      return zone ? typableZone(zone) : null;
    },
    namesOf: async (userIds) => {
      const named = await Promise.all(userIds.map(async (id) => [id, nameOf(await userIfKnown(id))] as const));
      return new Map(named.filter(([, name]) => name !== ''));
    },
    userGroups: () => userGroups(''),
    membersOf: cached(ctx, PEOPLE_TTL_MS, listMembers),
    membersNow: cached(ctx, 0, listMembers),
  };
}

function nameOf(user: User | null): string {
  return user?.profile?.display_name || user?.profile?.real_name || user?.name || '';
}

async function askUserGroups(client: AskingCtx['client']): Promise<readonly UserGroup[]> {
  const { usergroups = [] } = await client.usergroups.list({});
  return usergroups.flatMap(({ id, handle }) => (id === undefined || handle === undefined ? [] : [{ id, handle }]));
}

/** How long it can still be public after becoming private, unless Slack has a problem. */
const CHANNELS_TTL_MS = 10 * MINUTE_MS;

export function createChannels(ctx: AskingCtx): Channels {
  const { client, logger } = ctx;
  const ask = (channel: string) => askChannel(channel, client);
  const isPublic = cached(ctx, CHANNELS_TTL_MS, async (channel) => (await ask(channel))?.isPublic ?? false);
  const orNull = <Answer>(channel: string, answer: Promise<Answer>) =>
    answer.catch((err: unknown) => {
      logger.warn({ err, channel }, "Slack didn't describe a channel");
      return null;
    });
  return {
    ask,
    isShared: async (channel) => isChannel(channel) && ((await orNull(channel, ask(channel)))?.isShared ?? true),
    isPublic: async (channel) => isChannel(channel) && (await orNull(channel, isPublic(channel))) === true,
  };
}

async function askChannel(channel: string, client: AskingCtx['client']): Promise<ChannelNow | null> {
  // Slack omits groups that Notif isn't in.
  const answer = await nullIfRefused(['channel_not_found'], client.conversations.info({ channel }));
  if (answer === null) return null;
  const { channel: now = {} } = answer;
  const isDirect = now.is_im || now.is_mpim;
  return {
    isPublic: now.is_private === false && !isDirect,
    isArchived: now.is_archived === true,
    isMember: now.is_member || isDirect || false,
    isShared: now.is_ext_shared || now.is_pending_ext_shared || false,
  };
}

type AskingCtx = Pick<SlackCtx, 'client' | 'logger' | 'now' | 'sleep'>;

export const MOST_KEPT = 1_000;
/** Of the three seconds in which Slack opens a form. */
const KNOWN_WITHIN_MS = 1_500;

/** While Slack has a problem or is slow, its last answer holds. */
export function cached<Answer>(
  { logger, now, sleep }: AskingCtx,
  ttlMs: number,
  ask: (key: string) => Promise<Answer>,
): (key: string) => Promise<Answer> {
  const kept = new Map<string, { answer: Answer; since: number }>();
  return async (key) => {
    const known = kept.get(key);
    const since = now().getTime();
    // Not if the clock was set back.
    if (known !== undefined && since >= known.since && since < known.since + ttlMs) return known.answer;
    const asked = ask(key).then((answer) => {
      kept.delete(key);
      const [oldest = key] = kept.keys();
      if (kept.size >= MOST_KEPT) kept.delete(oldest);
      kept.set(key, { answer, since });
      return answer;
    });
    if (known === undefined) return asked;
    const held = asked.catch((err: unknown) => {
      if (!isPassing(err)) throw err;
      logger.warn({ err }, "Slack didn't answer: what it said before holds");
      return known.answer;
    });
    return inTime(held, KNOWN_WITHIN_MS, known.answer, sleep);
  };
}

function isPassing(err: unknown): boolean {
  if (!(err instanceof WebAPIPlatformError)) return true;
  const word = err.data.error;
  return [...LOST_ERRORS, ...PASSING_ERRORS].some((known) => known === word);
}
