import type { Mute, MuteAfter } from '../../domain/incidents/episode.ts';
import type { ActionTarget } from '../../domain/incidents/incident-actions.ts';
import { type MuteLength, muteUntil } from '../../domain/watches/mute-lengths.ts';
import { type ZoneParts, zoneOfPerson } from '../ports/workspace.ts';
import type { ActedOnStore, ActParts } from './act-on-incident.ts';

export interface MutingStore extends ActedOnStore {
  mute(
    watchId: string,
    groupKey: string | null,
    mute: { readonly by: string; readonly until: Date },
    now: Date,
  ): Promise<MuteAfter | null>;
  unmute(watchId: string, groupKey: string | null, by: string, now: Date): Promise<boolean>;
}

/** A recovered incident can be muted for the future, but not in a watch that has ended. */
export type Muting = { readonly is: 'muted'; readonly mute: Mute } | { readonly is: 'forgotten' | 'watch-ended' };

/** Mutes an incident in its message's watch. "Until morning" follows the time zone of who mutes, or the watch's if Slack gives none. */
export async function muteInWatch(
  target: ActionTarget,
  length: MuteLength,
  by: string,
  { store, workspace, logger, now, wakeDelivery }: ActParts<MutingStore> & ZoneParts,
): Promise<Muting> {
  const on = await store.actedOn(target, now());
  if (on === null) return { is: 'forgotten' };
  if (on.watch === null) return { is: 'watch-ended' };
  const timeZone = await zoneOfPerson(by, { workspace, logger });
  const until = muteUntil(length, timeZone ?? on.watch.settings.timeZone, now());
  const group = on.episode.tally.group.key;
  const mute = await store.mute(on.watch.id, group, { by, until }, now());
  if (mute === null) return { is: 'watch-ended' };
  logger.info({ by, ...target, group, watchId: on.watch.id, until }, 'incident muted');
  await wakeDelivery();
  return { is: 'muted', mute };
}

export type Unmuting = { readonly is: 'unmuted' | 'was-not-muted' | 'forgotten' | 'watch-ended' };

export async function unmuteInWatch(
  target: ActionTarget,
  by: string,
  { store, logger, now, wakeDelivery }: ActParts<MutingStore>,
): Promise<Unmuting> {
  const on = await store.actedOn(target, now());
  if (on === null) return { is: 'forgotten' };
  if (on.watch === null) return { is: 'watch-ended' };
  const group = on.episode.tally.group.key;
  if (!(await store.unmute(on.watch.id, group, by, now()))) return { is: 'was-not-muted' };
  logger.info({ by, ...target, group, watchId: on.watch.id }, 'incident unmuted');
  await wakeDelivery();
  return { is: 'unmuted' };
}
