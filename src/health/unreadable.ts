import { getTableColumns } from 'drizzle-orm';
import { toSnakeCase } from 'drizzle-orm/casing';
import { getTableConfig } from 'drizzle-orm/pg-core';
import { z } from 'zod';
import type { Ctx, Db } from '../store/db.ts';
import { blockRangesOf } from '../store/move.ts';
import { type Finding, problem } from './finding.ts';
import { columnName, describedBy, EXAMINED_TABLES, type StoredTable } from './stored.ts';

/** A stored value that this version can't read: `gaps.unchecked`, of the row `gap-17`. */
export interface UnreadableValue {
  column: string;
  row: string;
}

/** Counts that can't be read lack in the delays of `stats`. */
export async function unreadableValues(db: Db): Promise<UnreadableValue[]> {
  const found: UnreadableValue[] = [];
  for (const table of EXAMINED_TABLES) found.push(...(await unreadableIn(db, table)));
  return found;
}

/** More at once would block the embedded database for over a few milliseconds. */
const BLOCKS = 10;
const Row = z.record(z.string(), z.unknown());

async function unreadableIn(db: Db, stored: StoredTable): Promise<UnreadableValue[]> {
  const { name, table, columns } = stored;
  const json = Object.entries(columns).flatMap(([key, column]) =>
    typeof column === 'string' ? [] : [{ key, column }],
  );
  if (json.length === 0) return [];
  const all = getTableColumns(table);
  const nameOf = (key: string) => columnName(stored, key);
  const primary = getTableConfig(table).primaryKeys.flatMap((key) => key.columns);
  const keys = Object.keys(all).filter((key) => all[key]?.primary || primary.some((column) => column === all[key]));
  const needed = new Set([
    ...keys,
    ...json.flatMap(({ key, column }) => ('selector' in column ? [key, column.selector] : [key])),
  ]);
  const selected = [...needed].map((key) => `${nameOf(key)} AS ${toSnakeCase(key)}`);
  const found: UnreadableValue[] = [];
  for await (const isInRange of blockRangesOf(name, db, BLOCKS))
    for (const row of await db.rows(Row, `SELECT ${selected} FROM ${name} t WHERE ${isInRange}`))
      for (const { key, column } of json) {
        const isAbsent = row[key] === null && all[key]?.notNull === false;
        if (isAbsent || describedBy(column, row).Value.safeParse(row[key]).success) continue;
        found.push({ column: `${name}.${nameOf(key)}`, row: keys.map((each) => row[each]).join(' ') });
      }
  return found;
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

export async function logUnreadable({ db, logger }: Ctx): Promise<void> {
  const unreadable = await unreadableValues(db);
  if (unreadable.length === 0) return;
  const rows = unreadable.slice(0, MOST_NAMED).map(({ column, row }) => `${column} ${row}`);
  logger.error({ rows, values: unreadable.length }, "Stored data can't be read and is left out");
}
