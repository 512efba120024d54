import { WebAPIPlatformError, type WebClient } from '@slack/web-api';
import { typableZone } from '../../lib/input/time-zone.ts';
import type { Logger } from '../../lib/logger.ts';
import type { UserGroup, Workspace } from '../../lib/workspace.ts';
import { remembering } from './remembered.ts';

/** The longest time until a new user group can be mentioned: Slack allows listing them twenty times a minute. */
const KEPT_MS = 60_000;

type User = NonNullable<Awaited<ReturnType<WebClient['users']['info']>>['user']>;

export function createWorkspace(client: WebClient, logger: Logger, now: () => Date): Workspace {
  const userGroups = remembering(() => askUserGroups(client), { keptMs: KEPT_MS, most: 1, now });
  const userIfKnown = async (userId: string) => {
    try {
      return await askUser(client, userId);
    } catch (err) {
      logger.warn({ err }, "Slack didn't describe a person");
      return null;
    }
  };
  return {
    isActive: async (userId) => !((await askUser(client, userId))?.deleted ?? true),
    timeZoneOf: async (userId) => {
      const zone = (await userIfKnown(userId))?.tz;
      return zone ? typableZone(zone) : null;
    },
    namesOf: async (userIds) => {
      const named = await Promise.all(userIds.map(async (id) => [id, nameOf(await userIfKnown(id))] as const));
      return new Map(named.filter(([, name]) => name !== ''));
    },
    userGroups: () => userGroups(''),
  };
}

async function askUser(client: WebClient, userId: string): Promise<User | null> {
  try {
    return (await client.users.info({ user: userId })).user ?? null;
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
