import { and, eq, isNotNull, ne, notInArray, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Storable } from '../lib/text/shown-id.ts';
import { type Db, textList } from '../store/db.ts';
import { type EnvironmentRow, environments } from './tables.ts';

/** Environments that are known by a name that isn't configured any more. */
export async function formerNames(
  db: Db,
  configured: readonly string[],
): Promise<readonly Pick<EnvironmentRow, 'environment' | 'serviceEnvironmentId'>[]> {
  const { environment, serviceEnvironmentId } = environments;
  const isFormer = and(isNotNull(serviceEnvironmentId), notInArray(environment, [...configured]));
  return db.select({ environment, serviceEnvironmentId }).from(environments).where(isFormer);
}

/** Other names, configured or not, under which the service's environment is known. */
export async function namesakesOf(db: Db, environment: string, serviceEnvironmentId: string): Promise<string[]> {
  const { environment: name } = environments;
  const isOther = and(eq(environments.serviceEnvironmentId, serviceEnvironmentId), ne(name, environment));
  const others = await db.select({ name }).from(environments).where(isOther).orderBy(name);
  return others.map((row) => row.name);
}

export async function noteIdentity(tx: Db, environment: string, serviceEnvironmentId: Storable): Promise<void> {
  await tx.update(environments).set({ serviceEnvironmentId }).where(eq(environments.environment, environment));
}

/** Each table that is about environments names them in a column called so. */
const NAMING = sql`
  SELECT table_name AS table
  FROM information_schema.columns
  WHERE table_schema = current_schema()
    AND column_name = 'environment'
  ORDER BY table_name`;

/** An embedded database serves nothing else during a statement. */
const ROWS_A_STATEMENT = 2_000;

/**
 * Gives what is stored of the environment `from` the name `to`. `to` may have rows of its own, from polls that never got
 * an answer: they stay, except its row of `environments`. Needs a lock on both.
 */
export async function renameEnvironment(tx: Db, from: string, to: string): Promise<void> {
  // Whoever has compared the version of either name sees that it grew.
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
  const some = sql`ARRAY(SELECT ctid FROM ${table} WHERE environment = ${from} LIMIT ${ROWS_A_STATEMENT})`;
  const statement = sql`UPDATE ${table} SET environment = ${to} WHERE ctid = ANY (${some})`;
  let renamed: number;
  do renamed = await tx.write(statement);
  while (renamed > 0);
}
