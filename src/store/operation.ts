import { z } from 'zod';
import type { Backlog } from '../domain/health/backlog.ts';
import type { DatabaseFacts } from '../use-cases/health/examine-running.ts';
import type { Database } from './database/database.ts';
import { NEWEST_MIGRATION } from './database/migrate.ts';
import { Count, CountRow } from './database/row.ts';
import { backlogOf } from './deliveries/backlog.ts';

/** What anyone who runs Notif asks of its store. */
export interface Operation {
  /** The messages that wait to be posted, over all replicas. */
  backlog(): Promise<Backlog>;
  /** How many processes use this database now, this one included. */
  replicas(): Promise<number>;
  databaseFacts(): Promise<DatabaseFacts>;
}

export function operation(database: Database): Operation {
  return {
    backlog: () => backlogOf(database, null),
    replicas: async () => Math.max(1, (await database.rows(CountRow, REPLICAS))[0]?.count ?? 0),
    databaseFacts: async () => {
      const [facts] = await database.rows(FactsRow, FACTS);
      if (facts === undefined) throw new Error('the database said nothing of itself');
      return { ...facts, knownMigration: NEWEST_MIGRATION };
    },
  };
}

const FactsRow = z.object({ bytes: Count, migration: Count });

const FACTS = `
  SELECT pg_database_size(current_database()) AS bytes, (SELECT max(version) FROM migrations) AS migration`;

/** Each process has a name of its own in its connections (server.ts); the embedded database has but one process. */
const REPLICAS = `
  SELECT count(DISTINCT application_name) AS count FROM pg_stat_activity
  WHERE datname = current_database() AND application_name LIKE 'notif-%'`;
