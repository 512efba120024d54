import type { UsersInfoResponse } from '@slack/web-api';
import { PersonUnknownError } from '../../lib/errors.ts';
import { typableZone } from '../../lib/input/time-zone.ts';
import { storableText, stored } from '../../lib/text/shown-id.ts';
import { MINUTE_MS } from '../../lib/time/durations.ts';
import {
  GROUP_CURRENT_MS,
  type GroupMembers,
  Home,
  isUserGroup,
  type UserGroup,
  type Workspace,
} from '../../lib/workspace.ts';
import type { Identity } from '../../people/identity.ts';
import type { Db } from '../../store/db.ts';
import { getValue, putValue } from '../../store/kv.ts';
import { nullIfRefused, SlackRefusedError, slackReason, UNKNOWN_PERSON } from '../slack-errors.ts';
import { type AskingCtx, cached } from './cached.ts';

const PEOPLE_TTL_MS = 5 * MINUTE_MS;
/** Slack allows twenty calls a minute for lists of user groups. */
const GROUPS_TTL_MS = MINUTE_MS;

export type User = NonNullable<UsersInfoResponse['user']>;

export interface People extends Workspace {
  /** Null if Slack knows no such person. */
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
  // All of them are one answer, whose key is ''.
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
      const handles = new Map(groups.map(({ id, handle }) => [id, `@${handle}`]));
      const named = await Promise.all(
        ids.map(async (id) => {
          const name = isUserGroup(id) ? handles.get(id) : nameOf(await userIfKnown(id));
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

function nameOf(user: User | null): string {
  return user?.profile?.display_name || user?.profile?.real_name || user?.name || '';
}

/** The key of the stored workspace. */
const HOME = 'workspace';

/** Refuses another workspace, whose answers would end the stored watches. */
export async function claimHome(db: Db, home: Home, isMoved: boolean): Promise<void> {
  const known = await getValue(db, HOME, Home);
  if (known === null || known.id === home.id || isMoved)
    return putValue(db, HOME, { Value: Home, value: stored({ id: home.id, name: storableText(home.name) }) });
  const before = described(known);
  const other = described(home);
  const problem = `SLACK_BOT_TOKEN is of the workspace ${other}, and what is stored is of ${before}`;
  const next = `set a token of ${before}; or name an empty NOTIF_DATA_DIR or DATABASE_URL for ${other}; or, if Slack moved the workspace with its channels and people, start with NOTIF_TEAM_CHANGE=accept`;
  throw new SlackRefusedError(problem, { code: 'other_workspace', next });
}

const described = ({ id, name }: Home): string => (name === '' ? id : `${name} (${id})`);
