import { eq } from 'drizzle-orm';
import type { Db } from '../store/db.ts';
import { isAbout } from '../watches/covers.ts';
import type { Watch } from '../watches/settings.ts';
import { viewBy } from './candidates.ts';
import { putCursor } from './cursors.ts';
import { alertCursors } from './tables.ts';
import { noteWatchEdit } from './watch-edit.ts';

/**
 * Before another edit of the watch: an edit that no pass has seen yet is noted, as a pass would. So there is never more than one to be noted, and what
 * only the settings in between covered isn't lost.
 */
export async function noteUnseenEdit(tx: Db, watch: Watch, now: Date): Promise<void> {
  const cursors = await tx.select().from(alertCursors).where(eq(alertCursors.watchId, watch.id));
  for (const cursor of cursors) {
    const { environment, version } = cursor;
    if (!isAbout(watch.settings.filter, environment)) continue;
    await noteWatchEdit(tx, await viewBy(tx, watch, environment, now), cursor);
    await putCursor(tx, watch, environment, version);
  }
}
