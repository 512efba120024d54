import type { Watch, WatchSettings } from '../../domain/watches/watch.ts';

export interface WatchChange {
  readonly settings: WatchSettings;
  /** The watch's `settingsKey` when the person began to change it. */
  readonly was: string;
  readonly by: string;
}

export type WatchChanged =
  | { readonly outcome: 'changed'; readonly watch: Watch }
  /** It has these settings already, and nothing was written. */
  | { readonly outcome: 'unchanged' }
  /** Somebody else changed it meanwhile; the watch keeps their settings. */
  | { readonly outcome: 'meanwhile'; readonly watch: Watch; readonly by: string | null }
  /** The channel has another watch with these settings, which would alert twice. */
  | { readonly outcome: 'there-already'; readonly number: number }
  | { readonly outcome: 'ended' };

export interface ChangeWatchStore {
  /** Once, also after a double click. Its time zone becomes the default of its channel. */
  changeWatch(watchId: string, change: WatchChange, now: Date): Promise<WatchChanged>;
}
