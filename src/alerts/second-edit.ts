import { environments } from '../coverage/tables.ts';
import type { Db } from '../store/db.ts';
import { isAbout } from '../watches/covers.ts';
import type { Watch } from '../watches/settings.ts';
import { viewBy } from './candidates.ts';
import { cursorOf, putCursor } from './cursors.ts';
import { noteWatchEdit } from './watch-edit.ts';

/**
 * Before another edit of the watch: an edit that no pass has seen yet is noted, as a pass would. So there is never more than one to be noted, and what
 * only the settings in between covered isn't lost, nor what only those covered with which no pass ever ran.
 */
export async function noteUnseenEdit(tx: Db, watch: Watch, now: Date): Promise<void> {
  const known = await tx.select({ environment: environments.environment }).from(environments);
  for (const { environment } of known) {
    if (!isAbout(watch.settings.filter, environment)) continue;
    const cursor = await cursorOf(tx, watch.id, environment);
    if (cursor !== null) await noteWatchEdit(tx, await viewBy(tx, watch, environment, now), cursor);
    await putCursor(tx, watch, environment, cursor?.version ?? 0);
  }
}
