import type { Button } from '@slack/types';
import { differenceInDays } from 'date-fns';
import { z } from 'zod';
import { type Preview, previewWatch } from '../../../digests/preview.ts';
import type { FilterMap } from '../../../lib/input/filters.ts';
import { filtersOf, WATCH_KEYS } from '../../../watches/parse-settings.ts';
import type { WatchSettings } from '../../../watches/settings.ts';
import type { SlackCtx } from '../../ctx.ts';
import { button } from '../../kit/blocks.ts';
import { parseOnly, writeValue } from '../../kit/buttons.ts';
import { listMessage } from '../../kit/list.ts';
import { type Markup, mrkdwn, named, plural } from '../../kit/text.ts';
import { time } from '../../kit/times.ts';
import { channelVia } from '../../kit/words/names.ts';

export const SHOW_PREVIEW = 'watch.preview';

export async function previewOrNone(ctx: SlackCtx, settings: WatchSettings): Promise<Preview | null> {
  try {
    return await previewWatch(ctx, settings);
  } catch (err) {
    ctx.logger.warn({ err }, "A watch's preview couldn't be made");
    return null;
  }
}

export function previewLine({ incidents, below, range }: Preview): Markup {
  const days = differenceInDays(range.to, range.from);
  const since = days > 1 ? mrkdwn`in the last ${days} days` : mrkdwn`since ${time(range.from, 'day')}`;
  const count = incidents.length === 0 ? 'nothing' : plural(incidents.length, 'incident');
  const left = below === 0 ? '' : mrkdwn`; ${plural(below, 'incident')} stayed below its threshold`;
  return mrkdwn`🔮 It would have alerted to ${count} ${since}${left}.`;
}

export function previewButtons(preview: Preview | null, settings: WatchSettings): Button[] {
  if (preview === null || preview.incidents.length === 0) return [];
  return [button('View incidents', SHOW_PREVIEW, writeFilters(filtersOf(settings)))];
}

export function previewMessage(preview: Preview) {
  const { incidents } = preview;
  const line = previewLine(preview);
  return listMessage({
    caption: (shown) => (shown === incidents.length ? line : mrkdwn`${line} ${shown} shown.`),
    columns: ['Incident', 'Cause', 'Failures', 'Since'],
    rows: incidents.map(({ id, channel, provider, cause, failures, firstAt }) => ({
      cells: [`#${id}`, mrkdwn`${named(channelVia(channel, provider))}: ${cause}`, failures, time(firstAt, 'day')],
      choice: [`#${id}`, `#${id}`],
    })),
    notes: [mrkdwn`By the watch's filter and threshold: quiet hours, mutes and relapses aren't part of it.`],
  });
}

const Filters = z.partialRecord(z.enum(WATCH_KEYS), z.array(z.string()));

/** The filters as they are: in a command's text some would change. */
export function writeFilters(filters: FilterMap): string {
  return writeValue([JSON.stringify(filters)]);
}

export function parseFilters(value: string): FilterMap | null {
  const json = parseOnly(value);
  return json === null ? null : (Filters.safeParse(JSON.parse(json)).data ?? null);
}
