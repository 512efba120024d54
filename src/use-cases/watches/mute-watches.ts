import type { MuteAfter } from '../../domain/incidents/episode.ts';
import { endOfMute, type MuteEnd } from '../../domain/watches/mute-words.ts';
import { type NumberedWatch, watchesMeant } from '../../domain/watches/numbered-watches.ts';
import type { Watch } from '../../domain/watches/watch.ts';
import { type ZoneParts, zoneOfPerson } from '../ports/workspace.ts';

export interface MuteWatchesStore {
  watches(channel: string): Promise<Watch[]>;
  mute(
    watchId: string,
    groupKey: null,
    mute: { readonly by: string; readonly until: Date },
    now: Date,
  ): Promise<MuteAfter | null>;
  unmute(watchId: string, groupKey: null, by: string, now: Date): Promise<boolean>;
}

export interface MuteWatchesParts extends ZoneParts {
  readonly store: MuteWatchesStore;
  readonly now: () => Date;
}

/** Which watches of a channel, by number or all, and who acts on them. */
export interface MeantWatches {
  readonly channel: string;
  readonly number: number | null;
  readonly by: string;
}

export interface MutedWatch extends NumberedWatch {
  readonly mute: MuteAfter;
}

/**
 * Mutes whole watches until an end in the time zone of the person who asks, or of each watch if Slack gives none. Throws an `InputError` if
 * there is no watch.
 */
export async function muteWatches(meant: MeantWatches, end: MuteEnd, parts: MuteWatchesParts): Promise<MutedWatch[]> {
  const { store, now } = parts;
  const timeZone = await zoneOfPerson(meant.by, parts);
  const muted: MutedWatch[] = [];
  for (const one of watchesMeant(meant.number, await store.watches(meant.channel))) {
    const until = endOfMute(end, timeZone ?? one.watch.settings.timeZone, now());
    const mute = await store.mute(one.watch.id, null, { by: meant.by, until }, now());
    if (mute !== null) muted.push({ ...one, mute });
  }
  return muted;
}

/** Ends the mutes of whole watches and returns those that were muted. Throws an `InputError` if there is no watch. */
export async function unmuteWatches(
  meant: MeantWatches,
  { store, now }: Pick<MuteWatchesParts, 'store' | 'now'>,
): Promise<NumberedWatch[]> {
  const unmuted: NumberedWatch[] = [];
  for (const one of watchesMeant(meant.number, await store.watches(meant.channel))) {
    if (await store.unmute(one.watch.id, null, meant.by, now())) unmuted.push(one);
  }
  return unmuted;
}
