import type { ActCtx } from '../incidents/verbs.ts';
import { silent } from '../lib/logger.testing.ts';
import type { Db } from '../store/db.ts';
import { isSameWatch } from './parse-settings.ts';
import { setMute } from './set-mutes.ts';
import type { Watch, WatchSettings } from './settings.ts';
import { configureWatch, type EditCtx, makeWatch, watchesIn } from './watches.ts';

export function watchCtx(db: Db, now: Date): ActCtx & EditCtx {
  return { db, logger: silent, now: () => now, wakeAnnouncing: async () => {}, noteUnseenEdit: async () => {} };
}

type NewWatch = { channel: string; createdBy: string; settings: WatchSettings };

/** Returns the channel's identical watch if there is one. */
export async function madeWatch(db: Db, { channel, createdBy: actor, settings }: NewWatch, now: Date): Promise<Watch> {
  const same = (await watchesIn(db, channel)).find((watch) => isSameWatch(watch.settings, settings));
  return same ?? makeWatch(watchCtx(db, now), { channel, actor, settings });
}

export async function configuredWatch(db: Db, channel: string, now: Date): Promise<Watch> {
  await configureWatch(watchCtx(db, now), channel);
  const watch = (await watchesIn(db, channel)).find(({ createdBy }) => createdBy === null);
  if (watch === undefined) throw new Error(`there is no configured watch in ${channel}`);
  return watch;
}

/** Mutes a watch or an incident in it from now on; null: unmutes it. */
export async function muteUntil(
  ctx: Parameters<typeof setMute>[0],
  watchId: string,
  incidentId: number | null,
  { actor, until }: { actor: string; until: Date | null },
): Promise<Watch | null> {
  const time = until && { from: ctx.now(), to: until };
  return setMute(ctx, watchId, { incidentId, provider: null, workflow: null }, { actor, time });
}
