import { InputError } from '../../domain/errors.ts';
import type { ActionTarget } from '../../domain/incidents/incident-actions.ts';
import { endOfMute, type MuteEnd } from '../../domain/watches/mute-words.ts';
import { isAbout, type Watch } from '../../domain/watches/watch.ts';
import { type ZoneParts, zoneOfPerson } from '../ports/workspace.ts';
import type { MutedWatch } from '../watches/mute-watches.ts';
import type { ActParts } from './act-on-incident.ts';
import type { MutingStore } from './mute-in-watch.ts';

export interface MutingInChannelStore extends MutingStore {
  watches(channel: string): Promise<Watch[]>;
}

/** Mutes an incident in those watches of a channel that cover its environment, until an end in the person's time zone (`muteWatches`). */
export async function muteInChannel(
  episodeId: ActionTarget['episodeId'],
  channel: string,
  { end, by }: { readonly end: MuteEnd; readonly by: string },
  parts: ActParts<MutingInChannelStore> & ZoneParts,
): Promise<MutedWatch[]> {
  const { store, logger, wakeDelivery } = parts;
  const now = parts.now();
  const on = await store.actedOn({ messageId: null, episodeId }, now);
  if (on === null) return [];
  const { group } = on.newest.tally;
  const timeZone = await zoneOfPerson(by, parts);
  const muted: MutedWatch[] = [];
  for (const watch of await watchesAbout(group.environment, channel, store)) {
    const until = endOfMute(end, timeZone ?? watch.settings.timeZone, now);
    const mute = await store.mute(watch.id, group.key, { by, until }, now);
    if (mute === null) continue;
    muted.push({ watch, mute });
    logger.info({ by, episodeId, group: group.key, watchId: watch.id, until }, 'incident muted');
  }
  await wakeDelivery();
  return muted;
}

export async function unmuteInChannel(
  episodeId: ActionTarget['episodeId'],
  channel: string,
  by: string,
  { store, logger, now, wakeDelivery }: ActParts<MutingInChannelStore>,
): Promise<Watch[]> {
  const on = await store.actedOn({ messageId: null, episodeId }, now());
  if (on === null) return [];
  const group = on.newest.tally.group.key;
  const unmuted: Watch[] = [];
  for (const watch of await store.watches(channel)) {
    if (!(await store.unmute(watch.id, group, by, now()))) continue;
    unmuted.push(watch);
    logger.info({ by, episodeId, group, watchId: watch.id }, 'incident unmuted');
  }
  await wakeDelivery();
  return unmuted;
}

async function watchesAbout(
  environment: string,
  channel: string,
  store: MutingInChannelStore,
): Promise<readonly Watch[]> {
  const all = await store.watches(channel);
  const about = all.filter(({ settings }) => isAbout(settings.filter, environment));
  if (about.length > 0) return about;
  const message = `No watch of this channel is about ${environment}, so there is nothing to mute here.`;
  throw new InputError('incident', message, '/notif watch');
}
