import type { Watch, WatchSettings } from '../../domain/watches/watch.ts';

export interface WatchChange {
  readonly settings: WatchSettings;
  /** The `settingsKey` of what the watch was when somebody began to change it. */
  readonly was: string;
  readonly by: string;
}

export type WatchChanged =
  | { readonly outcome: 'changed'; readonly watch: Watch }
  /** Somebody else changed it since; the watch is as they left it. */
  | { readonly outcome: 'meanwhile'; readonly watch: Watch; readonly by: string | null }
  | { readonly outcome: 'ended' };

export interface ChangeWatchStore {
  changeWatch(watchId: string, change: WatchChange, now: Date): Promise<WatchChanged>;
  setTimeZone(channel: string, timeZone: string): Promise<void>;
}

/** Changes a watch; the zone that it got is the usual one of its channel from then on. */
export async function changeWatch(
  watchId: string,
  change: WatchChange,
  { store, now }: { readonly store: ChangeWatchStore; readonly now: () => Date },
): Promise<WatchChanged> {
  const changed = await store.changeWatch(watchId, change, now());
  if (changed.outcome === 'changed') await store.setTimeZone(changed.watch.channel, change.settings.timeZone);
  return changed;
}
