import type { Button, KnownBlock } from '@slack/types';
import type { Environment } from '../../../lib/environment.ts';
import { InputError } from '../../../lib/errors.ts';
import { quietTimeAt } from '../../../lib/time/wall-clock.ts';
import { type Mute, mutesUntil } from '../../../watches/mutes.ts';
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
import { parseOnly, writeValue } from '../../kit/button-value.ts';
import { fitRows } from '../../kit/fit.ts';
import { muteEnd } from '../../kit/incident/incident-words.ts';
import { code, joined, type Markup, mrkdwn, person, plural } from '../../kit/text.ts';
import { time } from '../../kit/times.ts';
import { errorCard } from '../../kit/words/error-card.ts';
import { settingsLines } from '../../kit/words/watch-words.ts';
import type { Command } from '../../router/command.ts';
import type { Interaction } from '../../router/interaction.ts';
import { postInChannel } from '../../router/post-notice.ts';
import { actionRoute, type Route, routesFor } from '../../router/route.ts';

export const EDIT = 'watch.edit';
export const MUTE = 'watch.mute';
export const UNMUTE = 'watch.unmute';
const END = 'watch.end';

export function editButton({ id }: Watch): Button {
  return button('Edit', EDIT, writeValue([id]));
}

export function endButton({ id }: Watch): Button {
  return {
    ...button('Remove', END, writeValue([id])),
    style: 'danger',
    confirm: {
      title: { type: 'plain_text', text: 'Remove this watch?' },
      text: { type: 'plain_text', text: 'Its alerts stop here. The channel gets a message that you removed it.' },
      confirm: { type: 'plain_text', text: 'Remove' },
      deny: { type: 'plain_text', text: 'Keep' },
    },
  };
}

export const ENDED_BEFORE = sentence(
  mrkdwn`This watch was removed. This channel's watches: ${code('/notif watches')}.`,
);

/** Throws an `InputError` if there is none. */
export function channelOf({ channelId }: Pick<Interaction, 'channelId'>): string {
  if (channelId !== null) return channelId;
  throw new InputError('channel', 'A watch belongs to a channel: ask in one.', '/notif watches');
}

const COMMON = { for: 'members', filters: [] } as const;

export function watchesCommand(ctx: SlackCtx): Command {
  return {
    ...COMMON,
    word: 'watches',
    usage: '',
    about: "this channel's watches, to change, mute or remove them",
    examples: [''],
    answer: async ({ words }, interaction) => {
      const from = watchNumberIn(words, '/notif watches') ?? 1;
      const all = (await watches(ctx.db, channelOf(interaction))).toSorted((a, b) => a.number - b.number);
      const listed = all.filter(({ number }) => number >= from).map((watch) => listedOf(ctx, watch));
      await interaction.reply.show(
        listMessage(await Promise.all(listed), { ...ctx, now: ctx.now(), total: all.length }),
      );
    },
  };
}

async function listedOf({ db, now }: SlackCtx, watch: Watch): Promise<ListedWatch> {
  const mutes = await mutesUntil(db, watch.id, now());
  const mutedIncidents = mutes.filter(({ incidentId }) => incidentId !== null).length;
  return { watch, mute: mutes.find(({ incidentId }) => incidentId === null) ?? null, mutedIncidents };
}

export function unwatchCommand(ctx: SlackCtx): Command {
  return {
    ...COMMON,
    word: 'unwatch',
    usage: '[number]',
    about: 'remove a watch of this channel',
    examples: ['', '2'],
    answer: async ({ words }, interaction) => {
      const number = watchNumberIn(words, '/notif unwatch');
      const [watch, ...others] = numberedWatches(number, await watches(ctx.db, channelOf(interaction)));
      if (others.length === 0) return end(ctx, watch.id, interaction);
      const which = `This channel has ${others.length + 1} watches. Which one? /notif watches lists them with their numbers.`;
      throw new InputError('number', which, '/notif unwatch 2');
    },
  };
}

export function listRoutes(ctx: SlackCtx): Route[] {
  return routesFor('members', [actionRoute(END, parseOnly, (watchId, interaction) => end(ctx, watchId, interaction))]);
}

async function end(ctx: SlackCtx, watchId: string, interaction: Interaction): Promise<void> {
  const ending = await endWatch(ctx, watchId, interaction.userId);
  if (ending.is !== 'ended') return interaction.reply.show(ending.is === 'configured' ? CONFIGURED : ENDED_BEFORE);
  const content = endedMessage(ending.watch, interaction.userId, ctx.environments);
  await postInChannel(ctx, ending.watch.channel, content, interaction);
}

export function endedMessage({ settings }: Watch, by: string, environments: readonly Environment[]): MessageContent {
  const lines = settingsLines(settings, { environments, namesPeople: false });
  const what = mrkdwn`${person(by)} removed a watch. Its alerts have stopped.`;
  return message(what, [section(joined([mrkdwn`⏹️ ${what}`, ...lines], '\n'))]);
}

const CONFIGURED = errorCard(
  {
    what: 'This watch comes from NOTIF_DIGEST_CHANNEL: to remove it, unset that variable and restart Notif.',
    next: mrkdwn`It can be changed and muted: ${code('/notif watches')}.`,
  },
  null,
);

export interface ListedWatch {
  readonly watch: Watch;
  readonly mute: Mute | null;
  readonly mutedIncidents: number;
}

export interface ListOptions {
  readonly environments: readonly Environment[];
  readonly now: Date;
  /** How many watches the channel has. */
  readonly total: number;
}

/** For one person: all, or those from a number on. */
export function listMessage(listed: readonly ListedWatch[], options: ListOptions): MessageContent {
  if (listed.length === 0)
    return sentence(
      mrkdwn`This channel has no watch${options.total === 0 ? '' : ' from that number on'}. Create one: ${code('/notif watch')}, or ${code('/notif watch channel:email min:5 within:10m')}.`,
    );
  const title = mrkdwn`*${plural(options.total, 'watch', 'watches')} here*`;
  const rows = listed.map((watch) => row(watch, options));
  const more = (left: number) => mrkdwn`More: ${code(`/notif watches ${listed.at(-left)?.watch.number ?? ''}`)}`;
  const texts = listed.map((shown) => joined([mrkdwn`${shown.watch.number}:`, ...lines(shown, options)], ' '));
  const text = joined([mrkdwn`Watches of this channel.`, ...texts], ' ');
  return message(text, fitRows([section(title)], rows, [], more).blocks);
}

function row(listed: ListedWatch, options: ListOptions): KnownBlock[] {
  const { watch, mute } = listed;
  const { id, number, createdBy, createdAt } = watch;
  const muting = mute === null ? button('Mute…', MUTE, writeValue([id])) : button('Unmute', UNMUTE, writeValue([id]));
  const creator = createdBy === null ? mrkdwn`NOTIF_DIGEST_CHANNEL` : person(createdBy);
  return [
    divider(),
    section(joined([mrkdwn`*${number}*`, joined(lines(listed, options), '\n')], ' · ')),
    context(mrkdwn`Created by ${creator}, ${time(createdAt, 'day')}`),
    ...actions([editButton(watch), muting, ...(createdBy === null ? [] : [endButton(watch)])]),
  ];
}

function lines({ watch, mute, mutedIncidents }: ListedWatch, { environments, now }: ListOptions): Markup[] {
  const { settings } = watch;
  const { quiet, timeZone } = settings;
  const isQuiet = quiet !== null && quietTimeAt(quiet, timeZone, now) !== null;
  return [
    ...settingsLines(settings, { environments, namesPeople: true }),
    ...(mute === null ? [] : [mrkdwn`🔕 muted by ${person(mute.by)} until ${muteEnd(mute)}`]),
    ...(mute === null && isQuiet ? [mrkdwn`🌙 quiet until ${clockOf(quiet.to)}`] : []),
    ...(mutedIncidents === 0 ? [] : [mrkdwn`🔕 ${plural(mutedIncidents, 'incident')} muted`]),
  ];
}
