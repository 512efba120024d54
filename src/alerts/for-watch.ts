import type { Draft } from '../outbox/kinds.ts';
import type { Db } from '../store/db.ts';
import { isReadable, type Watch } from '../watches/settings.ts';
import { watchWithId } from '../watches/watches.ts';

/** Draws a message of a watch, unless that has ended, or can't be read. */
export async function forWatch<Content>(
  db: Db,
  watchId: string | null,
  draw: (watch: Watch) => Promise<Draft<Content>>,
): Promise<Draft<Content>> {
  const watch = watchId === null ? null : await watchWithId(db, watchId);
  if (watch === null) return { is: 'untrue', why: 'its watch has ended' };
  return isReadable(watch) ? draw(watch) : { is: 'unreadable' };
}
