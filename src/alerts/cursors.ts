import { and, eq, max, sql } from 'drizzle-orm';
import { incidents } from '../incidents/tables.ts';
import type { Db } from '../store/db.ts';
import { settingsAfterRename } from '../watches/rename.ts';
import { isReadable, type Watch } from '../watches/settings.ts';
import { isDue } from './candidates.ts';
import { type AlertCursorRow, alertCursors, watchAlerts } from './tables.ts';
import { isWatchEdited } from './watch-edit.ts';

const isOf = (watchId: string, environment: string) =>
  and(eq(alertCursors.watchId, watchId), eq(alertCursors.environment, environment));

/** Returns null if the watch never compared the environment. */
export async function cursorOf(db: Db, watchId: string, environment: string): Promise<AlertCursorRow | null> {
  const [cursor = null] = await db.select().from(alertCursors).where(isOf(watchId, environment));
  return cursor;
}

/** The watches for which a pass can find something: others told everything as it is, by the settings that they have. */
export async function watchesToCompare(
  db: Db,
  environment: string,
  watches: readonly Watch[],
  now: Date,
): Promise<readonly Watch[]> {
  const cursors = await db.select().from(alertCursors).where(eq(alertCursors.environment, environment));
  const cursorByWatch = new Map(cursors.map((cursor) => [cursor.watchId, cursor]));
  const newest = await db
    .select({ version: max(incidents.version) })
    .from(incidents)
    .where(eq(incidents.environment, environment));
  const version = newest[0]?.version ?? 0;
  const due = await db
    .select({ watchId: watchAlerts.watchId })
    .from(watchAlerts)
    .where(and(eq(watchAlerts.environment, environment), isDue(now)));
  const dueWatchIds = new Set(due.map(({ watchId }) => watchId));
  const isUpToDate = (watch: Watch, cursor: AlertCursorRow) =>
    cursor.version >= version && isReadable(cursor) && !isWatchEdited(watch, cursor);
  return watches.filter((watch) => {
    const cursor = cursorByWatch.get(watch.id);
    return cursor === undefined || dueWatchIds.has(watch.id) || !isUpToDate(watch, cursor);
  });
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

/**
 * Makes room for the former name's cursors, to which `renameEnvironment` gives the new name: what the new name has goes,
 * as watches go on where they were.
 */
export async function renameInCursors(tx: Db, from: string, to: string): Promise<void> {
  await tx.write(sql`DELETE FROM alert_cursors WHERE environment = ${to}`);
  // What happened under the new name so far was told under it: nothing up to the later of both cursors is told again.
  await tx.write(sql`
    UPDATE timeline_cursors
    SET entry_id = GREATEST(entry_id, (SELECT entry_id FROM timeline_cursors WHERE environment = ${to}))
    WHERE environment = ${from}`);
  await tx.write(sql`DELETE FROM timeline_cursors WHERE environment = ${to}`);
  const cursors = await tx.select().from(alertCursors);
  for (const { watchId, environment, ...cursor } of cursors)
    if (isReadable(cursor) && cursor.settings.filter.environments.includes(from)) {
      const settings = settingsAfterRename(cursor.settings, from, to);
      await tx.update(alertCursors).set({ settings }).where(isOf(watchId, environment));
    }
}

/** Notes when a watch posted, by which its pace is kept. */
export async function noteLastPost(
  tx: Db,
  watchId: string,
  environment: string,
  { at, isNotifying }: { at: Date; isNotifying: boolean },
): Promise<void> {
  const posted = isNotifying ? { lastPostedAt: at, lastNotifiedAt: at } : { lastPostedAt: at };
  await tx.update(alertCursors).set(posted).where(isOf(watchId, environment));
}
