import type { Logger } from '../../domain/logger.ts';

/** Queries to the Slack workspace about people and user groups. Each rejects with Slack's error. */
export interface Workspace {
  /** Looks up a person; null if Slack doesn't know the ID or the account was deactivated. */
  person(userId: string): Promise<{ readonly timeZone: string | null } | null>;
  nameOf(userId: string): Promise<string | null>;
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

/** Returns the IANA name of a person's time zone; null if Slack gives none or didn't respond. */
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
