import { z } from 'zod';
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
import type { Command } from '../../router/command.ts';
import type { CommandInteraction, Interaction } from '../../router/interaction.ts';
import { postInChannel } from '../../router/post-notice.ts';
import { actionRoute, OldButtonError, type Route, routesFor } from '../../router/route.ts';
import { channelOf, ENDED_BEFORE, MUTE, UNMUTE } from './list.ts';

/** An incident's mutes belong to the incidents. */
export interface MuteCtx extends SlackCtx {
  readonly muteNamed: (words: readonly string[], end: MuteEnd, interaction: CommandInteraction) => Promise<void>;
  readonly unmuteNamed: (words: readonly string[], interaction: CommandInteraction) => Promise<void>;
}

export function muteCommand(ctx: MuteCtx): Command {
  return {
    word: 'mute',
    usage: '[incident | number] [2h | until:14:00]',
    about: "mute this channel's watches, one of them, or an incident in them; you get what you missed at the end",
    examples: ['2h', 'until:14:00 2', '#17 4h'],
    for: 'members',
    filters: ['until'],
    answer: async ({ words, filters }, interaction) => {
      const { incidents, number, end } = parseMuteWords(words, filters);
      const channel = channelOf(interaction);
      if (incidents.length > 0) return ctx.muteNamed(incidents, end, interaction);
      await mute(ctx, numberedWatches(number, await watches(ctx.db, channel)), end, interaction);
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
    filters: [],
    answer: async ({ words }, interaction) => {
      const channel = channelOf(interaction);
      if (words.some((word) => !/^\d+$/.test(word))) return ctx.unmuteNamed(words, interaction);
      const number = watchNumberIn(words, '/notif unmute');
      await unmute(ctx, numberedWatches(number, await watches(ctx.db, channel)), interaction);
    },
  };
}

const MUTE_FORM = 'watch.mute-form';
const LENGTH = 'watch.mute-length';
const Metadata = z.object({ watchId: z.string(), answerUrl: z.string().nullable() });

export function muteRoutes(ctx: SlackCtx): Route[] {
  const withId = async (watchId: string) => [await watchWithId(ctx.db, watchId)].filter((watch) => watch !== null);
  return routesFor('members', [
    actionRoute(MUTE, parseOnly, async (watchId, { answerUrl, openModal }) => {
      await openModal(
        formView({
          callbackId: MUTE_FORM,
          title: 'Mute this watch',
          submit: 'Mute',
          privateMetadata: JSON.stringify({ watchId, answerUrl } satisfies z.output<typeof Metadata>),
          blocks: [muteLengthInput(LENGTH, 'Until 09:00, your time')],
        }),
      );
    }),
    actionRoute(UNMUTE, parseOnly, async (watchId, interaction) => unmute(ctx, await withId(watchId), interaction)),
    {
      surface: 'view',
      callbackId: MUTE_FORM,
      take: ({ valueIn, privateMetadata }) => {
        const { watchId, answerUrl } = Metadata.parse(JSON.parse(privateMetadata));
        const end = parseMuteLength(valueIn(LENGTH));
        if (end === null) throw new OldButtonError();
        const answer = async (interaction: Interaction) => mute(ctx, await withId(watchId), end, interaction);
        return { is: 'taken', next: null, answerUrl, answer };
      },
    },
  ]);
}

/** Those that have ended are missing. If all are repeats, informs only the person. */
async function mute(ctx: SlackCtx, chosen: readonly Watch[], end: MuteEnd, interaction: Interaction): Promise<void> {
  const { userId: by, reply } = interaction;
  const muted = await muteIn(ctx, { watches: chosen, incidentId: null }, end, by);
  const [first] = muted;
  if (first === undefined) return reply.show(ENDED_BEFORE);
  const changed = muted.filter((done) => !done.mute.isRepeat);
  if (changed.length === 0) return reply.show(sentence(mrkdwn`🔕 You already muted ${mutedWatches(muted)}.`));
  await postInChannel(ctx, first.watch.channel, mutedMessage(changed, by), interaction);
}

async function unmute(ctx: SlackCtx, chosen: readonly Watch[], interaction: Interaction): Promise<void> {
  const { userId: by, reply } = interaction;
  if (chosen.length === 0) return reply.show(ENDED_BEFORE);
  const unmuted = await unmuteIn(ctx, { watches: chosen, incidentId: null }, by);
  const [first] = unmuted;
  if (first === undefined) return reply.show(wasNotMuted(chosen));
  await postInChannel(ctx, first.channel, unmutedMessage(unmuted, by), interaction);
}

export function mutedMessage(muted: readonly MutedWatch[], by: string): MessageContent {
  const what = mrkdwn`${person(by)} muted ${mutedWatches(muted)}. You'll get what you missed then.`;
  const [first, ...others] = muted;
  const isOne = first !== undefined && others.length === 0;
  const unmuting = isOne ? [button('Unmute', UNMUTE, writeValue([first.watch.id]))] : [];
  return message(what, [section(mrkdwn`🔕 ${what}`), ...actions(unmuting)]);
}

export function unmutedMessage(unmuted: readonly Watch[], by: string): MessageContent {
  const what = mrkdwn`${person(by)} unmuted ${watchNumbers(unmuted)}. Missed alerts arrive with the next poll.`;
  return message(what, [section(mrkdwn`🔔 ${what}`)]);
}

export function wasNotMuted([watch, ...others]: readonly Watch[]): MessageContent {
  const isOne = watch !== undefined && others.length === 0;
  const what = isOne ? mrkdwn`Watch ${watch.number} isn't muted.` : mrkdwn`No watch of this channel is muted.`;
  return sentence(mrkdwn`${what} Incidents are unmuted in their rows, watches here: ${code('/notif watches')}.`);
}
