import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { Count, type Db, onlyRow } from './db.ts';
import { StoreUnusableError } from './errors.ts';

const USED = 'SELECT 1 FROM environments UNION ALL SELECT 1 FROM watches';
/** Rows of other tables refer to rows of these. */
const FIRST = ['incidents', 'watches', 'slack_messages'];
const Name = z.object({ name: z.string() });
const TABLES = 'SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()';
const Sequence = z.object({ name: z.string(), lastValue: Count });
const SEQUENCES = 'SELECT sequencename AS name, last_value FROM pg_sequences WHERE last_value IS NOT NULL';

/** Copies all or nothing, between databases of the same schema. */
export function copyRows(from: Db, to: Db): Promise<number> {
  return to.transaction(async (tx) => {
    if ((await tx.rows(z.unknown(), USED)).length > 0)
      throw new StoreUnusableError('the database of DATABASE_URL is used by Notif: name an empty one');
    // A database that was only opened has values, such as its own code: the copied ones take their place.
    await tx.write('DELETE FROM kv');
    let copied = 0;
    for (const table of new Set([...FIRST, ...(await from.rows(Name, TABLES)).map(({ name }) => name)]))
      copied += await copyTable(table, from, tx);
    for (const { name, lastValue } of await from.rows(Sequence, SEQUENCES))
      await tx.write(sql`SELECT setval(${name}::regclass, ${lastValue})`);
    return copied;
  });
}

const Row = z.object({ row: z.string() });

async function copyTable(name: string, from: Db, to: Db): Promise<number> {
  const table = sql.raw(name);
  let copied = 0;
  for await (const isInRange of blockRangesOf(name, from)) {
    const rows = await from.rows(Row, sql`SELECT to_jsonb(t)::text AS row FROM ${table} t WHERE ${sql.raw(isInRange)}`);
    copied += await to.write(sql`
      INSERT INTO ${table} OVERRIDING SYSTEM VALUE
      SELECT * FROM jsonb_populate_recordset(NULL::${table}, ${`[${rows.map(({ row }) => row).join(',')}]`}::jsonb)`);
  }
  return copied;
}

const Size = z.object({ blocks: Count });
/** The rows of so many pages are read at once: at most 800 kB as they are stored, more as JSON. */
const BLOCKS = 100;

/** Yields conditions that divide the rows of `t` by the pages that hold them (a `ctid` is a page and a place in it): each row is in exactly one. */
export async function* blockRangesOf(table: string, db: Db, step = BLOCKS): AsyncGenerator<string, void, unknown> {
  const { blocks } = onlyRow(
    await db.rows(Size, `SELECT pg_relation_size('${table}') / current_setting('block_size')::integer AS blocks`),
  );
  for (let block = 0; block < blocks; block += step)
    yield `t.ctid >= '(${block},0)' AND t.ctid < '(${block + step},0)'`;
}
