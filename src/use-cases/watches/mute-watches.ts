import type { MuteAfter } from '../../domain/watches/mute.ts';
import { endOfMute, type MuteEnd } from '../../domain/watches/mute-words.ts';
import { watchesMeant } from '../../domain/watches/numbered-watches.ts';
import type { Watch } from '../../domain/watches/watch.ts';
import { type ZoneParts, zoneOfPerson } from '../ports/workspace.ts';

export interface MuteWatchesStore {
  watches(channel: string): Promise<Watch[]>;
  mute(
    watchId: string,
    incidentId: null,
    mute: { readonly by: string; readonly until: Date },
    now: Date,
  ): Promise<MuteAfter | null>;
  unmute(watchId: string, incidentId: null, by: string, now: Date): Promise<boolean>;
}

export interface MuteWatchesParts extends ZoneParts {
  readonly store: MuteWatchesStore;
  readonly now: () => Date;
}

export interface MeantWatches {
  readonly channel: string;
  readonly number: number | null;
  readonly by: string;
}

export interface MutedWatch {
  readonly watch: Watch;
  readonly mute: MuteAfter;
}

/** Mutes whole watches until an end in the person's time zone, or each watch's if Slack gives none. Throws an `InputError` for none. */
export async function muteWatches(meant: MeantWatches, end: MuteEnd, parts: MuteWatchesParts): Promise<MutedWatch[]> {
  const { store } = parts;
  const now = parts.now();
  const timeZone = await zoneOfPerson(meant.by, parts);
  const muted: MutedWatch[] = [];
  for (const watch of watchesMeant(meant.number, await store.watches(meant.channel))) {
    const until = endOfMute(end, timeZone ?? watch.settings.timeZone, now);
    const mute = await store.mute(watch.id, null, { by: meant.by, until }, now);
    if (mute !== null) muted.push({ watch, mute });
  }
  return muted;
}

export async function unmuteWatches(
  meant: MeantWatches,
  { store, now }: Pick<MuteWatchesParts, 'store' | 'now'>,
): Promise<Watch[]> {
  const unmuted: Watch[] = [];
  for (const watch of watchesMeant(meant.number, await store.watches(meant.channel))) {
    if (await store.unmute(watch.id, null, meant.by, now())) unmuted.push(watch);
  }
  return unmuted;
}
