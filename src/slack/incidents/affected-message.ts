import type { ActionTarget, Affected, CommonValue, InCommon } from '../../domain/incidents/incident-actions.ts';
import type { IncidentNow } from '../../domain/incidents/incident-now.ts';
import { shownId } from '../../domain/text/shown-id.ts';
import { button, type MessageContent } from '../blocks/blocks.ts';
import { groupCause, percent } from '../blocks/incident/group-words.ts';
import { writeActionTarget } from '../blocks/incident/incident-menu.ts';
import { incidentHeading } from '../blocks/incident/incident-words.ts';
import { countWords, listMessage } from '../blocks/list.ts';
import { code, joined, type Markup, mrkdwn, plural } from '../blocks/text.ts';
import { time } from '../blocks/times.ts';

/** To the person alone. */
export const AFFECTED_FILE = 'incident.affected-file';

/** Only the person who asked sees it. */
export function affectedMessage(
  target: ActionTarget,
  now: IncidentNow,
  hit: readonly Affected[],
  common: InCommon,
): MessageContent {
  const { tally } = now;
  const total = Math.max(tally.subscribers, hit.length);
  return listMessage({
    caption: (shown) => mrkdwn`${incidentHeading(now)} · ${countOf(shown, total, now)}`,
    columns: ['Subscriber', 'Failures', 'First', 'Last'],
    rows: hit.map(({ subscriberId, failures, firstSeen, lastSeen }) => ({
      cells: [subscriberId, failures, time(firstSeen, 'day'), time(lastSeen, 'day')],
    })),
    notes: [groupCause(tally), ...commonLine(common)],
    buttons: (shown) => (shown === 0 ? [] : [button('Download CSV', AFFECTED_FILE, writeActionTarget(target))]),
  });
}

function countOf(shown: number, total: number, { tally: { failures } }: IncidentNow): Markup {
  if (shown > 0) return countWords('subscriber', { before: 0, shown, total });
  if (total > 0) return mrkdwn`these subscribers are no longer kept.`;
  return mrkdwn`${plural(failures, 'failure names', 'failures name')} no subscriber.`;
}

const MOST_VALUES = 6;

function commonLine({ failures, values }: InCommon): Markup[] {
  if (values.length === 0) return [];
  const words = ({ kind, value, failures: of }: CommonValue) =>
    mrkdwn`${kind} ${code(shownId(value, 'requester'))} ${percent(of, failures)}`;
  const most = values.toSorted((a, b) => b.failures - a.failures).slice(0, MOST_VALUES);
  return [mrkdwn`In common (last ${plural(failures, 'failure')}): ${joined(most.map(words), ', ')}`];
}
