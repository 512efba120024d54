import { type SQL, sql } from 'drizzle-orm';
import type { ClientBase } from 'pg';
import { z } from 'zod';
import { jsonOf, statementOf } from './db.ts';

/** By name, in the units of `pg_settings`. */
export type Settings = Readonly<Record<string, string>>;

/**
 * What changes the meaning of statements and answers, ends them early, or lets a commit be lost. A role, a database, an address, a pooler and
 * the server's own file can set them otherwise.
 */
export const SESSION: Settings = {
  client_encoding: 'UTF8',
  DateStyle: 'ISO, MDY',
  IntervalStyle: 'postgres',
  TimeZone: 'UTC',
  bytea_output: 'hex',
  extra_float_digits: '1',
  standard_conforming_strings: 'on',
  array_nulls: 'on',
  transform_null_equals: 'off',
  gin_fuzzy_search_limit: '0',
  // Migrations name this schema.
  search_path: 'public',
  // A policy that hides rows becomes an error.
  row_security: 'off',
  default_transaction_isolation: 'read committed',
  synchronous_commit: 'on',
  exit_on_error: 'off',
  statement_timeout: '0',
  lock_timeout: '0',
  transaction_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  idle_session_timeout: '0',
  // The server's log would have what failed statements hold.
  log_parameter_max_length_on_error: '0',
};

/** By statement: poolers drop what a connection's start asks for. */
export async function applySettings(client: ClientBase, settings: Settings): Promise<void> {
  await rowsOn(
    client,
    z.unknown(),
    sql`
      SELECT set_config(known.name, wanted.setting, false)
      FROM jsonb_each_text(${jsonOf(settings)}::jsonb) AS wanted (name, setting)
      JOIN pg_settings known ON known.name = wanted.name`,
  );
}

const NameRow = z.object({ name: z.string() });

/** Returns the names of what the connection has otherwise. What a server doesn't know isn't among them. */
export async function settingsNotKept(client: ClientBase, settings: Settings): Promise<string[]> {
  const rows = await rowsOn(
    client,
    NameRow,
    sql`
      SELECT wanted.name
      FROM jsonb_each_text(${jsonOf(settings)}::jsonb) AS wanted (name, setting)
      JOIN pg_settings known ON known.name = wanted.name
      WHERE known.setting <> wanted.setting
        -- Keepalives are 0 where the system has none, as on a Unix socket.
        AND (known.name NOT LIKE 'tcp_%' OR known.setting <> '0')
      ORDER BY wanted.name`,
  );
  return rows.map(({ name }) => name);
}

/** A connection, or a pool of them. */
interface Queryable {
  query(text: string, values: unknown[]): Promise<{ rows: unknown[] }>;
}

/** The statement has no name: it would collide with another client's on a pooler's connection. */
export async function rowsOn<Row extends z.ZodType>(
  client: Queryable,
  Row: Row,
  template: SQL,
): Promise<z.output<Row>[]> {
  const [text, values = []] = statementOf(template);
  const { rows } = await client.query(text, [...values]);
  return z.array(Row).parse(rows);
}
