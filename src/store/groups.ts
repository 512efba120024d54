import type { GroupTally } from '../domain/failure.ts';
import type { Database } from './database.ts';
import { tallies } from './tallies.ts';

export interface Groups {
  /** A group over all its failures that are kept; null when there is none left. */
  groupByKey(key: string): Promise<GroupTally | null>;
}

export function groups(database: Database): Groups {
  return {
    groupByKey: async (key) => (await tallies(database, 'failures f WHERE f.group_key = $1', [key]))[0] ?? null,
  };
}
