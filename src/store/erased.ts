import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { hashOf } from '../lib/text/hash.ts';
import { stored } from '../lib/text/shown-id.ts';
import { type Db, textList } from './db.ts';
import { lockKey, putValue } from './kv.ts';

/** Replaces an ID that was erased. */
export const ERASED = 'erased';

const KeyRow = z.object({ key: z.string() });
const LOCK = 'erased';
const keyOf = (id: string) => `erased:${hashOf(id, 32)}` as const;

/** Until then, `erasedAmong` knows the ID, of which a hash alone is stored. Waits for transactions that asked it. */
export async function noteErased(tx: Db, id: string, until: Date): Promise<void> {
  await lockKey(tx, LOCK);
  await putValue(tx, keyOf(id), { Value: z.literal(true), value: stored(true), expiresAt: until });
}

/** Returns the IDs that were erased: what was read before can still hold them. What the transaction writes is erased by a later erasure. */
export async function erasedAmong(tx: Db, ids: readonly string[], now: Date): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  await tx.write(sql`SELECT pg_advisory_xact_lock_shared(hashtextextended(${LOCK}, 0))`);
  const idByKey = new Map<string, string>(ids.map((id) => [keyOf(id), id]));
  const rows = await tx.rows(
    KeyRow,
    sql`
      SELECT key
      FROM kv
      WHERE key IN ${textList([...idByKey.keys()])}
        AND expires_at > ${now}`,
  );
  return new Set(rows.flatMap(({ key }) => idByKey.get(key) ?? []));
}
