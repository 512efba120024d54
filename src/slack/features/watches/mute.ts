import type { ModalView } from '@slack/types';
import { z } from 'zod';
import { type FilterKey, onlyValue, refuseOthers } from '../../../lib/input/filters.ts';
import { isIncidentNumber } from '../../../lib/input/typed-values.ts';
import {
  type MutedWatch,
  type MuteEnd,
  muteIn,
  parseMuteLength,
  parseMuteWords,
  unmuteIn,
} from '../../../watches/mutes.ts';
import type { Watch } from '../../../watches/settings.ts';
import { numberedWatches, watches, watchNumberIn, watchWithId } from '../../../watches/watches.ts';
import type { SlackCtx } from '../../ctx.ts';
import { actions, button, type MessageContent, message, section, sentence } from '../../kit/blocks.ts';
import { parseOnly, writeValue } from '../../kit/button-value.ts';
import { muteLengthInput } from '../../kit/inputs.ts';
import { code, mrkdwn, person } from '../../kit/text.ts';
import { formView } from '../../kit/view.ts';
import { mutedWatches, watchNumbers } from '../../kit/words/muted-watches.ts';
import { type Command, type NamedPlace, namedPlace } from '../../router/command.ts';
import type { CommandInteraction, Interaction } from '../../router/interaction.ts';
import { postInChannel } from '../../router/post-notice.ts';
import { actionRoute, OldButtonError, type Route, routesFor } from '../../router/route.ts';
import { channelOf, ENDED_BEFORE, MUTE, UNMUTE } from './list.ts';

/** `env:` only with an incident's number. */
const MUTE_FILTERS: readonly FilterKey[] = ['until', 'env'];
const UNMUTE_FILTERS: readonly FilterKey[] = ['env'];

interface NamedIncident extends NamedPlace {
  readonly words: readonly string[];
}

/** An incident's mutes belong to the incidents. */
export interface MuteCtx extends SlackCtx {
  readonly muteNamed: (
    named: NamedIncident & { readonly end: MuteEnd },
    channel: string,
    interaction: CommandInteraction,
  ) => Promise<void>;
  readonly unmuteNamed: (named: NamedIncident, channel: string, interaction: CommandInteraction) => Promise<void>;
}

export function muteCommand(ctx: MuteCtx): Command {
  return {
    word: 'mute',
    usage: '[incident | number] [2h | until:14:00]',
    about: "mute this channel's watches, one of them, or an incident in them; you get what you missed at the end",
    examples: ['2h', 'until:14:00 2', '#17 4h'],
    for: 'members',
    filters: MUTE_FILTERS,
    follows: 'incident',
    environments: 'several',
    answer: async ({ words, filters, environment: usual }, interaction) => {
      refuseOthers(filters, words.some(isIncidentNumber) ? MUTE_FILTERS : ['until'], '/notif mute');
      const { incidents, number, end } = parseMuteWords(words, filters);
      if (incidents.length === 0) return await mute(ctx, await chosenHere(ctx, number, interaction), end, interaction);
      const place = namedPlace(ctx, onlyValue('env', filters), usual);
      await ctx.muteNamed({ words: incidents, end, ...place }, channelOf(interaction), interaction);
    },
  };
}

export function unmuteCommand(ctx: MuteCtx): Command {
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
      if (namesWatch) {
        const number = watchNumberIn(words, '/notif unmute');
        return await unmute(ctx, await chosenHere(ctx, number, interaction), interaction);
      }
      const place = namedPlace(ctx, onlyValue('env', filters), usual);
      await ctx.unmuteNamed({ words, ...place }, channelOf(interaction), interaction);
    },
  };
}

export function muteRoutes(ctx: SlackCtx): Route[] {
  return routesFor('members', [
    actionRoute(MUTE, parseOnly, async (watchId, interaction) => {
      await interaction.openModal(muteView({ watchId, answerUrl: interaction.answerUrl }));
    }),
    actionRoute(UNMUTE, parseOnly, async (watchId, interaction) => {
      await unmute(ctx, await chosenWith(ctx, watchId), interaction);
    }),
    {
      surface: 'view',
      callbackId: MUTE_FORM,
      take: ({ valueIn, privateMetadata }) => {
        const { watchId, answerUrl } = Metadata.parse(JSON.parse(privateMetadata));
        const end = parseMuteLength(valueIn(LENGTH));
        if (end === null) throw new OldButtonError();
        const answer = async (interaction: Interaction) => mute(ctx, await chosenWith(ctx, watchId), end, interaction);
        return { is: 'taken', next: null, answerUrl, answer };
      },
    },
  ]);
}

const MUTE_FORM = 'watch.mute-form';
const LENGTH = 'watch.mute-length';
const Metadata = z.object({ watchId: z.string(), answerUrl: z.string().nullable() });

function muteView(metadata: z.output<typeof Metadata>): ModalView {
  return formView({
    callbackId: MUTE_FORM,
    title: 'Mute this watch',
    submit: 'Mute',
    privateMetadata: JSON.stringify(metadata),
    blocks: [muteLengthInput(LENGTH, 'Until 09:00, your time')],
  });
}

interface Chosen {
  readonly channel: string;
  readonly watches: readonly Watch[];
  /** Null for all of the channel. */
  readonly number: number | null;
}

/** Throws an `InputError` if there is none. */
async function chosenHere({ db }: SlackCtx, number: number | null, interaction: Interaction): Promise<Chosen> {
  const channel = channelOf(interaction);
  return { channel, number, watches: numberedWatches(number, await watches(db, channel)) };
}

/** Null: it has ended. */
async function chosenWith({ db }: SlackCtx, watchId: string): Promise<Chosen | null> {
  const watch = await watchWithId(db, watchId);
  return watch && { ...watch, watches: [watch] };
}

/** If all are repeats, informs only the person. */
async function mute(ctx: SlackCtx, chosen: Chosen | null, end: MuteEnd, interaction: Interaction): Promise<void> {
  const { userId: by, reply } = interaction;
  const muted = await muteIn(ctx, { watches: chosen?.watches ?? [], incidentId: null }, end, by);
  if (chosen === null || muted.length === 0) return reply.show(ENDED_BEFORE);
  const changed = muted.filter(({ mute }) => !mute.isRepeat);
  if (changed.length === 0) return reply.show(sentence(mrkdwn`🔕 You already muted ${mutedWatches(muted)}.`));
  await postInChannel(ctx, chosen.channel, mutedMessage(changed, by), interaction);
}

async function unmute(ctx: SlackCtx, chosen: Chosen | null, interaction: Interaction): Promise<void> {
  const { userId: by, reply } = interaction;
  if (chosen === null) return reply.show(ENDED_BEFORE);
  const unmuted = await unmuteIn(ctx, { watches: chosen.watches, incidentId: null }, by);
  if (unmuted.length === 0) return reply.show(wasNotMuted(chosen.number));
  await postInChannel(ctx, chosen.channel, unmutedMessage(unmuted, by), interaction);
}

export function mutedMessage(muted: readonly MutedWatch[], by: string): MessageContent {
  const what = mrkdwn`${person(by)} muted ${mutedWatches(muted)}. You'll get what you missed then.`;
  const [first, ...others] = muted;
  const isOne = first !== undefined && others.length === 0;
  return message(what, [
    section(mrkdwn`🔕 ${what}`),
    ...actions(isOne ? [button('Unmute', UNMUTE, writeValue([first.watch.id]))] : []),
  ]);
}

export function unmutedMessage(unmuted: readonly Watch[], by: string): MessageContent {
  const what = mrkdwn`${person(by)} unmuted ${watchNumbers(unmuted)}. Missed alerts arrive with the next poll.`;
  return message(what, [section(mrkdwn`🔔 ${what}`)]);
}

export function wasNotMuted(number: number | null): MessageContent {
  const what = number === null ? mrkdwn`No watch of this channel is muted.` : mrkdwn`Watch ${number} isn't muted.`;
  return sentence(mrkdwn`${what} Incidents are unmuted in their rows, watches here: ${code('/notif watches')}.`);
}
