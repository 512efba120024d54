import { and, gt, inArray } from 'drizzle-orm';
import { z } from 'zod';
import { hashOf } from '../lib/text/hash.ts';
import { stored } from '../lib/text/shown-id.ts';
import type { Db } from './db.ts';
import { lockKey, putValue } from './kv.ts';
import { kv } from './tables.ts';

const LOCK = 'erased';
const keyOf = (id: string) => `erased:${hashOf(id, 32)}` as const;

/** Until then, `erasedAmong` knows the ID, of which a hash alone is stored. Waits for transactions that asked it. */
export async function noteErased(tx: Db, id: string, until: Date): Promise<void> {
  await lockKey(tx, LOCK);
  await putValue(tx, keyOf(id), z.literal(true), stored(true), until);
}

/** Returns the IDs that were erased: what was read before can still hold them. What the transaction writes is erased by a later erasure. */
export async function erasedAmong(tx: Db, ids: readonly string[], now: Date): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  await tx.write('SELECT pg_advisory_xact_lock_shared(hashtextextended($1, 0))', [LOCK]);
  const keys = new Map(ids.map((id) => [keyOf(id), id]));
  const isErased = and(inArray(kv.key, [...keys.keys()]), gt(kv.expiresAt, now));
  const rows = await tx.select({ key: kv.key }).from(kv).where(isErased);
  return new Set([...keys].flatMap(([key, id]) => (rows.some((row) => row.key === key) ? [id] : [])));
}
