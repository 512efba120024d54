import { z } from 'zod';
import { Count, type Db } from './db.ts';
import { StoreUnusableError } from './errors.ts';

const Name = z.object({ name: z.string() });
const TABLES = 'SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()';
/** Others refer to them. */
const FIRST = ['incidents', 'watches', 'messages'];

/** A bigger one would keep too much in memory. */
const PAGE = 2_000;
const PageRow = z.object({ place: z.string(), row: z.string() });

const Sequence = z.object({ name: z.string(), lastValue: Count });
const SEQUENCES = 'SELECT sequencename AS name, last_value FROM pg_sequences WHERE last_value IS NOT NULL';

/** Both have the same schema. All or nothing is copied. */
export async function copyRows(from: Db, to: Db): Promise<number> {
  const tables = new Set([...FIRST, ...(await from.rows(Name, TABLES)).map(({ name }) => name)]);
  return to.transaction(async (tx) => {
    let copied = 0;
    for (const table of tables) {
      const isEmpty = (await tx.rows(z.unknown(), `SELECT FROM ${table} WHERE ${isRow(table)} LIMIT 1`)).length === 0;
      if (!isEmpty)
        throw new StoreUnusableError(`the database of DATABASE_URL has rows in ${table}: name an empty one`);
      copied += await copyTable(table, from, tx);
    }
    for (const { name, lastValue } of await from.rows(Sequence, SEQUENCES))
      await tx.write('SELECT setval($1::regclass, $2)', [name, lastValue]);
    return copied;
  });
}

/** Its migrations are recorded in both. */
function isRow(table: string): string {
  return table === 'kv' ? "key <> 'migrations'" : 'true';
}

async function copyTable(table: string, from: Db, to: Db): Promise<number> {
  const page = `SELECT ctid::text AS place, to_jsonb(t)::text AS row FROM ${table} t WHERE ctid > $1::tid AND ${isRow(table)} ORDER BY ctid LIMIT ${PAGE}`;
  const insert = `INSERT INTO ${table} OVERRIDING SYSTEM VALUE SELECT * FROM jsonb_populate_recordset(NULL::${table}, $1::jsonb)`;
  let copied = 0;
  for (let last: string | undefined = '(0,0)'; last !== undefined; ) {
    const rows: z.output<typeof PageRow>[] = await from.rows(PageRow, page, [last]);
    copied += await to.write(insert, [`[${rows.map(({ row }) => row).join(',')}]`]);
    last = rows.at(-1)?.place;
  }
  return copied;
}
