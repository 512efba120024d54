import { and, eq, gt, like, sql } from 'drizzle-orm';
import { z } from 'zod';
import { type Stored, stored } from '../lib/text/shown-id.ts';
import { NEW_CODE } from './columns.ts';
import type { Db } from './db.ts';
import { kv } from './tables.ts';

export async function getValue<Value extends z.ZodType>(db: Db, key: string, Value: Value) {
  const [row] = await db.select().from(kv).where(eq(kv.key, key));
  return row === undefined ? null : Value.parse(row.value);
}

const CODE = 'store-code';

/** Tells this store from all others. Its replicas and backups have the same. */
export async function storeCodeOf(db: Db): Promise<string> {
  const known = await getValue(db, CODE, z.string());
  if (known !== null) return known;
  await db
    .insert(kv)
    .values({ key: CODE, value: sql`to_jsonb(${NEW_CODE})` })
    .onConflictDoNothing();
  return storeCodeOf(db);
}

export async function putValue(db: Db, key: string, value: Stored, expiresAt: Date | null = null) {
  const updated = { value: sql`excluded.value`, expiresAt: sql`excluded.expires_at` };
  await db.insert(kv).values({ key, value, expiresAt }).onConflictDoUpdate({ target: kv.key, set: updated });
}

export async function countUnexpired(db: Db, prefix: string, now: Date): Promise<number> {
  return db.$count(kv, and(like(kv.key, `${prefix}%`), gt(kv.expiresAt, now)));
}

export async function forgetValue(db: Db, key: string) {
  await db.delete(kv).where(eq(kv.key, key));
}

export async function claimKey(db: Db, key: string, expiresAt: Date) {
  const row = { key, value: stored(true), expiresAt };
  const claimed = await db.insert(kv).values(row).onConflictDoNothing().returning({ key: kv.key });
  return claimed.length > 0;
}

export async function lockKey(tx: Db, key: string) {
  await tx.write('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [key]);
}
