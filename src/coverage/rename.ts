import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { type Db, textList } from '../store/db.ts';

/** Each table that is about environments names them in a column called so. */
const NAMING = sql`
  SELECT table_name AS table
  FROM information_schema.columns
  WHERE table_schema = current_schema()
    AND column_name = 'environment'
  ORDER BY table_name`;

/**
 * Gives what is stored of an environment another name. What was noted of that name itself, which never got an answer, stays beside it but for how far
 * it was read. Needs a lock on both.
 */
export async function renameEnvironment(tx: Db, from: string, to: string): Promise<void> {
  const isEither = sql`environment IN ${textList([from, to])}`;
  await tx.write(sql`
    UPDATE environments
    SET version = (SELECT max(version) + 1 FROM environments WHERE ${isEither})
    WHERE environment = ${from}`);
  await tx.write(sql`DELETE FROM environments WHERE environment = ${to}`);
  for (const { table } of await tx.rows(z.object({ table: z.string() }), NAMING)) await renameIn(tx, table, from, to);
}

async function renameIn(tx: Db, name: string, from: string, to: string): Promise<void> {
  const table = sql.identifier(name);
  // An embedded database has no other turn during a statement.
  const some = sql`ARRAY(SELECT ctid FROM ${table} WHERE environment = ${from} LIMIT 2000)`;
  const renamed = await tx.write(sql`UPDATE ${table} SET environment = ${to} WHERE ctid = ANY (${some})`);
  if (renamed > 0) await renameIn(tx, name, from, to);
}
