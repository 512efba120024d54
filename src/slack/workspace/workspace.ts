import { WebAPIPlatformError, type WebClient } from '@slack/web-api';
import { z } from 'zod';
import { isTimeZone } from '../../domain/input/time-zone.ts';
import type { UserGroup, Workspace } from '../../use-cases/ports/workspace.ts';

export interface WorkspaceParts {
  readonly client: WebClient;
  readonly now: () => Date;
}

/** A new user group can be mentioned after this long at most: Slack lets the list be read twenty times a minute. */
const KEPT_MS = 60_000;

const Person = z.object({ deleted: z.boolean().default(false), tz: z.string().nullish() });

/** The workspace as Slack's Web API tells of it. */
export function createWorkspace({ client, now }: WorkspaceParts): Workspace {
  let kept: { readonly groups: Promise<readonly UserGroup[]>; readonly until: number } | null = null;
  return {
    person: (userId) => askPerson(userId, client),
    userGroups: () => {
      if (kept === null || now().getTime() >= kept.until) {
        const groups = askUserGroups(client);
        kept = { groups, until: now().getTime() + KEPT_MS };
        // A failure is told to the person who asked; it is only not kept for the next.
        groups.catch(() => {
          kept = null;
        });
      }
      return kept.groups;
    },
  };
}

async function askPerson(userId: string, client: WebClient): Promise<{ timeZone: string | null } | null> {
  try {
    const { user } = await client.users.info({ user: userId });
    const { deleted, tz } = Person.parse(user);
    return deleted ? null : { timeZone: typeof tz === 'string' && isTimeZone(tz) ? tz : null };
  } catch (error) {
    if (codeOf(error) === 'user_not_found') return null;
    throw error;
  }
}

async function askUserGroups(client: WebClient): Promise<readonly UserGroup[]> {
  const { usergroups = [] } = await client.usergroups.list({});
  return usergroups.flatMap(({ id, handle }) => (id === undefined || handle === undefined ? [] : [{ id, handle }]));
}

function codeOf(error: unknown): string | null {
  return error instanceof WebAPIPlatformError ? error.data.error : null;
}
