import type { Button } from '@slack/types';
import { differenceInDays } from 'date-fns';
import type { WatchSettings } from '../../domain/watches/watch.ts';
import type { Preview, PreviewedIncident } from '../../watches/preview.ts';
import { button, context, type MessageContent, message, section } from '../blocks/blocks.ts';
import { fitCount } from '../blocks/fit.ts';
import { channelVia } from '../blocks/incident/channel-name.ts';
import { lineSections } from '../blocks/line-sections.ts';
import { joined, type Markup, mrkdwn, named, plural } from '../blocks/text.ts';
import { time } from '../blocks/times.ts';
import { writeSettings } from './watch-value.ts';

/** Its value is the watch's settings. */
export const SHOW_PREVIEW = 'watch.preview';
export const PREVIEW_FORM = 'watch.preview-form';
export const PREVIEW_TITLE = 'Preview of a watch';

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
