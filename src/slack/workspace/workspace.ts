import { type UsersInfoResponse, WebAPIPlatformError, type WebClient } from '@slack/web-api';
import { z } from 'zod';
import { typableZone } from '../../domain/input/time-zone.ts';
import type { UserGroup, Workspace } from '../../use-cases/ports/workspace.ts';
import { remembering } from './remembered.ts';

export interface WorkspaceParts {
  readonly client: WebClient;
  readonly now: () => Date;
}

/** The longest time until a new user group can be mentioned: Slack allows listing them twenty times a minute. */
const KEPT_MS = 60_000;

const Person = z.object({ deleted: z.boolean().default(false), tz: z.string().nullish() });

export function createWorkspace({ client, now }: WorkspaceParts): Workspace {
  const userGroups = remembering(() => askUserGroups(client), { keptMs: KEPT_MS, most: 1, now });
  return {
    person: (userId) => askPerson(userId, client),
    nameOf: (userId) => askName(userId, client),
    userGroups: () => userGroups(''),
  };
}

async function askPerson(userId: string, client: WebClient): Promise<{ timeZone: string | null } | null> {
  const answer = await askUser(userId, client);
  if (answer === null) return null;
  const { deleted, tz } = Person.parse(answer.user);
  return deleted ? null : { timeZone: typeof tz === 'string' ? typableZone(tz) : null };
}

async function askName(userId: string, client: WebClient): Promise<string | null> {
  const user = (await askUser(userId, client))?.user;
  return user?.profile?.display_name || user?.profile?.real_name || user?.name || null;
}

async function askUser(userId: string, client: WebClient): Promise<UsersInfoResponse | null> {
  try {
    return await client.users.info({ user: userId });
  } catch (error) {
    if (error instanceof WebAPIPlatformError && error.data.error === 'user_not_found') return null;
    throw error;
  }
}

async function askUserGroups(client: WebClient): Promise<readonly UserGroup[]> {
  const { usergroups = [] } = await client.usergroups.list({});
  return usergroups.flatMap(({ id, handle }) => (id === undefined || handle === undefined ? [] : [{ id, handle }]));
}
