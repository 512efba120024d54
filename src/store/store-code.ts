import { eq, sql } from 'drizzle-orm';
import { z } from 'zod';
import { NEW_CODE } from './columns.ts';
import type { Db } from './db.ts';
import { getValue, keepUnreadable, lockKey } from './kv.ts';
import { kv } from './tables.ts';

const CODE = 'store-code';
export const StoreCode = z.string().regex(/^[0-9a-f]{8}$/);

/** Tells this store from all others. Its replicas and backups have the same. */
export async function storeCodeOf(db: Db): Promise<string> {
  const known = await getValue(db, CODE, StoreCode);
  if (known !== null) return known;
  await db.transaction(async (tx) => {
    await lockKey(tx, CODE);
    if ((await getValue(tx, CODE, StoreCode)) !== null) return;
    const [unreadable] = await tx.delete(kv).where(eq(kv.key, CODE)).returning();
    if (unreadable !== undefined) await keepUnreadable(tx, CODE, unreadable.value);
    await tx.insert(kv).values({ key: CODE, value: sql`to_jsonb(${NEW_CODE})` });
  });
  return storeCodeOf(db);
}
