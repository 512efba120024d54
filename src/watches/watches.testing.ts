import { untoldBy } from '../digests/pending.ts';
import { silent } from '../lib/logger.testing.ts';
import type { ActCtx } from '../outbox/messages.ts';
import type { Db } from '../store/db.ts';
import { isSameWatch } from './parse-settings.ts';
import type { Watch, WatchSettings } from './settings.ts';
import { type ChangeWatchCtx, configureWatch, makeWatch, watches } from './watches.ts';

export function watchCtx(db: Db, now: Date): ActCtx & ChangeWatchCtx {
  return { untoldBy, db, logger: silent, now: () => now, wakeDelivery: async () => {} };
}

interface NewWatch {
  channel: string;
  createdBy: string;
  settings: WatchSettings;
}

/** Returns the channel's identical watch if there is one. */
export async function madeWatch(db: Db, { channel, createdBy: by, settings }: NewWatch, now: Date): Promise<Watch> {
  const same = (await watches(db, channel)).find((watch) => isSameWatch(watch.settings, settings));
  return same ?? makeWatch(watchCtx(db, now), { channel, by, settings });
}

/** The watch of the configured channel. */
export async function configuredWatch(db: Db, channel: string, now: Date): Promise<Watch> {
  await configureWatch(watchCtx(db, now), channel);
  return watchIn(db, channel, ({ createdBy }) => createdBy === null);
}

async function watchIn(db: Db, channel: string, isIt: (watch: Watch) => boolean): Promise<Watch> {
  const found = (await watches(db, channel)).find(isIt);
  if (found === undefined) throw new Error(`there is no such watch in ${channel}`);
  return found;
}
