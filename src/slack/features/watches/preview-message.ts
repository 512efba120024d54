import { differenceInDays } from 'date-fns';
import { type Preview, previewWatch } from '../../../alerts/preview.ts';
import { writeIncidentRef } from '../../../incidents/incident-ref.ts';
import type { WatchSettings } from '../../../watches/settings.ts';
import type { SlackCtx } from '../../ctx.ts';
import { section } from '../../kit/blocks.ts';
import { countWords, listMessage } from '../../kit/list.ts';
import type { MessageContent } from '../../kit/message.ts';
import { channelVia } from '../../kit/names.ts';
import { code, listed, type Markup, mrkdwn, named, plural } from '../../kit/text.ts';
import { time } from '../../kit/times.ts';

/** So many times of an incident's alerts stand in its row. */
const MOST_TIMES = 3;

/** Null if it can't be made, since a watch works without one. */
export async function previewOrNone(ctx: SlackCtx, settings: WatchSettings): Promise<Preview | null> {
  try {
    return await previewWatch(ctx, settings);
  } catch (err) {
    ctx.logger.warn({ err }, "A watch's preview couldn't be made");
    return null;
  }
}

/** What a watch would have alerted to, in a line. */
export function previewLine({ incidents, belowThreshold, range, messages, hasMention }: Preview): Markup {
  const days = differenceInDays(range.to, range.from);
  const since = days > 1 ? mrkdwn`in the last ${days} days` : mrkdwn`since ${time(range.from)}`;
  const count = incidents.length === 0 ? 'nothing' : plural(incidents.length, 'incident');
  const left = belowThreshold === 0 ? '' : mrkdwn`; ${plural(belowThreshold, 'incident')} stayed below its threshold`;
  const ringing = messages.filter(({ rings }) => rings).length;
  const mentioning = hasMention ? mrkdwn`, ${ringing} with the mention` : '';
  const how = messages.length === 0 ? '' : mrkdwn`, in ${plural(messages.length, 'message')}${mentioning}`;
  return mrkdwn`🔮 It would have alerted to ${count} ${since}${how}${left}.`;
}

/** What a watch would have alerted to, as a list. */
export function previewMessage(preview: Preview): MessageContent {
  const { incidents, messages, hasMention } = preview;
  return listMessage({
    // A caption can't show times in the reader's time zone.
    summary: [section(previewLine(preview))],
    caption: (shown) => countWords('incident', { shown, total: incidents.length }),
    columns: ['Incident', 'Alerted', 'Failures', 'Since'],
    rows: incidents.map(({ id, code: incidentCode, channel, provider, cause, failures, firstAt }) => ({
      cells: [
        mrkdwn`#${id} ${named(channelVia(channel, provider))}: ${cause}`,
        alertedWords(
          messages.filter((message) => message.incidents.includes(id)),
          hasMention,
        ),
        failures,
        time(firstAt),
      ],
      lookUp: [`#${id}`, `#${writeIncidentRef({ incidentId: id, code: incidentCode })}`],
    })),
    notes: [
      hasMention && '🔔 with the mention',
      mrkdwn`Based on filter, threshold and quiet hours. Mutes and ${code('every:')} don't count.`,
    ],
  });
}

const alertedWords = (messages: Preview['messages'], hasMention: boolean): Markup =>
  listed(
    messages.map(({ at, rings }) => mrkdwn`${rings && hasMention ? '🔔 ' : ''}${time(at)}`),
    ', ',
    MOST_TIMES,
  );
