import { eq, sql } from 'drizzle-orm';
import type { z } from 'zod';
import type { Db } from './db.ts';
import { kv } from './tables.ts';

export async function getValue<Value extends z.ZodType>(db: Db, key: string, Value: Value) {
  const [found] = await db.select().from(kv).where(eq(kv.key, key));
  return found === undefined ? null : Value.parse(found.value);
}

export async function putValue(db: Db, key: string, value: unknown, expiresAt: Date | null = null): Promise<void> {
  const kept = { value: sql`excluded.value`, expiresAt: sql`excluded.expires_at` };
  await db.insert(kv).values({ key, value, expiresAt }).onConflictDoUpdate({ target: kv.key, set: kept });
}

/** False: somebody has claimed it before. */
export async function claimKey(db: Db, key: string, expiresAt: Date): Promise<boolean> {
  const claimed = await db
    .insert(kv)
    .values({ key, value: true, expiresAt })
    .onConflictDoNothing()
    .returning({ key: kv.key });
  return claimed.length > 0;
}

export async function lockKey(tx: Db, key: string): Promise<void> {
  await tx.write('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [key]);
}
