import type { Button, ConfirmationDialog, KnownBlock } from '@slack/types';
import type { Environment } from '../../../lib/environment.ts';
import { InputError } from '../../../lib/errors.ts';
import { quietTimeAt } from '../../../lib/time/wall-clock.ts';
import {
  type Muted,
  type MuteEnd,
  muteIn,
  mutesUntil,
  parseMuteWords,
  type RunningMute,
  unmuteIn,
} from '../../../watches/mutes.ts';
import { clockOf } from '../../../watches/parse-settings.ts';
import type { Watch } from '../../../watches/settings.ts';
import { endWatch, numberedWatches, watches, watchNumberIn } from '../../../watches/watches.ts';
import type { SlackCtx } from '../../ctx.ts';
import {
  actions,
  button,
  context,
  divider,
  type MessageContent,
  message,
  section,
  sentence,
} from '../../kit/blocks.ts';
import { parseOnly, runButton, writeValue } from '../../kit/buttons.ts';
import { fitRows } from '../../kit/fit.ts';
import { forEveryone } from '../../kit/for-everyone.ts';
import { code, joined, type Markup, mrkdwn, person, plural } from '../../kit/text.ts';
import { time, timeNear } from '../../kit/times.ts';
import { mutedWords, settingsLines, watchNumbers } from '../../kit/words/watch-words.ts';
import type { Command } from '../../router/command.ts';
import type { CommandInteraction, Interaction } from '../../router/interaction.ts';
import { errorCard } from '../../router/on-error.ts';
import { actionRoute, type Surface } from '../../router/route.ts';
import { postInChannel } from '../../router/share.ts';

export interface MuteCtx extends SlackCtx {
  muteNamed: (words: readonly string[], end: MuteEnd, interaction: CommandInteraction) => Promise<void>;
  unmuteNamed: (words: readonly string[], interaction: CommandInteraction) => Promise<void>;
}

export const EDIT = 'watch.edit';
const END = 'watch.end';
export function listCommands(ctx: MuteCtx): Command[] {
  const { db } = ctx;
  const common = { for: 'members', filters: [] } as const;
  return [
    {
      ...common,
      word: 'watches',
      usage: '',
      about: "this channel's watches, to change, mute or remove them",
      examples: [''],
      answer: async ({ words }, interaction) => {
        const from = watchNumberIn(words, '/notif watches') ?? 1;
        const all = (await watches(db, channelOf(interaction))).toSorted((a, b) => a.number - b.number);
        const now = ctx.now();
        const listed = all
          .filter(({ number }) => number >= from)
          .map(async (watch) => ({ watch, mutes: await mutesUntil(db, watch.id, now) }));
        const message = listMessage(await Promise.all(listed), { ...ctx, now, total: all.length });
        // Others typed the filters.
        await interaction.reply.show(forEveryone(message));
      },
    },
    {
      ...common,
      word: 'unwatch',
      usage: '[number]',
      about: 'remove a watch of this channel',
      examples: ['', '2'],
      answer: async ({ words }, interaction) => {
        const number = watchNumberIn(words, '/notif unwatch');
        const [watch, ...others] = numberedWatches(number, await watches(db, channelOf(interaction)));
        if (others.length === 0) return end(ctx, watch.id, interaction);
        const which = `This channel has ${others.length + 1} watches. Which one? /notif watches lists them.`;
        throw new InputError('number', which, '/notif unwatch 2');
      },
    },
    {
      ...common,
      word: 'mute',
      usage: '[incident | number] [2h | until:14:00]',
      about: "mute this channel's watches, one of them, or an incident in them; you get what you missed at the end",
      examples: ['2h', 'until:14:00 2', '#17 4h'],
      filters: ['until'],
      answer: async ({ words, filters }, interaction) => {
        const { incidents, number, end } = parseMuteWords(words, filters);
        const channel = channelOf(interaction);
        if (incidents.length > 0) return ctx.muteNamed(incidents, end, interaction);
        await mute(ctx, numberedWatches(number, await watches(db, channel)), end, interaction);
      },
    },
    {
      ...common,
      word: 'unmute',
      usage: '[incident | number]',
      about: "unmute this channel's watches, one of them, or an incident in them",
      examples: ['', '#17'],
      answer: async ({ words }, interaction) => {
        const channel = channelOf(interaction);
        if (words.some((word) => !/^\d+$/.test(word))) return ctx.unmuteNamed(words, interaction);
        const number = watchNumberIn(words, '/notif unmute');
        await unmute(ctx, numberedWatches(number, await watches(db, channel)), interaction);
      },
    },
  ];
}

export function channelOf({ channelId }: Pick<Interaction, 'channelId'>): string {
  if (channelId !== null) return channelId;
  throw new InputError('channel', 'A watch belongs to a channel: ask in one.', '/notif watches');
}

export function endRoute(ctx: SlackCtx): Surface {
  return actionRoute(END, parseOnly, (watchId, interaction) => end(ctx, watchId, interaction));
}

export const ENDED_BEFORE = sentence(
  mrkdwn`This watch was removed. This channel's watches: ${code('/notif watches')}.`,
);

const CONFIGURED = errorCard(
  {
    what: 'This watch comes from NOTIF_DIGEST_CHANNEL: to remove it, unset that variable and restart Notif.',
    next: mrkdwn`It can be changed and muted: ${code('/notif watches')}.`,
  },
  null,
);

async function end(ctx: SlackCtx, watchId: string, interaction: Interaction): Promise<void> {
  const ending = await endWatch(ctx, watchId, interaction.userId);
  if (ending.is !== 'ended') return interaction.reply.show(ending.is === 'configured' ? CONFIGURED : ENDED_BEFORE);
  const content = endedMessage(ending.watch, interaction.userId, ctx.environments);
  await postInChannel(ctx, ending.watch.channel, content, interaction);
}

export function endedMessage({ settings }: Watch, by: string, environments: readonly Environment[]): MessageContent {
  const lines = settingsLines(settings, environments);
  const what = mrkdwn`⏹️ ${person(by)} removed a watch. Its alerts have stopped.`;
  return message(what, [section(joined([what, ...lines], '\n'))]);
}

async function mute(ctx: SlackCtx, chosen: readonly Watch[], end: MuteEnd, interaction: Interaction): Promise<void> {
  const { userId: by, reply } = interaction;
  const muted = await muteIn(ctx, { watches: chosen, incidentId: null }, end, by);
  const [first] = muted.watches;
  if (first === undefined) return reply.show(ENDED_BEFORE);
  await postInChannel(ctx, first.channel, mutedMessage(muted, by), interaction);
}

async function unmute(ctx: SlackCtx, chosen: readonly Watch[], interaction: Interaction): Promise<void> {
  const { userId: by, reply } = interaction;
  const unmuted = await unmuteIn(ctx, { watches: chosen, incidentId: null }, by);
  const [first] = unmuted;
  if (first !== undefined) return postInChannel(ctx, first.channel, unmutedMessage(unmuted, by), interaction);
  const [watch, ...others] = chosen;
  if (watch === undefined) return reply.show(ENDED_BEFORE);
  const what = others.length === 0 ? `Watch ${watch.number} isn't muted.` : 'No watch of this channel is muted.';
  await reply.show(
    sentence(mrkdwn`${what} Incidents are unmuted in their rows, watches here: ${code('/notif watches')}.`),
  );
}

export function mutedMessage(muted: Muted, by: string): MessageContent {
  const what = mrkdwn`🔕 ${person(by)} muted ${mutedWords(muted)}. You'll get what you missed then.`;
  const [first, ...others] = muted.watches;
  const unmuting = first !== undefined && others.length === 0 ? [unmuteButton(first)] : [];
  return message(what, [section(what), ...actions(unmuting)]);
}

export function unmutedMessage(unmuted: readonly Watch[], by: string): MessageContent {
  return sentence(mrkdwn`🔔 ${person(by)} unmuted ${watchNumbers(unmuted)}. Missed alerts arrive with the next poll.`);
}

const unmuteButton = ({ number }: Watch): Button => runButton('Unmute', `unmute ${number}`);

const watchButton = (label: string, actionId: string, { id }: Watch) => button(label, actionId, writeValue([id]));

export const editButton = (watch: Watch): Button => watchButton('Edit', EDIT, watch);

const REMOVAL: ConfirmationDialog = {
  title: { type: 'plain_text', text: 'Remove this watch?' },
  text: { type: 'plain_text', text: 'Its alerts stop here. The channel gets a message that you removed it.' },
  confirm: { type: 'plain_text', text: 'Remove' },
  deny: { type: 'plain_text', text: 'Keep' },
};

export function endButton(watch: Watch): Button {
  return { ...watchButton('Remove', END, watch), style: 'danger', confirm: REMOVAL };
}

type ListedWatch = { watch: Watch; mutes: readonly RunningMute[] };
type ListOptions = { environments: readonly Environment[]; now: Date; total: number };

export function listMessage(listed: readonly ListedWatch[], options: ListOptions): MessageContent {
  if (listed.length === 0)
    return sentence(
      mrkdwn`This channel has no watch${options.total === 0 ? '' : ' from that number on'}. Create one: ${code('/notif watch')}, or ${code('/notif watch channel:email min:5 within:10m')}.`,
    );
  const title = mrkdwn`*${plural(options.total, 'watch', 'watches')} here*`;
  const texts = listed.map((shown) => textOf(shown, options));
  const rows = listed.map((shown, index) => row(shown, texts[index] ?? mrkdwn``));
  const more = (left: number) => mrkdwn`More: ${code(`/notif watches ${listed.at(-left)?.watch.number ?? ''}`)}`;
  return message(joined([title, ...texts], '\n'), fitRows([section(title)], rows, [], more).blocks);
}

function textOf({ watch: { number, settings }, mutes }: ListedWatch, { environments, now }: ListOptions): Markup {
  const { quiet, timeZone } = settings;
  const muted = mutes.find(({ incidentId }) => incidentId === null);
  const incidents = mutes.filter(({ incidentId }) => incidentId !== null).length;
  const isQuiet = quiet !== null && quietTimeAt(quiet, timeZone, now) !== null;
  const lines = [
    ...settingsLines(settings, environments, true),
    muted !== undefined && mrkdwn`🔕 muted by ${person(muted.by)} until ${timeNear(muted.until, muted.from)}`,
    muted === undefined && isQuiet && mrkdwn`🌙 quiet until ${clockOf(quiet.to)}`,
    incidents > 0 && mrkdwn`🔕 ${plural(incidents, 'incident')} muted`,
  ];
  return joined([mrkdwn`*${number}*`, joined(lines, '\n')], ' · ');
}

function row({ watch, mutes }: ListedWatch, text: Markup): KnownBlock[] {
  const { createdBy, createdAt } = watch;
  const isMuted = mutes.some(({ incidentId }) => incidentId === null);
  const muting = isMuted ? unmuteButton(watch) : runButton('Mute 1 h', `mute 1h ${watch.number}`);
  const creator = createdBy === null ? mrkdwn`NOTIF_DIGEST_CHANNEL` : person(createdBy);
  return [
    divider(),
    section(text),
    context(mrkdwn`Created by ${creator}, ${time(createdAt, 'day')}`),
    ...actions([editButton(watch), muting, createdBy !== null && endButton(watch)]),
  ];
}
