import { and, eq } from 'drizzle-orm';
import type { Db } from '../store/db.ts';
import type { Watch } from '../watches/settings.ts';
import { type AlertCursorRow, alertCursors } from './tables.ts';

const isOf = (watchId: string, environment: string) =>
  and(eq(alertCursors.watchId, watchId), eq(alertCursors.environment, environment));

export async function cursorOf(db: Db, watchId: string, environment: string): Promise<AlertCursorRow | null> {
  const [cursor = null] = await db.select().from(alertCursors).where(isOf(watchId, environment));
  return cursor;
}

export async function putCursor(
  tx: Db,
  { id: watchId, settings, channel }: Watch,
  environment: string,
  version: number,
): Promise<void> {
  const used = { version, settings, channel };
  await tx
    .insert(alertCursors)
    .values({ watchId, environment, ...used })
    .onConflictDoUpdate({ target: [alertCursors.watchId, alertCursors.environment], set: used });
}

export async function notePosted(
  tx: Db,
  watchId: string,
  environment: string,
  { at, isNotifying }: { at: Date; isNotifying: boolean },
): Promise<void> {
  const posted = isNotifying ? { lastPostedAt: at, lastNotifiedAt: at } : { lastPostedAt: at };
  await tx.update(alertCursors).set(posted).where(isOf(watchId, environment));
}
