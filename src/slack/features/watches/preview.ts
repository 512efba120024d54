import type { Button } from '@slack/types';
import { differenceInDays } from 'date-fns';
import type { Environment } from '../../../lib/environment.ts';
import type { FilterMap } from '../../../lib/input/filters.ts';
import { WATCH_KEYS } from '../../../watches/parse-settings.ts';
import { type Preview, type PreviewedIncident, previewWatch } from '../../../watches/preview.ts';
import { filtersOf, type Watch, type WatchSettings } from '../../../watches/settings.ts';
import type { SlackCtx } from '../../ctx.ts';
import { actions, button, context, lineSections, type MessageContent, message, section } from '../../kit/blocks.ts';
import { parseValue, writeValue } from '../../kit/button-value.ts';
import { fitCount } from '../../kit/fit.ts';
import { channelVia } from '../../kit/incident/channel-name.ts';
import { joined, type Markup, mrkdwn, named, plural } from '../../kit/text.ts';
import { time } from '../../kit/times.ts';
import { settingsLines } from '../../kit/words/watch-words.ts';
import { editButton } from './buttons.ts';

/** Its value is the watch's settings. */
export const SHOW_PREVIEW = 'watch.preview';
export const PREVIEW_FORM = 'watch.preview-form';
export const PREVIEW_TITLE = 'Preview of a watch';

/** Watches can be created and changed without it. */
export async function previewOrNone(ctx: SlackCtx, settings: WatchSettings): Promise<Preview | null> {
  try {
    return await previewWatch(ctx, settings);
  } catch (err) {
    ctx.logger.warn({ err }, "a watch's preview couldn't be made");
    return null;
  }
}

export function previewWords(preview: Preview): Markup {
  const { incidents, below } = preview;
  const count = incidents.length === 0 ? mrkdwn`nothing` : plural(incidents.length, 'incident');
  const left = below.length === 0 ? mrkdwn`` : mrkdwn`; ${plural(below.length, 'incident')} stayed below its threshold`;
  return mrkdwn`It would have alerted to ${count} ${rangeWords(preview)}${left}`;
}

function rangeWords({ range: { from, to } }: Preview): Markup {
  const days = differenceInDays(to, from);
  return days > 1 ? mrkdwn`in the last ${days} days` : mrkdwn`since ${time(from, 'day')}`;
}

export function previewLine(preview: Preview | null): Markup[] {
  return preview === null ? [] : [mrkdwn`🔮 ${previewWords(preview)}.`];
}

export function previewButtons(preview: Preview | null, settings: WatchSettings): Button[] {
  if (preview === null || preview.incidents.length + preview.below.length === 0) return [];
  return [button('Show them', SHOW_PREVIEW, writeSettings(settings))];
}

const MOST_INCIDENTS = 15;
const MOST_BELOW = 10;

export function previewMessage(preview: Preview): MessageContent {
  const { incidents, below } = preview;
  const words = mrkdwn`${previewWords(preview)}.`;
  const lines = incidents.slice(0, MOST_INCIDENTS).map(incidentLine);
  const left = below.slice(0, MOST_BELOW).map(incidentLine);
  const { blocks } = fitCount(lines.length, (shown) => {
    const hidden = [
      ...more(incidents.length - shown, 'earlier incident', 'earlier incidents'),
      ...more(below.length - left.length, 'more incident below the threshold', 'more incidents below the threshold'),
    ];
    return [
      section(mrkdwn`*${words}*`),
      ...lineSections(lines.slice(0, shown)),
      ...(left.length === 0 ? [] : lineSections([mrkdwn`*Below the threshold*`, ...left])),
      context(...(hidden.length === 0 ? [] : [mrkdwn`Not shown: ${joined(hidden, ', ')}.`]), HOW),
    ];
  });
  return message(words, blocks);
}

const HOW = mrkdwn`By the watch's filter and threshold, from failures a minute. The minimum time between alerts, quiet hours, mutes and relapses aren't part of it.`;

function incidentLine({ id, channel, provider, cause, failures, firstAt }: PreviewedIncident): Markup {
  return mrkdwn`${time(firstAt, 'day')} · ${named(channelVia(channel, provider))}: ${cause} (${plural(failures, 'failure')}, #${String(id)})`;
}

function more(count: number, noun: string, many: string): Markup[] {
  return count <= 0 ? [] : [plural(count, noun, many)];
}

/** Each name as it is, since a command would change some of them. */
export function writeSettings(settings: WatchSettings, before: readonly string[] = []): string {
  const filters = Object.entries(filtersOf(settings));
  return writeValue([...before, ...filters.flatMap(([key, values]) => values.flatMap((value) => [key, value]))]);
}

export function parseSettings(value: string): FilterMap | null {
  return filtersIn(parseValue(value) ?? []);
}

export function filtersIn(parts: readonly string[]): FilterMap | null {
  if (parts.length === 0 || parts.length % 2 === 1) return null;
  const filters: { [key: string]: string[] } = {};
  for (let index = 0; index < parts.length; index += 2) {
    const [key, value = ''] = parts.slice(index, index + 2);
    const known = WATCH_KEYS.find((name) => name === key);
    if (known === undefined) return null;
    filters[known] = [...(filters[known] ?? []), value];
  }
  return filters;
}

/** For everyone in the channel. */
export function watchMessage(
  who: Markup,
  watch: Watch,
  {
    environments,
    preview = null,
  }: { readonly environments: readonly Environment[]; readonly preview?: Preview | null },
  { notes = [], more = [] }: { readonly notes?: readonly Markup[]; readonly more?: readonly Button[] } = {},
): MessageContent {
  const lines = settingsLines(watch.settings, { environments, namesPeople: false });
  const below = [...previewLine(preview), ...notes];
  return message(mrkdwn`${who}: ${joined(lines, '; ')}.`, [
    section(joined([mrkdwn`*${who}*`, ...lines], '\n')),
    ...(below.length === 0 ? [] : [context(...below)]),
    ...actions([...previewButtons(preview, watch.settings), editButton(watch), ...more]),
  ]);
}
