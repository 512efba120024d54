import { z } from 'zod';
import type { Database } from '../../src/store/database/database.ts';

const Table = z.object({ name: z.string() });

/** Deletes what a combination left behind. Far quicker than a new database; `delivery_health` keeps the one row that it's made with. */
export async function emptyDatabase(database: Database): Promise<void> {
  const tables = await database.rows(Table, TABLES);
  const statements = tables.map(({ name }) => `DELETE FROM ${name};`);
  await database.executeSql(
    ['SET session_replication_role = replica;', ...statements, SEEDED, 'SET session_replication_role = DEFAULT;'].join(
      '\n',
    ),
  );
}

/** Those of the bot: the queue's are elsewhere. */
const TABLES = `
  SELECT format('%I', tablename) AS name FROM pg_tables
  WHERE schemaname = current_schema() AND tablename NOT IN ('migrations', 'delivery_health')`;

const SEEDED = 'UPDATE delivery_health SET succeeded_at = NULL;';
