import type { Logger } from '../../domain/logger.ts';

/** What is asked of the Slack workspace about people and user groups. Each rejects with Slack's error. */
export interface Workspace {
  /** Somebody; null where Slack does not know the id, or the account was deactivated. */
  person(userId: string): Promise<{ readonly timeZone: string | null } | null>;
  /** What somebody goes by; null where Slack doesn't know the id. */
  nameOf(userId: string): Promise<string | null>;
  /** The user groups that are in use. */
  userGroups(): Promise<readonly UserGroup[]>;
}

export interface UserGroup {
  readonly id: string;
  /** Without its `@`. */
  readonly handle: string;
}

export interface ZoneParts {
  readonly workspace: Pick<Workspace, 'person'>;
  readonly logger: Logger;
}

/** The IANA name of a person's time zone; null where Slack names none, or didn't answer. */
export async function zoneOfPerson(userId: string, { workspace, logger }: ZoneParts): Promise<string | null> {
  try {
    return (await workspace.person(userId))?.timeZone ?? null;
  } catch (error) {
    logger.warn({ err: error }, "the time zone of a person couldn't be read");
    return null;
  }
}

export interface NamesParts {
  readonly workspace: Pick<Workspace, 'nameOf'>;
  readonly logger: Logger;
}

/** What people go by, by their ids. Those whom Slack doesn't name are left out. */
export async function namesOfPeople(
  userIds: readonly string[],
  { workspace, logger }: NamesParts,
): Promise<ReadonlyMap<string, string>> {
  const named = await Promise.all(
    userIds.map(async (userId) => {
      try {
        return [userId, await workspace.nameOf(userId)] as const;
      } catch (error) {
        logger.warn({ err: error }, "the name of a person couldn't be read");
        return [userId, null] as const;
      }
    }),
  );
  return new Map(named.flatMap(([userId, name]) => (name === null ? [] : [[userId, name] as const])));
}
