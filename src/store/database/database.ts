import type { z } from 'zod';

/** What a statement can take; a list is passed as one JSON text, see `jsonOf`. */
export type SqlValue = string | number | boolean | Date | null;

export interface SqlRows {
  /** Runs one statement and parses each row with `Row`; a row that doesn't match is a bug and throws a `ZodError`. */
  rows<Row extends z.ZodType>(Row: Row, text: string, values?: readonly SqlValue[]): Promise<z.output<Row>[]>;
}

export interface SqlWrite {
  /** Runs one statement and returns the number of rows written. */
  write(text: string, values?: readonly SqlValue[]): Promise<number>;
}

/** The ways to query the database, inside or outside a transaction. */
export interface Sql extends SqlRows, SqlWrite {
  /** Runs several statements. */
  script(text: string): Promise<void>;
}

export interface Database extends Omit<Sql, 'script'> {
  /**
   * Runs `work` in one transaction: everything it writes is committed, or nothing if it throws. The only way to begin one. `work` does
   * nothing but run statements: it runs again after a deadlock.
   */
  withTransaction<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result>;
  /** Like `rows`, for a statement that changes nothing. Rejects only if the database doesn't respond, not if a connection is broken. */
  probe: Sql['rows'];
  /** Runs SQL unchanged, for tests and benchmarks; several statements at once if there are no values. */
  executeSql(text: string, values?: readonly unknown[]): Promise<{ rows: unknown[] }>;
  /** Reclaims the space of deleted rows if the database doesn't do so by itself. */
  vacuum(signal?: AbortSignal): Promise<void>;
  isOpen(): boolean;
  /** Waits for running statements, then closes. A second call does nothing. */
  close(): Promise<void>;
}

/** A driver's answer to one statement. */
export interface StatementResult {
  readonly rows: unknown[];
  readonly affected: number;
}

/** Builds `rows` and `write` on a driver's way to run one statement. */
export function asking(run: (text: string, values: unknown[]) => Promise<StatementResult>): Omit<Sql, 'script'> {
  return {
    rows: async (Row, text, values = []) => {
      const { rows } = await run(text, values.map(storable));
      return rows.map((row) => Row.parse(row));
    },
    write: async (text, values = []) => (await run(text, values.map(storable))).affected,
  };
}

/** Returns a list as one value of a statement, to be unfolded by `jsonb_to_recordset` or `jsonb_array_elements_text`. */
export function jsonOf(value: unknown): string {
  return JSON.stringify(value, function (this: Record<string, unknown>, key, json) {
    const original = this[key];
    if (original instanceof Date) return storableTime(original).toISOString();
    return typeof json === 'string' ? storableText(json) : json;
  });
}

function storable(value: SqlValue): SqlValue {
  if (typeof value === 'string') return storableText(value);
  return value instanceof Date ? storableTime(value) : value;
}

/** PostgreSQL's text accepts neither NUL nor half a surrogate pair. */
function storableText(text: string): string {
  return text.replace(/[\0\p{Cs}]/gu, '\uFFFD');
}

/** PostgreSQL can't parse the six-digit years that JavaScript writes. */
const LATEST = new Date('9999-12-31T23:59:59.999Z');
const EARLIEST = new Date('0001-01-01T00:00:00.000Z');

function storableTime(time: Date): Date {
  if (time > LATEST) return LATEST;
  return time < EARLIEST ? EARLIEST : time;
}
