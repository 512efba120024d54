import { z } from 'zod';
import type { Db } from './db.ts';
import { jsonOf } from './values.ts';

/** Returns what is kept under a key; null if nothing is. */
export async function getValue<Value extends z.ZodType>(
  sql: Db,
  key: string,
  Value: Value,
): Promise<z.output<Value> | null> {
  const [found] = await sql.rows(z.object({ value: z.unknown() }), 'SELECT value FROM kv WHERE key = $1', [key]);
  return found === undefined ? null : Value.parse(found.value);
}

/** Pruning deletes the value some time after it has expired; without `expiresAt`, it stays. */
export async function putValue(sql: Db, key: string, value: unknown, expiresAt: Date | null = null) {
  const put = `
    INSERT INTO kv (key, value, expires_at) VALUES ($1, $2::jsonb, $3)
    ON CONFLICT (key) DO UPDATE SET value = EXCLUDED.value, expires_at = EXCLUDED.expires_at`;
  await sql.write(put, [key, jsonOf(value), expiresAt]);
}

/** Until the transaction ends, no other replica locks the key, whether or not there is a value. */
export async function lockKey(sql: Db, key: string): Promise<void> {
  await sql.write('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [key]);
}
