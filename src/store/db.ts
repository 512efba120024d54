import { type SQL, sql } from 'drizzle-orm';
import { toCamelCase, toSnakeCase } from 'drizzle-orm/casing';
import { DrizzleQueryError } from 'drizzle-orm/errors';
import { PgRemoteDatabase, PgRemoteSession } from 'drizzle-orm/pg-proxy';
import { z } from 'zod';
import { StoreTroubleError } from '../lib/errors.ts';
import type { Logger } from '../lib/logger.ts';
import { pauses } from '../lib/pauses.ts';
import { Dialect } from './dialect.ts';
import { StatementError } from './errors.ts';

/** A sum of bigints may be text. */
export const Count = z.coerce.number().int();
export const CountRow = z.object({ count: Count });

type SqlValue = string | number | boolean | Date | null;

/** A text with numbered parameters, or a `sql` template with its values in place. */
type Statement = [statement: string | SQL, values?: readonly SqlValue[]];

export interface Db extends Pick<PgRemoteDatabase, 'select' | 'insert' | 'update' | 'delete' | '$count'> {
  /** A column `checked_to` becomes `checkedTo`. */
  rows<Row extends z.ZodType>(Row: Row, ...statement: Statement): Promise<z.output<Row>[]>;
  write(...statement: Statement): Promise<number>;
  /** `work` only runs statements: it runs again after a deadlock. */
  transaction<Result>(work: (tx: Db) => Promise<Result>): Promise<Result>;
  /** True from a write that a full disk refused until a transaction succeeds: reads don't show it. */
  isFull(): boolean;
}

export interface Ctx {
  db: Db;
  logger: Logger;
  now: () => Date;
}

type RowMode = 'array' | 'object';
type Answer = { rows: unknown[]; affected: number };
export type Query = (text: string, values?: readonly unknown[], rowMode?: RowMode) => Promise<Answer>;

/** A transaction that `use` leaves open when it throws is rolled back. */
export type Connect = <Result>(use: (query: Query) => Promise<Result>) => Promise<Result>;

export interface Engine {
  connect: Connect;
  /** Returns the copy's path. */
  backUp?(): Promise<string>;
  close(): Promise<void>;
}

export interface DbOptions {
  logger: Logger;
  onLost?: ((reason: Error) => void) | undefined;
}

/** Errors after which nothing was done. The second can come once from each connection of a pool, as each has plans of its own. */
const RUNS_AGAIN: ReadonlyMap<string, { atMost: number; says: string }> = new Map([
  ['40P01', { atMost: 2, says: 'Transactions waited for each other, running one again' }],
  ['0A000', { atMost: 10, says: 'A newer replica changed a table, running a statement again' }],
]);

export function dbOn(connect: Connect, { logger, onLost }: DbOptions): Db {
  let isFull = false;
  const watched: Connect = (use) =>
    connect(use).catch((error: unknown) => {
      if (error instanceof StoreTroubleError && error.trouble === 'damaged') onLost?.(error);
      isFull ||= error instanceof StoreTroubleError && error.trouble === 'read-only';
      throw error;
    });
  const again: Connect = async (use) => {
    for (let repeats = 0; ; repeats += 1) {
      try {
        return await watched(use);
      } catch (err) {
        const known = err instanceof StatementError ? RUNS_AGAIN.get(err.code) : undefined;
        if (known === undefined || repeats >= known.atMost) throw err;
        logger.warn({ err }, known.says);
      }
    }
  };
  const begin: Db['transaction'] = async (work) => {
    const result = await again((query) => transaction(query, work));
    isFull = false;
    return result;
  };
  const alone: Query = (...statement) => again((query) => query(...statement));
  return statementsOn(alone, begin, () => isFull);
}

async function transaction<Result>(query: Query, work: (tx: Db) => Promise<Result>) {
  const failures: unknown[] = [];
  const noted: Query = (...statement) =>
    query(...statement).catch((error: unknown) => {
      failures.push(error);
      throw error;
    });
  // After a wait for a lock, a statement sees what its holder has written.
  await query('BEGIN ISOLATION LEVEL READ COMMITTED');
  const tx: Db = statementsOn(noted, (nested) => nested(tx));
  const result = await work(tx);
  // After a failed statement, COMMIT rolls back without an error.
  if (failures.length > 0) throw failures[0];
  await query('COMMIT');
  return result;
}

const DIALECT = new Dialect({ casing: 'snake_case' });

function statementsOn(query: Query, begin: Db['transaction'], isFull = () => false): Db {
  const run = (text: string, values: readonly unknown[] = [], rowMode?: RowMode) =>
    query(text, values.map(storable), rowMode);
  const remote = (text: string, values: unknown[], method: string) =>
    run(text, values, method === 'all' ? 'array' : 'object');
  return Object.assign(new PgRemoteDatabase(DIALECT, new Session(remote, DIALECT, undefined), undefined), {
    rows: async <Row extends z.ZodType>(Row: Row, ...statement: Statement) => {
      const rows: z.output<Row>[] = [];
      const pause = pauses();
      for (const row of (await run(...textOf(statement))).rows) {
        await pause();
        rows.push(Row.parse(renamed(Object(row), toCamelCase)));
      }
      return rows;
    },
    write: async (...statement: Statement) => (await run(...textOf(statement))).affected,
    transaction: begin,
    isFull,
  });
}

function textOf([statement, values = []]: Statement): [text: string, values?: readonly unknown[]] {
  return typeof statement === 'string' ? [statement, values] : statementOf(statement);
}

/** The statement of a template with values in place. */
export function statementOf(template: SQL): [text: string, values: unknown[]] {
  const { sql: text, params } = DIALECT.sqlToQuery(template);
  return [text, params];
}

/** Rows of JSON as a table: one parameter, however many they are, so that the statement stays the same. */
export const idList = (ids: readonly number[]): SQL =>
  sql`(SELECT value::bigint FROM jsonb_array_elements_text(${jsonOf(ids)}::jsonb))`;

export const textList = (texts: readonly string[]): SQL =>
  sql`(SELECT jsonb_array_elements_text(${jsonOf(texts)}::jsonb))`;

const renamed = (row: object, nameOf: (name: string) => string) =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [nameOf(name), value]));

/** `jsonb_populate_recordset` makes rows of this. */
export const rowsOf = (items: readonly object[]): string => jsonOf(items.map((item) => renamed(item, toSnakeCase)));

type NoSchema = Record<string, never>;

/** Drizzle's error has every value of the statement in its message. */
class Session extends PgRemoteSession<NoSchema, NoSchema> {
  override prepareQuery(...given: Parameters<PgRemoteSession<NoSchema, NoSchema>['prepareQuery']>) {
    const prepared = super.prepareQuery(...given);
    const execute = prepared.execute.bind(prepared);
    prepared.execute = (values) =>
      execute(values).catch((error: unknown) => {
        throw error instanceof DrizzleQueryError ? error.cause : error;
      });
    return prepared as never;
  }
}

/** By the clock of the database's machine. */
export async function databaseNow(db: Db): Promise<Date> {
  return onlyRow(await db.rows(z.object({ now: z.date() }), sql`SELECT clock_timestamp() AS now`)).now;
}

export function onlyRow<Row>([row]: readonly Row[]): Row {
  if (row === undefined) throw new Error('a statement returned no row');
  return row;
}

/** JSON's null is read as undefined: of null, drizzle takes it that it's SQL's, and doesn't ask the column (`json`) how to read it. */
export const parseJson = (text: string): unknown => (text === 'null' ? undefined : JSON.parse(text));

export const jsonOf = (value: unknown): string => JSON.stringify(value, (_, json) => storable(json));

/** PostgreSQL's text has neither NUL nor half a surrogate pair. */
function storable(value: unknown) {
  return typeof value === 'string' ? value.replace(/[\0\p{Cs}]/gu, '\uFFFD') : value;
}
