import type { Logger } from '../../domain/logger.ts';

/** What is asked of the Slack workspace about people and user groups. Each rejects with Slack's error. */
export interface Workspace {
  /** Somebody; null where Slack does not know the id, or the account was deactivated. */
  person(userId: string): Promise<{ readonly timeZone: string | null } | null>;
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
