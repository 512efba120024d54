import type { LineEvent, LineTurn, Mentioned } from '../../../alerts/content.ts';
import type { IncidentNow } from '../../../incidents/incident.ts';
import { eventWords } from '../../incident-view/entry-words.ts';
import { endedActions, incidentActions } from '../../incident-view/incident-actions.ts';
import { incidentTitle, subjectName } from '../../incident-view/incident-title.ts';
import { incidentFacts } from '../../incident-view/incident-words.ts';
import { lineSections, type MessageBlock, section } from '../../kit/blocks.ts';
import { type MessageContent, message } from '../../kit/message.ts';
import { numberOf } from '../../kit/names.ts';
import { atLeast, failureCount } from '../../kit/outcomes.ts';
import { firstOf, joined, type Line, type Markup, mention, mrkdwn, person, present } from '../../kit/text.ts';
import { timeNear } from '../../kit/times.ts';
import type { ContentOf } from './content.ts';

export function lineMessage({ turns, mention: whom, isNamed }: ContentOf<'line'>): MessageContent {
  const lines = turns.map((turn) =>
    joined([eventWords(turn.event), isNamed && titleOf(turn.incident), ...factsOf(turn)]),
  );
  const [turn, ...others] = turns;
  return notice(firstOf(lines, 10), whom, others.length > 0 || turn === undefined ? [] : below(turn));
}

function below({ event, incident }: LineTurn): readonly MessageBlock[] {
  return present([
    event.is === 'escalated' && incidentActions(incident),
    isEnd(event) && incident.state.is === 'resolved' && endedActions(incident),
  ]);
}

/** A thread is its incident: only what ended, or got worse, says how much it was. */
function factsOf({ incident, event }: LineTurn): readonly Line[] {
  const { verdict, kind } = incident;
  const change = event.is === 'entry' ? event.entry.change : null;
  const outbreak = event.is === 'entry' ? event.entry.outbreak : null;
  // Below a newer outbreak's counts, the older one's would contradict them.
  if (change?.action === 'found-later' && outbreak !== null && outbreak < incident.outbreak)
    return ['in the outbreak before'];
  if (event.is === 'entry' && !isEnd(event) && change?.action !== 'critical') return [];
  if (kind !== 'failures') return incidentFacts(incident, 'terse');
  const from = change?.action === 'ended' ? change.from : incident.beganAt;
  const to = change?.action === 'ended' ? change.to : incident.lastAt;
  const counted = change?.action === 'ended' ? change : incident;
  const at = event.is === 'entry' ? event.entry.at : event.at;
  return [
    failureCount(verdict, counted.failures),
    atLeast(counted),
    isEnd(event) && mrkdwn`${timeNear(from, at)}–${timeNear(to, at)}`,
  ];
}

const isEnd = (event: LineEvent): boolean =>
  event.is === 'entry' && (event.entry.change?.action === 'ended' || event.entry.change?.action === 'resolved');

/** A title for messages that stay as they are: it doesn't say how the incident is now. */
export const titleOf = (incident: IncidentNow): Line =>
  joined([numberOf(incident.id), incidentTitle(incident, subjectName(incident))]);

export const mentioned = (whom: Mentioned): Markup =>
  whom.kind === 'people' ? mrkdwn`${joined(whom.ids.map(person), ' ')}` : mention(whom);

/** A message without a header, which couldn't show times in the reader's time zone. */
export function notice(
  lines: readonly Line[],
  whom: Mentioned | null = null,
  below: readonly MessageBlock[] = [],
): MessageContent {
  return message([whom && section(mentioned(whom)), ...lineSections(lines), ...below]);
}
