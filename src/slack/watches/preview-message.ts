import type { Button } from '@slack/types';
import { differenceInDays } from 'date-fns';
import {
  mostInAnHour,
  type Preview,
  type PreviewedIncident,
  type PreviewedMessage,
} from '../../domain/alerting/preview.ts';
import { maskedId } from '../../domain/text/shown-id.ts';
import type { WatchSettings } from '../../domain/watches/watch.ts';
import { button, context, type MessageContent, message, section } from '../blocks/blocks.ts';
import { fitCount } from '../blocks/fit.ts';
import { channelVia } from '../blocks/incident/channel-name.ts';
import { lineSections } from '../blocks/line-sections.ts';
import { joined, type Markup, mrkdwn, named, plural } from '../blocks/text.ts';
import { time } from '../blocks/times.ts';
import { writeSettings } from './watch-value.ts';

/** [Show them]: its value is the watch's settings. */
export const SHOW_PREVIEW = 'watch.preview';
/** [Preview] in the form. */
export const PREVIEW_FORM = 'watch.preview-form';
export const PREVIEW_TITLE = 'Preview of a watch';

/** 'It would have posted 3 messages in the last 7 days, at most 2 in an hour; 14 incidents stayed below its threshold' */
export function previewWords(preview: Preview): Markup {
  const { messages, below } = preview;
  const most = mostInAnHour(preview);
  const pace = most > 1 ? mrkdwn`, at most ${most} in an hour` : mrkdwn``;
  const count = messages.length === 0 ? mrkdwn`nothing` : plural(messages.length, 'message');
  const left = below.length === 0 ? mrkdwn`` : mrkdwn`; ${plural(below.length, 'incident')} stayed below its threshold`;
  return mrkdwn`It would have posted ${count} ${rangeWords(preview)}${pace}${left}`;
}

function rangeWords({ range: { from, to } }: Preview): Markup {
  const days = differenceInDays(to, from);
  return days > 1 ? mrkdwn`in the last ${days} days` : mrkdwn`since ${time(from, 'day')}`;
}

/** Builds the same as small print. Empty without a preview. */
export function previewLine(preview: Preview | null): Markup[] {
  return preview === null ? [] : [mrkdwn`🔮 ${previewWords(preview)}.`];
}

/** Builds [Show them] if there is something to show. */
export function previewButtons(preview: Preview | null, settings: WatchSettings): Button[] {
  if (preview === null || preview.messages.length + preview.below.length === 0) return [];
  return [button('Show them', SHOW_PREVIEW, writeSettings(settings))];
}

const MOST_MESSAGES = 15;
const MOST_BELOW = 10;
const MOST_INCIDENTS = 3;

/** Lists what a watch would have posted, newest first, and what would have stayed below its threshold. */
export function previewMessage(preview: Preview): MessageContent {
  const { messages, below } = preview;
  const words = mrkdwn`${previewWords(preview)}.`;
  const lines = messages.toReversed().slice(0, MOST_MESSAGES).map(messageLine);
  const left = below.slice(0, MOST_BELOW).map(incidentWords);
  const { blocks } = fitCount(lines.length, (shown) => {
    const hidden = [
      ...more(messages.length - shown, 'earlier message'),
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

const HOW = mrkdwn`Replayed from stored failures with the watch's filter, threshold, minimum time between alerts and quiet hours. Mutes, resolved incidents, deleted messages, daily summaries and notices of gaps aren't part of it.`;

function messageLine({ at, incidents }: PreviewedMessage): Markup {
  const shown = incidents.slice(0, MOST_INCIDENTS).map(incidentWords);
  return mrkdwn`${time(at, 'day')} · ${joined([...shown, ...more(incidents.length - shown.length, 'more incident')], ', ')}`;
}

function incidentWords({ episodeId, group, failures }: PreviewedIncident): Markup {
  const { channel, provider, workflow } = group;
  const what = `${channelVia(channel, provider)} — ${maskedId(workflow ?? 'deleted workflow')}`;
  return mrkdwn`${named(what)} (${plural(failures, 'failure')}, #${String(episodeId)})`;
}

function more(count: number, noun: string, many = `${noun}s`): Markup[] {
  return count <= 0 ? [] : [plural(count, noun, many)];
}
