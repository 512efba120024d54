import { and, eq, gt, like, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { hashOf } from '../lib/text/hash.ts';
import { type Stored, stored } from '../lib/text/shown-id.ts';
import { type Db, jsonOf } from './db.ts';
import { kv } from './tables.ts';

/** What values are about. A key is such a name, or begins with it and a colon. */
export type Topic =
  | 'alertmanager'
  | 'channel-environment'
  | 'channel-id'
  | 'erased'
  | 'integrations'
  | 'interaction'
  | 'last-heartbeat'
  | 'masked-texts'
  | 'mention'
  | 'migrations'
  | 'replica'
  | 'sending'
  | 'store-code'
  | 'unreadable'
  | 'workspace';
type Key = Topic | `${Topic}:${string}`;

/** Returns null, too, for a value that `Value` doesn't describe. */
export async function getValue<Value extends z.ZodType>(
  db: Db,
  key: Key,
  Value: Value,
): Promise<z.output<Value> | null> {
  const [row] = await db.select().from(kv).where(eq(kv.key, key));
  return Value.safeParse(row?.value).data ?? null;
}

/** `Value` describes what is stored. */
interface NewValue {
  Value: z.ZodType;
  value: Stored;
  expiresAt?: Date;
}

export async function putValue(db: Db, key: Key, { Value, value, expiresAt }: NewValue): Promise<void> {
  const [known] = await db.select().from(kv).where(eq(kv.key, key));
  if (known !== undefined && !Value.safeParse(known.value).success) await keepUnreadable(db, key, known.value);
  const updated = { value: sql`excluded.value`, expiresAt: sql`excluded.expires_at` };
  await db.insert(kv).values({ key, value, expiresAt }).onConflictDoUpdate({ target: kv.key, set: updated });
}

/** Keeps what couldn't be read, and is about to be replaced, until somebody has looked at it. */
export async function keepUnreadable(db: Db, place: string, value: unknown): Promise<void> {
  const json = jsonOf(value ?? null);
  const row = { key: `unreadable:${place}:${hashOf(json, 8)}`, value: sql`${json}::jsonb` };
  await db.insert(kv).values(row).onConflictDoNothing();
}

export async function countUnexpired(db: Db, topic: Topic, now: Date): Promise<number> {
  return db.$count(kv, and(like(kv.key, `${topic}:%`), gt(kv.expiresAt, now)));
}

export async function renameKey(tx: Db, from: Key, to: Key): Promise<void> {
  await forgetValue(tx, to);
  await tx.update(kv).set({ key: to }).where(eq(kv.key, from));
}

/** Replaces each value about the topic that equals `from`. */
export async function replaceValues(tx: Db, topic: Topic, from: Stored, to: Stored): Promise<void> {
  const isSame = and(like(kv.key, `${topic}:%`), sql`${kv.value} = ${jsonOf(from)}::jsonb`);
  await tx.update(kv).set({ value: to }).where(isSame);
}

export async function forgetValue(db: Db, key: Key): Promise<void> {
  await db.delete(kv).where(eq(kv.key, key));
}

export async function claimKey(db: Db, key: Key, expiresAt: Date): Promise<boolean> {
  const row = { key, value: stored(true), expiresAt };
  const claimed = await db.insert(kv).values(row).onConflictDoNothing().returning({ key: kv.key });
  return claimed.length > 0;
}

export async function lockKey(tx: Db, key: string): Promise<void> {
  await tx.write(sql`SELECT pg_advisory_xact_lock(hashtextextended(${key}, 0))`);
}
