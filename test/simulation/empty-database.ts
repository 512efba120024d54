import { z } from 'zod';
import type { Db } from '../../src/store/db.ts';

const Table = z.object({ name: z.string() });

/** Deletes what a combination left behind, far quicker than creating a new database. */
export function emptyDatabase(db: Db): Promise<void> {
  return db.transaction(async (tx) => {
    await tx.write('SET LOCAL session_replication_role = replica');
    for (const { name } of await tx.rows(Table, TABLES)) await tx.write(`DELETE FROM ${name}`);
  });
}

const TABLES = `
  SELECT format('%I', tablename) AS name FROM pg_tables
  WHERE schemaname = current_schema() AND tablename <> 'migrations'`;
