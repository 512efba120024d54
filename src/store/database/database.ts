import type { z } from 'zod';

/** What a statement may be given; a list goes in as one JSON text, see `jsonOf`. */
export type SqlValue = string | number | boolean | Date | null;

/** The ways to ask the database, alone or inside a transaction. */
export interface Sql {
  /** Runs one statement and reads each row by `Row`; a row that is not what it says is a bug and throws a `ZodError`. */
  rows<Row extends z.ZodType>(Row: Row, text: string, values?: readonly SqlValue[]): Promise<z.output<Row>[]>;
  /** Runs one statement and returns the number of rows that it wrote. */
  write(text: string, values?: readonly SqlValue[]): Promise<number>;
  /** Runs several statements. */
  script(text: string): Promise<void>;
}

export interface Database extends Omit<Sql, 'script'> {
  /** Runs `work` in one transaction: all that it writes stays, or nothing when it throws. The only way to begin one. */
  withTransaction<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result>;
  /** As `rows`, for a statement that changes nothing: rejects only when the database doesn't answer, not when a single connection is broken. */
  probe: Sql['rows'];
  /** Runs another library's SQL as it is; several statements at once where there are no values. */
  executeSql(text: string, values?: readonly unknown[]): Promise<{ rows: unknown[] }>;
  /** Gives back the room of deleted rows, where the database does not do so by itself. */
  vacuum(signal?: AbortSignal): Promise<void>;
  isOpen(): boolean;
  /** Waits for what is running, then closes. A second call does nothing. */
  close(): Promise<void>;
}

/** What a driver answers to one statement. */
export interface Answer {
  readonly rows: unknown[];
  readonly affected: number;
}

/** `rows` and `write` upon a driver's way to run one statement. */
export function asking(run: (text: string, values: unknown[]) => Promise<Answer>): Omit<Sql, 'script'> {
  return {
    rows: async (Row, text, values = []) => {
      const { rows } = await run(text, values.map(storable));
      return rows.map((row) => Row.parse(row));
    },
    write: async (text, values = []) => (await run(text, values.map(storable))).affected,
  };
}

/**
 * Ends a lateral subquery that is to be run for each row before it, with all of its conditions: else the database may read what meets the
 * first of them, which can be a month, and look at the others afterwards.
 */
export const BY_ITSELF = 'OFFSET 0';

/** A list as one value of a statement, to be unfolded by `jsonb_to_recordset` or `jsonb_array_elements_text`. */
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

/** PostgreSQL's text takes neither NUL nor half a surrogate pair. */
function storableText(text: string): string {
  return text.replace(/[\0\p{Cs}]/gu, '\uFFFD');
}

/** PostgreSQL does not read the years of six digits that JavaScript writes. */
const LATEST = new Date('9999-12-31T23:59:59.999Z');
const EARLIEST = new Date('0001-01-01T00:00:00.000Z');

function storableTime(time: Date): Date {
  if (time > LATEST) return LATEST;
  return time < EARLIEST ? EARLIEST : time;
}
