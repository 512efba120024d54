import type { Button, KnownBlock } from '@slack/types';
import { differenceInDays } from 'date-fns';
import { z } from 'zod';
import { type Preview, previewWatch } from '../../../digests/alerts.ts';
import type { Environment } from '../../../lib/environment.ts';
import { InputError } from '../../../lib/errors.ts';
import { commandText, type FilterMap } from '../../../lib/input/filters.ts';
import { maskEmail } from '../../../lib/text/mask.ts';
import { isQuietAt } from '../../../lib/time/wall-clock.ts';
import {
  type Muted,
  type MuteEnd,
  muteIn,
  mutesUntil,
  parseMuteWords,
  type RunningMute,
  unmuteIn,
} from '../../../watches/mutes.ts';
import { type AddressFound, clockOf, filtersOf, WATCH_KEYS } from '../../../watches/parse-settings.ts';
import type { Watch, WatchSettings } from '../../../watches/settings.ts';
import {
  createWatch,
  endWatch,
  numberedWatches,
  type Unconfirmed,
  type WantedWatch,
  watches,
  watchNumberIn,
} from '../../../watches/watches.ts';
import type { SlackCtx } from '../../ctx.ts';
import {
  actions,
  button,
  context,
  divider,
  lineSections,
  type MessageContent,
  message,
  section,
  sentence,
  whatNext,
} from '../../kit/blocks.ts';
import { parseOnly, runButton, writeValue } from '../../kit/buttons.ts';
import { fitRows } from '../../kit/fit.ts';
import { forEveryone } from '../../kit/for-everyone.ts';
import { channelVia } from '../../kit/incident/names.ts';
import { countWords, listMessage } from '../../kit/list.ts';
import { code, joined, type Markup, mrkdwn, named, person, plural } from '../../kit/text.ts';
import { time, timeNear } from '../../kit/times.ts';
import { didYouMean } from '../../kit/words/filter-words.ts';
import { mutedWords, settingsLines, watchNumbers } from '../../kit/words/watch-words.ts';
import type { Command } from '../../router/command.ts';
import type { CommandInteraction, Interaction } from '../../router/interaction.ts';
import { actionRoute, type Surface } from '../../router/route.ts';
import { postInChannel, SHARED_WARNING } from '../../router/share.ts';

export interface MuteCtx extends SlackCtx {
  muteNamed: (words: readonly string[], end: MuteEnd, interaction: CommandInteraction) => Promise<void>;
  unmuteNamed: (words: readonly string[], interaction: CommandInteraction) => Promise<void>;
}

export const EDIT = 'watch.edit';
const CREATE_ANYWAY = 'watch.all-the-same';
const END = 'watch.end';

export function watchRoutes(ctx: SlackCtx): Surface[] {
  return [
    actionRoute(CREATE_ANYWAY, parseFilters, (filters, interaction) =>
      create(ctx, { filters, usualEnvironments: [], isConfirmed: true }, interaction),
    ),
    actionRoute(END, parseOnly, (watchId, interaction) => end(ctx, watchId, interaction)),
  ];
}

export function watchCommands(ctx: MuteCtx): Command[] {
  const { db } = ctx;
  const common = { for: 'members', filters: [] } as const;
  return [
    {
      ...common,
      word: 'watch',
      usage: '[filters]',
      about: 'alert this channel to the failures that the filters match',
      examples: ['', 'channel:email min:5 within:10m', 'severity:high mention:@oncall quiet:22:00-07:00'],
      filters: WATCH_KEYS,
      follows: 'filters',
      environments: 'several',
      answer: ({ filters, environment }, interaction) =>
        create(ctx, { filters, usualEnvironments: [environment.name], isConfirmed: false }, interaction),
    },
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
        const message = watchesMessage(await Promise.all(listed), { ...ctx, now, total: all.length });
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
        const { userId: by } = interaction;
        const chosen = numberedWatches(number, await watches(db, channel));
        const muted = await muteIn(ctx, { watches: chosen, incidentId: null }, end, by);
        await postInChannel(ctx, channel, mutedMessage(muted, by), interaction);
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
        const { userId: by, reply } = interaction;
        const chosen = numberedWatches(number, await watches(db, channel));
        const unmuted = await unmuteIn(ctx, { watches: chosen, incidentId: null }, by);
        if (unmuted.length > 0) return postInChannel(ctx, channel, unmutedMessage(unmuted, by), interaction);
        const what = number === null ? 'No watch of this channel is muted.' : `Watch ${number} isn't muted.`;
        await reply.show(sentence(mrkdwn`${what} Incidents are unmuted in their rows.`));
      },
    },
  ];
}

async function create(ctx: SlackCtx, wanted: Omit<WantedWatch, 'channel' | 'by'>, interaction: Interaction) {
  const channel = channelOf(interaction);
  const { reply, userId: by } = interaction;
  const creating = await createWatch(ctx, { channel, by, ...wanted });
  switch (creating.is) {
    case 'made': {
      const { watch, addresses } = creating;
      const watching = watchingLines(addresses);
      if (watching.length > 0) await reply.show(message(joined(watching, ' '), lineSections(watching)));
      const preview = await previewOrNone(ctx, watch.settings);
      const who = mrkdwn`👁️ ${person(by)} created a watch here`;
      await postInChannel(ctx, channel, watchMessage(who, watch, ctx.environments, preview), interaction);
      return;
    }
    case 'unconfirmed':
      return reply.show(unconfirmedMessage(creating, await previewOrNone(ctx, creating.settings)));
    case 'not-in-channel':
      return reply.show(inviteFirst(wanted.filters));
  }
}

const NOTIFIES_NOBODY = mrkdwn`💡 Its alerts mention nobody. To notify somebody: *Edit*, or ${code('mention:@oncall')}.`;

export function unconfirmedMessage(
  { unknown, sharing, settings, addresses }: Unconfirmed,
  preview: Preview | null = null,
): MessageContent {
  const names = unknown.map(({ name, similar }) => mrkdwn`No workflow ${code(name)} seen yet.${didYouMean(similar)}`);
  const lines = [
    sharing !== 'none' && SHARED_WARNING,
    names.length > 0 && mrkdwn`🤔 *This watch may never fire.*`,
    ...names,
    ...watchingLines(addresses),
  ];
  const create = button('Create anyway', CREATE_ANYWAY, writeFilters(filtersOf(settings)));
  return message(joined(lines, ' '), [
    ...lineSections(lines),
    ...previewLine(preview).map((line) => context(line)),
    ...actions([...previewButtons(preview, settings), create]),
  ]);
}

function inviteFirst(filters: FilterMap): MessageContent {
  const what = mrkdwn`⚠️ Notif isn't in this conversation, so it can't post alerts here.`;
  const next = mrkdwn`Run ${code('/invite @Notif')} in a channel and try again, or use your messages with Notif.`;
  return whatNext(what, next, actions([runButton('Try again', commandText(['watch'], filters))]));
}

export const SHOW_PREVIEW = 'watch.preview';

export async function previewOrNone(ctx: SlackCtx, settings: WatchSettings): Promise<Preview | null> {
  try {
    return await previewWatch(ctx, settings);
  } catch (err) {
    ctx.logger.warn({ err }, "a watch's preview couldn't be made");
    return null;
  }
}

export function previewLine(preview: Preview | null): Markup[] {
  if (preview === null) return [];
  const { incidents, below, range } = preview;
  const days = differenceInDays(range.to, range.from);
  const since = days > 1 ? mrkdwn`in the last ${days} days` : mrkdwn`since ${time(range.from, 'day')}`;
  const count = incidents.length === 0 ? 'nothing' : plural(incidents.length, 'incident');
  const left = below === 0 ? '' : mrkdwn`; ${plural(below, 'incident')} stayed below its threshold`;
  return [mrkdwn`🔮 It would have alerted to ${count} ${since}${left}.`];
}

function previewButtons(preview: Preview | null, settings: WatchSettings): Button[] {
  if (preview === null || preview.incidents.length === 0) return [];
  return [button('View incidents', SHOW_PREVIEW, writeFilters(filtersOf(settings)))];
}

export function previewMessage(preview: Preview): MessageContent {
  const { incidents } = preview;
  const [line = mrkdwn``] = previewLine(preview);
  return listMessage({
    caption: (shown) => mrkdwn`${line} ${countWords('incident', { before: 0, shown, total: incidents.length })}`,
    columns: ['Incident', 'Cause', 'Failures', 'Since'],
    rows: incidents.map(({ id, channel, provider, cause, failures, firstAt }) => ({
      cells: [`#${id}`, mrkdwn`${named(channelVia(channel, provider))}: ${cause}`, failures, time(firstAt, 'day')],
    })),
    notes: [mrkdwn`By the watch's filter and threshold: quiet hours, mutes and relapses aren't part of it.`],
  });
}

const Filters = z.partialRecord(z.enum(WATCH_KEYS), z.array(z.string()));

/** As they are: a command would change some of them. */
export function writeFilters(filters: FilterMap): string {
  return writeValue([JSON.stringify(filters)]);
}

export function parseFilters(value: string): FilterMap | null {
  const json = parseOnly(value);
  return json === null ? null : Filters.parse(JSON.parse(json));
}

export function watchMessage(
  who: Markup,
  watch: Watch,
  environments: readonly Environment[],
  preview: Preview | null = null,
): MessageContent {
  const { settings } = watch;
  const lines = settingsLines(settings, environments);
  const below = [...previewLine(preview), ...(settings.mention === null ? [NOTIFIES_NOBODY] : [])];
  return message(mrkdwn`${who}: ${joined(lines, '; ')}.`, [
    section(joined([mrkdwn`*${who}*`, ...lines], '\n')),
    ...(below.length === 0 ? [] : [context(...below)]),
    ...actions([...previewButtons(preview, settings), editButton(watch), endButton(watch)]),
  ]);
}

export function watchingLines(addresses: readonly AddressFound[]): Markup[] {
  const found = addresses.flatMap(({ email, subscriberIds }) =>
    subscriberIds.map((id) => mrkdwn`👤 Watching subscriber ${code(id, 100)} for ${code(maskEmail(email))}.`),
  );
  const once = mrkdwn`The watch doesn't follow an address to another subscriber: change it with *Edit*.`;
  return found.length === 0 ? [] : [...found, once];
}

function channelOf({ channelId }: Pick<Interaction, 'channelId'>): string {
  if (channelId !== null) return channelId;
  throw new InputError('channel', 'A watch belongs to a channel: ask in one.', '/notif watches');
}

async function end(ctx: SlackCtx, watchId: string, interaction: Interaction): Promise<void> {
  const watch = await endWatch(ctx, watchId, interaction.userId);
  await postInChannel(ctx, watch.channel, endedMessage(watch, interaction.userId, ctx.environments), interaction);
}

export function endedMessage({ settings }: Watch, by: string, environments: readonly Environment[]): MessageContent {
  const lines = settingsLines(settings, environments);
  const what = mrkdwn`⏹️ ${person(by)} removed a watch. Its alerts have stopped.`;
  return message(what, [section(joined([what, ...lines], '\n'))]);
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

const editButton = (watch: Watch): Button => watchButton('Edit', EDIT, watch);

const endButton = (watch: Watch): Button => ({
  ...watchButton('Remove', END, watch),
  style: 'danger',
  confirm: {
    title: { type: 'plain_text', text: 'Remove this watch?' },
    text: { type: 'plain_text', text: 'Its alerts stop here. The channel gets a message that you removed it.' },
    confirm: { type: 'plain_text', text: 'Remove' },
    deny: { type: 'plain_text', text: 'Keep' },
  },
});

type ListedWatch = { watch: Watch; mutes: readonly RunningMute[] };
type ListOptions = { environments: readonly Environment[]; now: Date; total: number };

export function watchesMessage(listed: readonly ListedWatch[], options: ListOptions): MessageContent {
  if (options.total === 0)
    return sentence(
      mrkdwn`This channel has no watch. Create one: ${code('/notif watch')}, or ${code('/notif watch channel:email min:5 within:10m')}.`,
    );
  const title = mrkdwn`*${plural(options.total, 'watch', 'watches')} here*`;
  const rows = listed.map((shown) => row(shown, options));
  const more = (left: number) => mrkdwn`More: ${code(`/notif watches ${listed.at(-left)?.watch.number ?? ''}`)}`;
  return message(title, fitRows([section(title)], rows, [], more).blocks);
}

function row({ watch, mutes }: ListedWatch, { environments, now }: ListOptions): KnownBlock[] {
  const { number, settings, createdBy, createdAt } = watch;
  const { quiet, timeZone } = settings;
  const muted = mutes.find(({ incidentId }) => incidentId === null);
  const incidents = mutes.filter(({ incidentId }) => incidentId !== null).length;
  const [first, ...others] = settingsLines(settings, environments, true);
  const lines = [
    joined([mrkdwn`*${number}*`, first ?? null], ' · '),
    ...others,
    muted !== undefined && mrkdwn`🔕 muted by ${person(muted.by)} until ${timeNear(muted.until, muted.from)}`,
    muted === undefined && quiet && isQuietAt(quiet, timeZone, now) && mrkdwn`🌙 quiet until ${clockOf(quiet.to)}`,
    incidents > 0 && mrkdwn`🔕 ${plural(incidents, 'incident')} muted`,
  ];
  const muting = muted === undefined ? runButton('Mute 1 h', `mute 1h ${number}`) : unmuteButton(watch);
  const creator = createdBy === null ? mrkdwn`NOTIF_DIGEST_CHANNEL` : person(createdBy);
  return [
    divider(),
    section(joined(lines, '\n')),
    context(mrkdwn`Created by ${creator}, ${time(createdAt, 'day')}`),
    ...actions([editButton(watch), muting, createdBy !== null && endButton(watch)]),
  ];
}
