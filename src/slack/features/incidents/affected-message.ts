import type { ActionTarget } from '../../../incidents/actions.ts';
import type { IncidentNow } from '../../../incidents/incident.ts';
import type { Affected } from '../../../incidents/lists.ts';
import { button, type MessageContent } from '../../kit/blocks.ts';
import { writeActionTarget } from '../../kit/incident/incident-menu.ts';
import { incidentHeading } from '../../kit/incident/incident-words.ts';
import { countWords, listMessage } from '../../kit/list.ts';
import { type Markup, mrkdwn, plural } from '../../kit/text.ts';
import { time } from '../../kit/times.ts';

/** To the person alone. */
export const AFFECTED_FILE = 'incident.affected-file';

/** Only the person who asked sees it. */
export function affectedMessage(target: ActionTarget, now: IncidentNow, hit: readonly Affected[]): MessageContent {
  const { tally } = now;
  const total = Math.max(tally.subscribers, hit.length);
  return listMessage({
    caption: (shown) => mrkdwn`${incidentHeading(now)} · ${countOf(shown, total, now)}`,
    columns: ['Subscriber', 'Failures', 'First', 'Last'],
    rows: hit.map(({ subscriberId, failures, firstSeen, lastSeen }) => ({
      cells: [subscriberId, failures, time(firstSeen, 'day'), time(lastSeen, 'day')],
    })),
    buttons: (shown) => (shown === 0 ? [] : [button('Download CSV', AFFECTED_FILE, writeActionTarget(target))]),
  });
}

function countOf(shown: number, total: number, { tally: { failures } }: IncidentNow): Markup {
  if (shown > 0) return countWords('subscriber', { before: 0, shown, total });
  if (total > 0) return mrkdwn`these subscribers are no longer kept.`;
  return mrkdwn`${plural(failures, 'failure names', 'failures name')} no subscriber.`;
}
