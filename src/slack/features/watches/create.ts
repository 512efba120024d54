import type { Button } from '@slack/types';
import { differenceInDays } from 'date-fns';
import { z } from 'zod';
import { type Preview, previewWatch } from '../../../digests/alerts.ts';
import type { Environment } from '../../../lib/environment.ts';
import type { FilterMap } from '../../../lib/input/filters.ts';
import { maskEmail } from '../../../lib/text/mask.ts';
import { type AddressFound, filtersOf, WATCH_KEYS } from '../../../watches/parse-settings.ts';
import type { Watch, WatchSettings } from '../../../watches/settings.ts';
import { createWatch, type Unconfirmed, type WantedWatch } from '../../../watches/watches.ts';
import type { SlackCtx } from '../../ctx.ts';
import { actions, button, context, lineSections, type MessageContent, message, section } from '../../kit/blocks.ts';
import { parseOnly, writeValue } from '../../kit/buttons.ts';
import { channelVia } from '../../kit/incident/names.ts';
import { countWords, listMessage } from '../../kit/list.ts';
import { code, joined, type Markup, mrkdwn, named, person, plural } from '../../kit/text.ts';
import { time } from '../../kit/times.ts';
import { didYouMean } from '../../kit/words/filter-words.ts';
import { settingsLines } from '../../kit/words/watch-words.ts';
import type { Command } from '../../router/command.ts';
import type { Interaction } from '../../router/interaction.ts';
import { errorCard } from '../../router/on-error.ts';
import { actionRoute, type Surface } from '../../router/route.ts';
import { postInChannel, SHARED_WARNING } from '../../router/share.ts';
import { channelOf, editButton, endButton } from './list.ts';

const CREATE_ANYWAY = 'watch.all-the-same';

export function watchCommand(ctx: SlackCtx): Command {
  return {
    word: 'watch',
    usage: '[filters]',
    about: 'alert this channel to the failures that the filters match',
    examples: ['', 'channel:email min:5 within:10m', 'severity:high mention:@oncall quiet:22:00-07:00'],
    for: 'members',
    filters: WATCH_KEYS,
    follows: 'filters',
    environments: 'several',
    answer: ({ filters, environment }, interaction) =>
      create(ctx, { filters, usualEnvironments: [environment.name], isConfirmed: false }, interaction),
  };
}

export function createRoute(ctx: SlackCtx): Surface {
  return actionRoute(CREATE_ANYWAY, parseFilters, (filters, interaction) =>
    create(ctx, { filters, usualEnvironments: [], isConfirmed: true }, interaction),
  );
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
      return reply.show(INVITE_FIRST);
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

const INVITE_FIRST = errorCard(
  {
    what: "Notif isn't in this conversation, so it can't post alerts here.",
    next: mrkdwn`Run ${code('/invite @Notif')} in a channel and try again, or use your messages with Notif.`,
  },
  null,
);

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
