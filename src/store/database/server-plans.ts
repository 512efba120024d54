import { createHash } from 'node:crypto';
import pg from 'pg';

/** The statements that the connections to a server keep prepared, so that it parses and plans them once for each connection. */
export interface ServerPlans {
  /** Returns the name that a statement is prepared under; undefined if the server plans it each time. */
  nameOf(text: string): string | undefined;
  /**
   * Prepares nothing from now on if an error says that a prepared statement can't be run: a newer Notif's migration has changed its columns,
   * or a pooler gave it another connection. Returns whether it does. The statement hasn't run then, and can run again.
   */
  stopIfRefused(error: unknown): boolean;
}

/** Each takes some 50 kB of the server's memory for each connection. Notif has about two hundred statements. */
const MOST_PREPARED = 500;

export function createServerPlans(): ServerPlans {
  const names = new Map<string, string>();
  let isPreparing = true;
  return {
    nameOf(text) {
      if (!isPreparing) return undefined;
      const name = names.get(text);
      if (name !== undefined || names.size >= MOST_PREPARED) return name;
      // A pooler's connection is used by other replicas too: one name never stands for two statements.
      const made = `notif_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
      names.set(text, made);
      return made;
    },
    stopIfRefused(error) {
      if (!isRefusal(error)) return false;
      isPreparing = false;
      return true;
    },
  };
}

const UNKNOWN_STATEMENT = '26000';
const KNOWN_STATEMENT = '42P05';

/** PostgreSQL raises each before it runs the statement. For changed columns it has only a code of many meanings, but one place in its source. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return false;
  return (
    error.code === UNKNOWN_STATEMENT || error.code === KNOWN_STATEMENT || error.routine === 'RevalidateCachedQuery'
  );
}
