import { and, eq, max } from 'drizzle-orm';
import { incidents } from '../incidents/tables.ts';
import type { Db } from '../store/db.ts';
import { isReadable, type Watch } from '../watches/settings.ts';
import { isDue } from './candidates.ts';
import { isEdited } from './edited.ts';
import { type AlertCursorRow, alertCursors, watchAlerts } from './tables.ts';

/** The watches for which a pass can find something: others told everything as it is, by the settings that they have. */
export async function watchesToCompare(
  db: Db,
  environment: string,
  watches: readonly Watch[],
  now: Date,
): Promise<readonly Watch[]> {
  const cursors = await db.select().from(alertCursors).where(eq(alertCursors.environment, environment));
  const cursorOf = new Map(cursors.map((cursor) => [cursor.watchId, cursor]));
  const newest = await db
    .select({ version: max(incidents.version) })
    .from(incidents)
    .where(eq(incidents.environment, environment));
  const version = newest[0]?.version ?? 0;
  const due = await db
    .select({ watchId: watchAlerts.watchId })
    .from(watchAlerts)
    .where(and(eq(watchAlerts.environment, environment), isDue(now)));
  const isOfDue = new Set(due.map(({ watchId }) => watchId));
  const isUpToDate = (watch: Watch, cursor: AlertCursorRow) =>
    cursor.version >= version && isReadable(cursor) && !isEdited(watch, cursor);
  return watches.filter((watch) => {
    const cursor = cursorOf.get(watch.id);
    return cursor === undefined || isOfDue.has(watch.id) || !isUpToDate(watch, cursor);
  });
}
