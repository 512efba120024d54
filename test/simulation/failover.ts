import { z } from 'zod';
import type { Db } from '../../src/store/db.ts';

const TableRow = z.object({ tablename: z.string() });

export const tablesOf = async (db: Db): Promise<string[]> =>
  (await db.rows(TableRow, 'SELECT tablename FROM pg_tables WHERE schemaname = current_schema()')).map(
    ({ tablename }) => tablename,
  );

/** Keeps the store as it is now, as a replica that lags does. */
export async function keepCopy(db: Db): Promise<void> {
  await db.transaction(async (tx) => {
    // All tables as of one moment.
    await tx.write('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ');
    await tx.write('DROP SCHEMA IF EXISTS failover CASCADE');
    await tx.write('CREATE SCHEMA failover');
    for (const table of await tablesOf(tx)) await tx.write(`CREATE TABLE failover.${table} AS TABLE ${table}`);
  });
}

/** Lets the copy take over: what was written since is lost. */
export async function restoreCopy(db: Db): Promise<void> {
  await db.transaction(async (tx) => {
    // Without checks of references, the order of tables doesn't matter.
    await tx.write('SET LOCAL session_replication_role = replica');
    for (const table of await tablesOf(tx)) {
      await tx.write(`DELETE FROM ${table}`);
      await tx.write(`INSERT INTO ${table} OVERRIDING SYSTEM VALUE SELECT * FROM failover.${table}`);
    }
  });
}
