import { z } from 'zod';
import { type Backlog, WAITS_FOR_CHANNEL } from '../domain/health/backlog.ts';
import type { DatabaseFacts } from '../use-cases/health/examine-running.ts';
import { type Database, jsonOf, type Sql } from './database/database.ts';
import { NEWEST_MIGRATION } from './database/migrate.ts';
import { Count, CountRow } from './database/row.ts';
import { HAS_PLACE } from './deliveries/deliveries.ts';

/** What whoever runs Notif asks of its store. */
export interface Operation {
  /** The messages that wait to be posted, over all replicas. */
  backlog(): Promise<Backlog>;
  /** How many processes use this database now, this one included. */
  replicas(): Promise<number>;
  databaseFacts(): Promise<DatabaseFacts>;
}

const BacklogRow = z
  .object({ waiting: Count, oldest: z.date().nullable(), oldest_held_up: z.date().nullable() })
  .transform((row): Backlog => ({ waiting: row.waiting, oldest: row.oldest, oldestHeldUp: row.oldest_held_up }));

const NOTHING: Backlog = { waiting: 0, oldest: null, oldestHeldUp: null };

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

/** The messages of a watch that wait to be posted, or of all where that is null. */
export async function backlogOf(sql: Pick<Sql, 'rows'>, watchId: string | null): Promise<Backlog> {
  return (await sql.rows(BacklogRow, BACKLOG, [jsonOf(WAITS_FOR_CHANNEL), watchId]))[0] ?? NOTHING;
}

const FactsRow = z.object({ bytes: Count, migration: Count });

const FACTS = `
  SELECT pg_database_size(current_database()) AS bytes, (SELECT max(version) FROM migrations) AS migration`;

/** Of an ended watch only the message that says so is still delivered. */
const BACKLOG = `
  SELECT count(*) AS waiting, min(one.created_at) AS oldest,
    min(one.created_at) FILTER (
      WHERE one.last_refusal IS NULL OR one.last_refusal NOT IN (SELECT jsonb_array_elements_text($1::jsonb))
    ) AS oldest_held_up
  FROM digests one JOIN watches w ON w.id = one.watch_id
  WHERE one.state IN ('waiting', 'posting') AND (w.ended_at IS NULL OR one.kind = 'watch-ended') AND ${HAS_PLACE}
    AND ($2::text IS NULL OR w.id = $2)`;

/** Each process has a name of its own in its connections (server.ts); the embedded database has but one process. */
const REPLICAS = `
  SELECT count(DISTINCT application_name) AS count FROM pg_stat_activity
  WHERE datname = current_database() AND application_name LIKE 'notif-%'`;
