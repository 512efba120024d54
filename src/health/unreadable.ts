import { getTableColumns, sql } from 'drizzle-orm';
import { toSnakeCase } from 'drizzle-orm/casing';
import { getTableConfig, type PgTable } from 'drizzle-orm/pg-core';
import { z } from 'zod';
import { together } from '../lib/together.ts';
import { type Ctx, type Db, onlyRow } from '../store/db.ts';
import { blockRangesOf } from '../store/move.ts';
import { type Finding, problem } from './finding.ts';
import { columnName, describedBy, EXAMINED_TABLES, type StoredTable } from './stored.ts';

/** A stored value that this version can't read: `gaps.unchecked`, of the row `gap-17`. */
export interface UnreadableValue {
  column: string;
  row: string;
}

export type ReadUnreadable = () => Promise<readonly UnreadableValue[]>;

/** What could be read is read again only after a change, since a month's rows take half a second. */
export function createUnreadable(db: Db): ReadUnreadable {
  let readTo: bigint | null = null;

  async function read(): ReturnType<ReadUnreadable> {
    const to = await oldestTransaction(db);
    // A database that was restored counts its transactions anew.
    const since = readTo !== null && readTo <= to ? readTo : null;
    const unreadable = await unreadableValues(db, since);
    readTo = unreadable.length === 0 ? to : null;
    return unreadable;
  }

  return together(read);
}

const Transaction = z.object({ id: z.string().transform(BigInt) });

/** All that are older have ended: what they wrote is seen. */
async function oldestTransaction(db: Db): Promise<bigint> {
  return onlyRow(await db.rows(Transaction, 'SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS id')).id;
}

/**
 * Looks in what the transaction `since` and younger ones wrote; null: in everything. Not in counts, of which those that can't be
 * read are left out of the delays of `stats`.
 */
export async function unreadableValues(db: Db, since: bigint | null = null): Promise<UnreadableValue[]> {
  const found: UnreadableValue[] = [];
  for (const table of EXAMINED_TABLES) found.push(...(await unreadableIn(db, table, since)));
  return found;
}

/** More at once would block the embedded database for over a few milliseconds. */
const BLOCKS = 10;
/** Where rows since a transaction are looked for: few are read, and of the others only the age is compared. */
const BLOCKS_COMPARED = 200;
const Row = z.record(z.string(), z.unknown());

async function unreadableIn(db: Db, stored: StoredTable, since: bigint | null): Promise<UnreadableValue[]> {
  const { name, table, columns } = stored;
  const jsonColumns = Object.entries(columns).flatMap(([key, column]) =>
    typeof column === 'string' ? [] : [{ key, column }],
  );
  if (jsonColumns.length === 0) return [];
  const nameOf = (key: string) => columnName(stored, key);
  const primaryKey = primaryKeyOf(table);
  const needed = new Set([
    ...primaryKey,
    ...jsonColumns.flatMap(({ key, column }) => ('selector' in column ? [key, column.selector] : [key])),
  ]);
  const selected = [...needed].map((key) => `${nameOf(key)} AS ${toSnakeCase(key)}`);
  // The younger a transaction, the less its age.
  const isChanged = since === null ? sql`true` : sql`age(t.xmin) <= age(${`${since}`}::xid8::xid)`;
  const rowsIn = (isInRange: string) => sql`
    SELECT ${sql.raw(selected.join(', '))}
    FROM ${sql.raw(name)} t
    WHERE ${sql.raw(isInRange)}
      AND ${isChanged}`;
  const found: UnreadableValue[] = [];
  for await (const isInRange of blockRangesOf(name, db, since === null ? BLOCKS : BLOCKS_COMPARED))
    for (const row of await db.rows(Row, rowsIn(isInRange)))
      for (const { key, column } of jsonColumns) {
        const isAbsent = row[key] === null && getTableColumns(table)[key]?.notNull === false;
        if (isAbsent || describedBy(column, row).Value.safeParse(row[key]).success) continue;
        found.push({ column: `${name}.${nameOf(key)}`, row: primaryKey.map((each) => row[each]).join(' ') });
      }
  return found;
}

/** The columns of a table's primary key, by their names in code. */
function primaryKeyOf(table: PgTable): string[] {
  const columns = getTableColumns(table);
  const ofSeveral = getTableConfig(table).primaryKeys.flatMap((key) => key.columns);
  return Object.keys(columns).filter((name) => {
    return columns[name]?.primary || ofSeveral.some((column) => column === columns[name]);
  });
}

const MOST_NAMED = 5;
const NEXT =
  "Everything else continues. Put back what a backup has, or delete it (docs/runbook.md, Stored data that can't be read).";

export function unreadableFindings(unreadable: readonly UnreadableValue[]): readonly Finding[] {
  if (unreadable.length === 0) return [];
  const words = unreadable.map(({ column, row }) => ({ kind: 'word' as const, id: `${column} ${row}` }));
  const count = unreadable.length > MOST_NAMED ? `, ${MOST_NAMED} of ${unreadable.length}` : '';
  return [problem(`Stored data can't be read and is left out${count}:`, NEXT, words.slice(0, MOST_NAMED))];
}

/** A reason to withhold a heartbeat. */
export function unreadableWords(unreadable: readonly UnreadableValue[]): string[] {
  const columns = [...new Set(unreadable.map(({ column }) => column))];
  return unreadable.length === 0 ? [] : [`stored data can't be read: ${columns.join(', ')}`];
}

interface UnreadableCtx extends Pick<Ctx, 'logger'> {
  readUnreadable: ReadUnreadable;
}

export async function logUnreadable({ readUnreadable, logger }: UnreadableCtx): Promise<void> {
  const unreadable = await readUnreadable();
  if (unreadable.length === 0) return;
  const rows = unreadable.slice(0, MOST_NAMED).map(({ column, row }) => `${column} ${row}`);
  logger.error({ rows, values: unreadable.length }, "Stored data can't be read and is left out");
}
