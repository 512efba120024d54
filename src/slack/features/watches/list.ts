import type { KnownBlock } from '@slack/types';
import type { Environment } from '../../../lib/environment.ts';
import { InputError } from '../../../lib/errors.ts';
import { maskedId } from '../../../lib/text/shown-id.ts';
import { quietTimeAt } from '../../../lib/time/wall-clock.ts';
import { type Mute, mutesUntil } from '../../../watches/mutes.ts';
import { clockOf, commandOf, type Watch, type WatchSettings } from '../../../watches/settings.ts';
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
import { channelOf, END, ENDED_BEFORE, editButton, endButton, MUTE, UNMUTE } from './buttons.ts';

export function watchesCommand(ctx: SlackCtx): Command {
  return {
    word: 'watches',
    usage: '',
    about: "this channel's watches, to change, mute or remove them",
    examples: [''],
    for: 'members',
    filters: [],
    environments: 'none',
    answer: async ({ words }, interaction) => {
      const from = watchNumberIn(words, '/notif watches') ?? 1;
      const all = (await watches(ctx.db, channelOf(interaction))).toSorted((a, b) => a.number - b.number);
      const shown = all.filter(({ number }) => number >= from);
      if (from > 1 && shown.length === 0) numberedWatches(from, all);
      const listed = await Promise.all(shown.map((watch) => listedOf(ctx, watch)));
      const { environments } = ctx;
      await interaction.reply.show(listMessage(listed, { environments, now: ctx.now(), total: all.length }));
    },
  };
}

export function unwatchCommand(ctx: SlackCtx): Command {
  return {
    word: 'unwatch',
    usage: '[number]',
    about: 'remove a watch of this channel',
    examples: ['', '2'],
    for: 'members',
    filters: [],
    environments: 'none',
    answer: async ({ words }, interaction) => {
      const number = watchNumberIn(words, '/notif unwatch');
      const [watch, ...others] = numberedWatches(number, await watches(ctx.db, channelOf(interaction)));
      if (others.length > 0) throw new InputError('number', whichOf(others.length + 1), '/notif unwatch 2');
      await end(ctx, watch.id, interaction);
    },
  };
}

function whichOf(count: number): string {
  return `This channel has ${count} watches. Which one? /notif watches lists them with their numbers.`;
}

export function listRoutes(ctx: SlackCtx): Route[] {
  return routesFor('members', [actionRoute(END, parseOnly, (watchId, interaction) => end(ctx, watchId, interaction))]);
}

async function listedOf({ db, now }: SlackCtx, watch: Watch): Promise<ListedWatch> {
  const mutes = await mutesUntil(db, watch.id, now());
  const [mute = null] = mutes.filter(({ incidentId }) => incidentId === null);
  return { watch, mute, mutedIncidents: mutes.filter(({ incidentId }) => incidentId !== null).length };
}

async function end(ctx: SlackCtx, watchId: string, interaction: Interaction): Promise<void> {
  const by = interaction.userId;
  const ending = await endWatch(ctx, watchId, by);
  switch (ending.is) {
    case 'ended': {
      const { watch } = ending;
      await postInChannel(ctx, watch.channel, endedMessage(watch, by, ctx.environments), interaction);
      return;
    }
    case 'ended-before':
      return interaction.reply.show(ENDED_BEFORE);
    case 'configured':
      return interaction.reply.show(CONFIGURED);
  }
}

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
  const [first] = listed;
  if (first === undefined) return noWatch();
  const count = mrkdwn`*${plural(options.total, 'watch', 'watches')} here*`;
  const title = listed.length === options.total ? count : mrkdwn`${count}, from number ${first.watch.number}`;
  const rows = listed.map((watch) => row(watch, options));
  const left = (count: number) => mrkdwn`More: ${code(`/notif watches ${listed.at(-count)?.watch.number ?? ''}`)}`;
  const textOf = (row: ListedWatch) => joined([mrkdwn`${row.watch.number}:`, ...lines(row, options)], ' ');
  const fallbackText = listed.map(textOf);
  return message(
    joined([mrkdwn`Watches of this channel.`, ...fallbackText], ' '),
    fitRows([section(title)], rows, [], left).blocks,
  );
}

function noWatch(): MessageContent {
  return sentence(
    mrkdwn`This channel has no watch. Create one: ${code('/notif watch')}, or ${code('/notif watch channel:email min:5 within:10m')}.`,
  );
}

function row(listed: ListedWatch, options: ListOptions): KnownBlock[] {
  const { watch, mute } = listed;
  const mutes =
    mute === null ? button('Mute…', MUTE, writeValue([watch.id])) : button('Unmute', UNMUTE, writeValue([watch.id]));
  const buttons = [editButton(watch), mutes, ...(watch.createdBy === null ? [] : [endButton(watch)])];
  const [about = mrkdwn``, ...more] = lines(listed, options);
  return [
    divider(),
    section(joined([mrkdwn`*${watch.number}* · ${about}`, ...more], '\n')),
    context(creationWords(watch)),
    ...actions(buttons),
  ];
}

function lines({ watch, mute, mutedIncidents }: ListedWatch, { environments, now }: ListOptions): Markup[] {
  return [
    ...settingsLines(watch.settings, { environments, namesPeople: true }),
    ...stateLine(watch, mute, now),
    ...(mutedIncidents === 0 ? [] : [mrkdwn`🔕 ${plural(mutedIncidents, 'incident')} muted`]),
  ];
}

function stateLine({ settings }: Watch, mute: Mute | null, now: Date): Markup[] {
  if (mute !== null) return [mrkdwn`🔕 muted by ${person(mute.by)} until ${muteEnd(mute)}`];
  const quiet = settings.quiet !== null && quietTimeAt(settings.quiet, settings.timeZone, now) !== null;
  return quiet ? [mrkdwn`🌙 quiet until ${clockOf(settings.quiet.to)}`] : [];
}

function creationWords({ createdBy, createdAt }: Watch): Markup {
  if (createdBy === null) return mrkdwn`Created by NOTIF_DIGEST_CHANNEL, ${time(createdAt, 'day')}`;
  return mrkdwn`Created by ${person(createdBy)}, ${time(createdAt, 'day')}`;
}

export function endedMessage({ settings }: Watch, by: string, environments: readonly Environment[]): MessageContent {
  const [about = mrkdwn``] = settingsLines(settings, { environments, namesPeople: false });
  const what = mrkdwn`${person(by)} removed a watch. Its alerts have stopped.`;
  return message(what, [section(mrkdwn`⏹️ ${what}\n${about}`), ...again(settings).map((line) => context(line))]);
}

/** How long the command may be as markup: a line that is cut would make another watch. */
const LONGEST_AGAIN = 2_900;

/** Empty if no command that can be shown whole makes this watch. */
function again(settings: WatchSettings): Markup[] {
  const command = commandOf(settings) ?? '';
  const shown = code(command, command.length);
  if (maskedId(command) !== command || `${shown}`.length > LONGEST_AGAIN) return [];
  return command === '' ? [] : [mrkdwn`Again: ${shown}`];
}

/** A click can't remove a watch that comes from the configuration. */
const CONFIGURED = errorCard(
  {
    what: 'This watch comes from NOTIF_DIGEST_CHANNEL: to remove it, unset that variable and restart Notif.',
    next: mrkdwn`It can be changed and muted: ${code('/notif watches')}.`,
  },
  null,
);
