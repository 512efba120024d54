import { InputError } from '../../domain/errors.ts';
import { isIncidentNumber } from '../../domain/incidents/incident-names.ts';
import { refuseOthers } from '../../domain/input/filters.ts';
import { type MuteLength, muteUntil } from '../../domain/watches/mute-lengths.ts';
import { type MuteEnd, readMuteWords } from '../../domain/watches/mute-words.ts';
import { numbered } from '../../domain/watches/numbered-watches.ts';
import type { Watch } from '../../domain/watches/watch.ts';
import { zoneOfPerson } from '../../use-cases/ports/workspace.ts';
import { type MuteWatchesParts, muteWatches, unmuteWatches } from '../../use-cases/watches/mute-watches.ts';
import { readWatchId } from '../blocks/buttons/watch-buttons.ts';
import type { Command } from '../interactions/command.ts';
import type { CommandGesture, Gesture } from '../interactions/interaction.ts';
import { actionDoor, type Door, doorsFor, OldButtonError } from '../interactions/route.ts';
import { channelOf } from './channel-of.ts';
import { endedBefore } from './message.ts';
import { MUTE, mutedMessage, UNMUTE, unmutedMessage, wasNotMuted } from './mute-message.ts';
import { MUTE_FORM, muteView, readMuteForm } from './mute-modal.ts';
import { type TellingParts, tell } from './post-notice.ts';

export interface MuteParts extends MuteWatchesParts, TellingParts {
  readonly store: MuteWatchesParts['store'] & { watch(watchId: string): Promise<Watch | null> };
}

/** Mutes the incident of an environment that words name in the watches of a channel, and answers. */
export type MuteNamed = (
  named: { readonly words: readonly string[]; readonly end: MuteEnd; readonly environment: string },
  channel: string,
  gesture: CommandGesture,
) => Promise<void>;

/** `/notif mute [2h | until:14:00] [number]`, or `/notif mute <incident> [2h | until:14:00]` */
export function muteCommand(parts: MuteParts, muteNamed: MuteNamed): Command {
  return {
    word: 'mute',
    usage: '[incident | number] [2h | until:14:00]',
    about: "mute this channel's watches, one of them, or an incident in them; you get what you missed at the end",
    examples: ['2h', 'until:14:00 2', '#17 4h'],
    for: 'members',
    answer: async ({ words, filters, environment }, gesture) => {
      refuseOthers(filters, ['until'], '/notif mute');
      const named = words.filter(namesIncident);
      if (named.length > 0) {
        const others = words.filter((word) => !namesIncident(word));
        const { number, end } = readMuteWords(others, filters);
        if (number !== null) throw new InputError('mute', EITHER, '/notif mute #17 2h');
        return await muteNamed({ words: named, end, environment: environment.name }, channelOf(gesture), gesture);
      }
      const { number, end } = readMuteWords(words, filters);
      const channel = channelOf(gesture);
      const muted = await muteWatches({ channel, number, by: gesture.userId }, end, parts);
      for (const { watch, mute } of muted) logMute(watch, mute.until, gesture, parts);
      await tell(channel, mutedMessage(muted, gesture.userId), gesture, parts);
    },
  };
}

const EITHER = '/notif mute takes an incident or the number of a watch, not both.';

/** Neither a time nor the number of a watch. */
function namesIncident(word: string): boolean {
  return isIncidentNumber(word) || !/^\d/.test(word);
}

/** `/notif unmute [number]` */
export function unmuteCommand(parts: MuteParts): Command {
  return {
    word: 'unmute',
    usage: '[number]',
    about: "unmute this channel's watches",
    examples: [''],
    for: 'members',
    answer: async ({ words, filters }, gesture) => {
      refuseOthers(filters, [], '/notif unmute');
      const [word] = words;
      if (word !== undefined && !/^\d{1,3}$/.test(word)) {
        throw new InputError('number', '/notif unmute takes the number of a watch.', '/notif unmute 2');
      }
      await unmute(word === undefined ? null : Number(word), gesture, parts);
    },
  };
}

/** [Mute…] with its form, and [Unmute]. */
export function muteDoors(parts: MuteParts): Door[] {
  return doorsFor('members', [
    actionDoor(MUTE, readWatchId, async (watchId, gesture) => {
      await gesture.openModal(muteView(watchId));
    }),
    actionDoor(UNMUTE, readWatchId, (watchId, gesture) => unmuteOne(watchId, gesture, parts)),
    {
      surface: 'view',
      callbackId: MUTE_FORM,
      draft: null,
      take: (view) => {
        const length = readMuteForm(view);
        if (length === null) throw new OldButtonError();
        const watchId = view.privateMetadata;
        return { is: 'taken', next: null, answer: (gesture) => muteOne(watchId, length, gesture, parts) };
      },
    },
  ]);
}

async function muteOne(watchId: string, length: MuteLength, gesture: Gesture, parts: MuteParts): Promise<void> {
  const { store, now } = parts;
  const watch = await store.watch(watchId);
  const timeZone = await zoneOfPerson(gesture.userId, parts);
  const until = watch && muteUntil(length, timeZone ?? watch.settings.timeZone, now());
  const mute = until && (await store.mute(watchId, null, { by: gesture.userId, until }, now()));
  if (!watch || !mute) return gesture.reply.show(endedBefore());
  logMute(watch, mute.until, gesture, parts);
  const one = await numberedOf(watch, parts);
  await tell(watch.channel, mutedMessage([{ ...one, mute }], gesture.userId), gesture, parts);
}

async function unmute(number: number | null, gesture: Gesture, parts: MuteParts): Promise<void> {
  const channel = channelOf(gesture);
  const unmuted = await unmuteWatches({ channel, number, by: gesture.userId }, parts);
  if (unmuted.length === 0) return gesture.reply.show(wasNotMuted());
  for (const { watch } of unmuted) logMute(watch, null, gesture, parts);
  await tell(channel, unmutedMessage(unmuted, gesture.userId), gesture, parts);
}

async function unmuteOne(watchId: string, gesture: Gesture, parts: MuteParts): Promise<void> {
  const { store, now } = parts;
  const watch = await store.watch(watchId);
  if (watch === null) return gesture.reply.show(endedBefore());
  if (!(await store.unmute(watchId, null, gesture.userId, now()))) return gesture.reply.show(wasNotMuted());
  logMute(watch, null, gesture, parts);
  await tell(watch.channel, unmutedMessage([await numberedOf(watch, parts)], gesture.userId), gesture, parts);
}

async function numberedOf(watch: Watch, { store }: MuteParts) {
  const all = numbered(await store.watches(watch.channel));
  return all.find((one) => one.watch.id === watch.id) ?? { number: 1, watch };
}

function logMute({ id, channel }: Watch, until: Date | null, { userId: by }: Gesture, { logger }: MuteParts): void {
  logger.info({ watchId: id, channel, by, until }, until === null ? 'watch unmuted' : 'watch muted');
}
