import type { Button, KnownBlock } from '@slack/types';
import { differenceInDays } from 'date-fns';
import type { Environment } from '../../../lib/environment.ts';
import type { FilterMap } from '../../../lib/input/filters.ts';
import { EVENTS_LOOKED_AT } from '../../../lib/input/typed-values.ts';
import { maskEmail } from '../../../lib/text/mask.ts';
import { type AddressFound, filtersOf, WATCH_KEYS } from '../../../watches/parse-settings.ts';
import { type Preview, previewWatch } from '../../../watches/preview.ts';
import type { Watch, WatchSettings } from '../../../watches/settings.ts';
import type { SlackCtx } from '../../ctx.ts';
import { actions, button, context, lineSections, type MessageContent, message, section } from '../../kit/blocks.ts';
import { parseValue, writeValue } from '../../kit/button-value.ts';
import { channelVia } from '../../kit/incident/names.ts';
import { countWords, listMessage } from '../../kit/list.ts';
import { code, joined, type Markup, mrkdwn, named, plural } from '../../kit/text.ts';
import { time } from '../../kit/times.ts';
import { settingsLines } from '../../kit/words/watch-words.ts';
import { editButton } from './list.ts';

/** Its value is the watch's settings. */
export const SHOW_PREVIEW = 'watch.preview';

/** Watches can be created and changed without it. */
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
  const count = incidents.length === 0 ? mrkdwn`nothing` : plural(incidents.length, 'incident');
  const left = below === 0 ? mrkdwn`` : mrkdwn`; ${plural(below, 'incident')} stayed below its threshold`;
  return [mrkdwn`🔮 It would have alerted to ${count} ${since}${left}.`];
}

export function previewButtons(preview: Preview | null, settings: WatchSettings): Button[] {
  if (preview === null || preview.incidents.length === 0) return [];
  return [button('Show them', SHOW_PREVIEW, writeFilters(filtersOf(settings)))];
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
    notes: [HOW],
  });
}

const HOW = mrkdwn`By the watch's filter and threshold, from failures a minute. The minimum time between alerts, quiet hours, mutes and relapses aren't part of it.`;

/** Each name as it is, since a command would change some of them. */
export function writeFilters(filters: FilterMap): string {
  return writeValue(Object.entries(filters).flatMap(([key, values]) => values.flatMap((value) => [key, value])));
}

/** Null for a button of another version. */
export function parseFilters(value: string): FilterMap | null {
  const pairs = parseValue(value) ?? [];
  if (pairs.length === 0 || pairs.length % 2 === 1) return null;
  const filters: { [key: string]: string[] } = {};
  for (let index = 0; index < pairs.length; index += 2) {
    const [key, name = ''] = pairs.slice(index, index + 2);
    const known = WATCH_KEYS.find((word) => word === key);
    if (known === undefined) return null;
    filters[known] = [...(filters[known] ?? []), name];
  }
  return filters;
}

interface Told {
  readonly environments: readonly Environment[];
  readonly preview?: Preview | null;
  readonly notes?: readonly Markup[];
  readonly more?: readonly Button[];
}

/** For everyone in the channel. */
export function watchMessage(
  who: Markup,
  watch: Watch,
  { environments, preview = null, notes = [], more = [] }: Told,
): MessageContent {
  const lines = settingsLines(watch.settings, { environments, namesPeople: false });
  const below = [...previewLine(preview), ...notes];
  return message(mrkdwn`${who}: ${joined(lines, '; ')}.`, [
    section(joined([mrkdwn`*${who}*`, ...lines], '\n')),
    ...(below.length === 0 ? [] : [context(...below)]),
    ...actions([...previewButtons(preview, watch.settings), editButton(watch), ...more]),
  ]);
}

export function watchingBlocks(addresses: readonly AddressFound[]): KnownBlock[] {
  if (addresses.length === 0) return [];
  const once = mrkdwn`Looked up once, in the newest ${EVENTS_LOOKED_AT} events of each address. If an address is another subscriber's later, this watch doesn't follow: change it with *Edit*.`;
  return [...lineSections(watchingLines(addresses)), context(once)];
}

export function watchingLines(addresses: readonly AddressFound[]): Markup[] {
  return addresses.flatMap(({ email, subscriberIds }) =>
    subscriberIds.map((id) => mrkdwn`👤 Watching subscriber ${code(id, 100)} for ${code(maskEmail(email))}.`),
  );
}
