import type { Environment } from '../../domain/environment.ts';
import { InputError } from '../../domain/errors.ts';
import { isIncidentNumber } from '../../domain/incidents/incident-number.ts';
import { type FilterKey, onlyValue, refuseOthers } from '../../domain/input/filters.ts';
import { type MuteLength, muteUntil } from '../../domain/watches/mute-lengths.ts';
import {
  type IncidentTyped,
  isMeantAsTime,
  joinedTimes,
  type MuteByName,
  parseMuteWords,
} from '../../domain/watches/mute-words.ts';
import { watchNumberIn } from '../../domain/watches/numbered-watches.ts';
import type { Watch } from '../../domain/watches/watch.ts';
import { zoneOfPerson } from '../../use-cases/ports/workspace.ts';
import {
  type MutedWatch,
  type MuteWatchesParts,
  muteWatches,
  unmuteWatches,
} from '../../use-cases/watches/mute-watches.ts';
import { parseWatchId } from '../blocks/buttons/watch-buttons.ts';
import type { Command } from '../interactions/command.ts';
import { namedPlace } from '../interactions/environment-in.ts';
import type { CommandInteraction, Interaction } from '../interactions/interaction.ts';
import { type NoticeParts, postInChannel } from '../interactions/post-notice.ts';
import { actionRoute, OldButtonError, type Route, routesFor } from '../interactions/route.ts';
import { channelOf } from './channel-of.ts';
import { ENDED_BEFORE } from './message.ts';
import { MUTE, mutedAlready, mutedMessage, UNMUTE, unmutedMessage, wasNotMuted } from './mute-message.ts';
import { MUTE_FORM, muteView, parseMuteForm } from './mute-modal.ts';

/** `env:` only with an incident's name. */
const MUTE_FILTERS: readonly FilterKey[] = ['until', 'env'];
const UNMUTE_FILTERS: readonly FilterKey[] = ['env'];

export interface MuteParts extends MuteWatchesParts, NoticeParts {
  readonly environments: readonly Environment[];
  readonly store: MuteWatchesParts['store'] & { watch(watchId: string): Promise<Watch | null> };
}

export type MuteNamed = (named: MuteByName, channel: string, interaction: CommandInteraction) => Promise<void>;

export type UnmuteNamed = (named: IncidentTyped, channel: string, interaction: CommandInteraction) => Promise<void>;

export function muteCommand(parts: MuteParts, muteNamed: MuteNamed): Command {
  return {
    word: 'mute',
    usage: '[incident | number] [2h | until:14:00]',
    about: "mute this channel's watches, one of them, or an incident in them; you get what you missed at the end",
    examples: ['2h', 'until:14:00 2', '#17 4h'],
    for: 'members',
    filters: MUTE_FILTERS,
    follows: 'incident',
    environments: 'several',
    answer: async ({ words: typed, filters, environment: usual }, interaction) => {
      const words = joinedTimes(typed);
      const named = words.filter(namesIncident);
      refuseOthers(filters, named.length > 0 ? MUTE_FILTERS : ['until'], '/notif mute');
      if (named.length > 0) {
        const others = words.filter((word) => !namesIncident(word));
        const { number, end } = parseMuteWords(others, filters);
        if (number !== null) throw new InputError('mute', EITHER, '/notif mute #17 2h');
        const place = namedPlace(onlyValue('env', filters), usual, parts);
        return await muteNamed({ words: named, end, ...place }, channelOf(interaction), interaction);
      }
      const { number, end } = parseMuteWords(words, filters);
      const channel = channelOf(interaction);
      const muted = await muteWatches({ channel, number, by: interaction.userId }, end, parts);
      await announceMutes(muted, channel, interaction, parts);
    },
  };
}

const EITHER = '/notif mute takes an incident or the number of a watch, not both.';

/** Neither a time nor the number of a watch: a workflow can be called 2fa-code. */
function namesIncident(word: string): boolean {
  return isIncidentNumber(word) || !isMeantAsTime(word);
}

export function unmuteCommand(parts: MuteParts, unmuteNamed: UnmuteNamed): Command {
  return {
    word: 'unmute',
    usage: '[incident | number]',
    about: "unmute this channel's watches, one of them, or an incident in them",
    examples: ['', '#17'],
    for: 'members',
    filters: UNMUTE_FILTERS,
    follows: 'incident',
    environments: 'several',
    answer: async ({ words, filters, environment: usual }, interaction) => {
      const namesWatch = words.every((word) => /^\d+$/.test(word));
      refuseOthers(filters, namesWatch ? [] : UNMUTE_FILTERS, '/notif unmute');
      if (namesWatch) return await unmute(watchNumberIn(words, '/notif unmute'), interaction, parts);
      const place = namedPlace(onlyValue('env', filters), usual, parts);
      await unmuteNamed({ words, ...place }, channelOf(interaction), interaction);
    },
  };
}

export function muteRoutes(parts: MuteParts): Route[] {
  return routesFor('members', [
    actionRoute(MUTE, parseWatchId, async (watchId, interaction) => {
      await interaction.openModal(muteView({ watchId, answerUrl: interaction.answerUrl }));
    }),
    actionRoute(UNMUTE, parseWatchId, (watchId, interaction) => unmuteOne(watchId, interaction, parts)),
    {
      surface: 'view',
      callbackId: MUTE_FORM,
      take: (view) => {
        const form = parseMuteForm(view);
        if (form === null) throw new OldButtonError();
        const { watchId, answerUrl, length } = form;
        const answer = (interaction: Interaction) => muteOne(watchId, length, interaction, parts);
        return { is: 'taken', next: null, answerUrl, answer };
      },
    },
  ]);
}

async function muteOne(watchId: string, length: MuteLength, interaction: Interaction, parts: MuteParts): Promise<void> {
  const { store, now } = parts;
  const watch = await store.watch(watchId);
  const timeZone = await zoneOfPerson(interaction.userId, parts);
  const until = watch && muteUntil(length, timeZone ?? watch.settings.timeZone, now());
  const mute = until && (await store.mute(watchId, null, { by: interaction.userId, until }, now()));
  if (!watch || !mute) return interaction.reply.show(ENDED_BEFORE);
  await announceMutes([{ watch, mute }], watch.channel, interaction, parts);
}

/** If all are repeats, informs only the person. */
async function announceMutes(
  muted: readonly MutedWatch[],
  channel: string,
  interaction: Interaction,
  parts: MuteParts,
): Promise<void> {
  if (muted.length === 0) return interaction.reply.show(ENDED_BEFORE);
  const changed = muted.filter(({ mute }) => !mute.isRepeat);
  if (changed.length === 0) return interaction.reply.show(mutedAlready(muted));
  for (const { watch, mute } of changed) logMute(watch, mute.until, interaction, parts);
  await postInChannel(channel, mutedMessage(changed, interaction.userId), interaction, parts);
}

async function unmute(number: number | null, interaction: Interaction, parts: MuteParts): Promise<void> {
  const channel = channelOf(interaction);
  const unmuted = await unmuteWatches({ channel, number, by: interaction.userId }, parts);
  if (unmuted.length === 0) return interaction.reply.show(wasNotMuted(number));
  for (const watch of unmuted) logMute(watch, null, interaction, parts);
  await postInChannel(channel, unmutedMessage(unmuted, interaction.userId), interaction, parts);
}

async function unmuteOne(watchId: string, interaction: Interaction, parts: MuteParts): Promise<void> {
  const { store, now } = parts;
  const watch = await store.watch(watchId);
  if (watch === null) return interaction.reply.show(ENDED_BEFORE);
  const isUnmuted = await store.unmute(watchId, null, interaction.userId, now());
  if (!isUnmuted) return interaction.reply.show(wasNotMuted(watch.number));
  logMute(watch, null, interaction, parts);
  await postInChannel(watch.channel, unmutedMessage([watch], interaction.userId), interaction, parts);
}

function logMute({ id, channel }: Watch, until: Date | null, { userId: by }: Interaction, { logger }: MuteParts): void {
  logger.info({ watchId: id, channel, by, until }, until === null ? 'watch unmuted' : 'watch muted');
}
