import { WebAPIPlatformError, type WebClient } from '@slack/web-api';
import { z } from 'zod';
import { typableZone } from '../../lib/input/time-zone.ts';
import type { UserGroups } from '../../lib/people.ts';
import { MINUTE_MS } from '../../lib/time/durations.ts';
import type { UserGroup, Workspace } from '../../lib/workspace.ts';
import { type AskingCtx, remembering } from './remembered.ts';

const KEPT_MS = 5 * MINUTE_MS;
/** Slack allows twenty a minute. */
const GROUPS_KEPT_MS = MINUTE_MS;

/** ("User object") */
const User = z.object({
  name: z.string().optional(),
  deleted: z.boolean().default(false),
  tz: z.string().nullish(),
  profile: z.object({ display_name: z.string().optional(), real_name: z.string().optional() }).optional(),
  team_id: z.string().optional(),
  is_restricted: z.boolean().default(false),
  is_ultra_restricted: z.boolean().default(false),
  is_stranger: z.boolean().default(false),
  enterprise_user: z.object({ enterprise_id: z.string().optional() }).optional(),
});

export type User = z.output<typeof User>;

export interface People extends Workspace, UserGroups {
  user(userId: string): Promise<User | null>;
}

export function createWorkspace(ctx: AskingCtx): People {
  const { client, logger } = ctx;
  const user = remembering(ctx, KEPT_MS, (userId) => askUser(userId, client));
  const userGroups = remembering(ctx, GROUPS_KEPT_MS, () => askUserGroups(client));
  const userIfKnown = (userId: string) =>
    user(userId).catch((err: unknown) => {
      logger.warn({ err }, "Slack didn't describe a person");
      return null;
    });
  return {
    user,
    isActive: async (userId) => !((await user(userId))?.deleted ?? true),
    timeZoneOf: async (userId) => {
      const zone = (await userIfKnown(userId))?.tz;
      return zone ? typableZone(zone) : null;
    },
    namesOf: async (userIds) => {
      const named = await Promise.all(userIds.map(async (id) => [id, nameOf(await userIfKnown(id))] as const));
      return new Map(named.filter(([, name]) => name !== ''));
    },
    userGroups: () => userGroups(''),
    membersOf: remembering(ctx, KEPT_MS, async (usergroup) => {
      const { users = [] } = await client.usergroups.users.list({ usergroup });
      return users;
    }),
  };
}

async function askUser(userId: string, client: WebClient): Promise<User | null> {
  try {
    return User.parse((await client.users.info({ user: userId })).user);
  } catch (error) {
    if (error instanceof WebAPIPlatformError && error.data.error === 'user_not_found') return null;
    throw error;
  }
}

function nameOf(user: User | null): string {
  return user?.profile?.display_name || user?.profile?.real_name || user?.name || '';
}

async function askUserGroups(client: WebClient): Promise<readonly UserGroup[]> {
  const { usergroups = [] } = await client.usergroups.list({});
  return usergroups.flatMap(({ id, handle }) => (id === undefined || handle === undefined ? [] : [{ id, handle }]));
}
