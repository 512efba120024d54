import type { Environment } from '../../domain/environment.ts';
import type { FilterKey } from '../../domain/input/filters.ts';
import { watchesMeant, watchNumberIn } from '../../domain/watches/numbered-watches.ts';
import type { Watch } from '../../domain/watches/watch.ts';
import { type EndWatchParts, endWatch, watchToEnd } from '../../use-cases/watches/end-watch.ts';
import type { RunningMute } from '../../watches/mutes.ts';
import { parseWatchId } from '../blocks/buttons/watch-buttons.ts';
import type { Command } from '../interactions/command.ts';
import type { Interaction } from '../interactions/interaction.ts';
import { type NoticeParts, postInChannel } from '../interactions/post-notice.ts';
import { actionRoute, type Route, routesFor } from '../interactions/route.ts';
import { channelOf } from './channel-of.ts';
import { type ListedWatch, listMessage } from './list-message.ts';
import { END, ENDED_BEFORE, endedMessage, isConfigured } from './message.ts';

const FILTERS: readonly FilterKey[] = [];

export interface ListParts extends EndWatchParts, NoticeParts {
  readonly environments: readonly Environment[];
  readonly store: EndWatchParts['store'] & {
    watch(watchId: string): Promise<Watch | null>;
    mutesOf(watchId: string, now: Date): Promise<readonly RunningMute[]>;
  };
}

export function watchesCommand(parts: ListParts): Command {
  return {
    word: 'watches',
    usage: '',
    about: "this channel's watches, to change, mute or remove them",
    examples: [''],
    for: 'members',
    filters: FILTERS,
    environments: 'none',
    answer: async ({ words }, interaction) => {
      const from = watchNumberIn(words, '/notif watches') ?? 1;
      const all = (await parts.store.watches(channelOf(interaction))).toSorted((a, b) => a.number - b.number);
      const shown = all.filter(({ number }) => number >= from);
      if (from > 1 && shown.length === 0) watchesMeant(from, all);
      const listed = await Promise.all(shown.map((watch) => listedOf(watch, parts)));
      const { environments } = parts;
      await interaction.reply.show(listMessage(listed, { environments, now: parts.now(), total: all.length }));
    },
  };
}

export function unwatchCommand(parts: ListParts): Command {
  return {
    word: 'unwatch',
    usage: '[number]',
    about: 'remove a watch of this channel',
    examples: ['', '2'],
    for: 'members',
    filters: FILTERS,
    environments: 'none',
    answer: async ({ words }, interaction) => {
      const watch = await watchToEnd(channelOf(interaction), watchNumberIn(words, '/notif unwatch'), parts);
      await end(watch.id, interaction, parts);
    },
  };
}

export function listRoutes(parts: ListParts): Route[] {
  return routesFor('members', [
    actionRoute(END, parseWatchId, (watchId, interaction) => end(watchId, interaction, parts)),
  ]);
}

async function listedOf(watch: Watch, { store, now }: ListParts): Promise<ListedWatch> {
  const mutes = await store.mutesOf(watch.id, now());
  const [mute = null] = mutes.filter(({ incidentId }) => incidentId === null);
  return { watch, mute, mutedIncidents: mutes.filter(({ incidentId }) => incidentId !== null).length };
}

async function end(watchId: string, interaction: Interaction, parts: ListParts): Promise<void> {
  const by = interaction.userId;
  const ending = await endWatch(watchId, by, parts);
  switch (ending.is) {
    case 'ended': {
      const { watch } = ending;
      parts.logger.info({ watchId, channel: watch.channel, by }, 'watch ended');
      await postInChannel(watch.channel, endedMessage(watch, by, parts.environments), interaction, parts);
      return;
    }
    case 'ended-before':
      return interaction.reply.show(ENDED_BEFORE);
    case 'configured':
      return interaction.reply.show(isConfigured());
  }
}
