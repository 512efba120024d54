import type { LineEvent, LineTurn } from '../../../alerts/content.ts';
import type { IncidentNow } from '../../../incidents/incident.ts';
import { eventWords } from '../../incident-view/entry-words.ts';
import { failedSpan, incidentFacts } from '../../incident-view/incident-words.ts';
import { endedActions, incidentActions } from '../../incident-view/row-controls.ts';
import type { MessageBlock } from '../../kit/blocks.ts';
import type { MessageContent } from '../../kit/message.ts';
import { atLeast, failureCount } from '../../kit/outcomes.ts';
import { firstOf, joined, type Line, present } from '../../kit/text.ts';
import type { ContentOf } from './content.ts';
import { notice, titleOf } from './notices.ts';

/** So many entries are shown in one message, and the rest is counted. */
const MOST_TURNS = 10;

export function lineMessage({ turns, mention: whom, isNamed }: ContentOf<'line'>): MessageContent {
  const lines = turns.map((turn) =>
    joined([eventWords(turn.event), isNamed && titleOf(turn.incident), ...factsOf(turn)]),
  );
  const [turn, ...others] = turns;
  return notice(firstOf(lines, MOST_TURNS), whom, others.length > 0 || turn === undefined ? [] : below(turn));
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
  if (event.is !== 'entry') return kind === 'failures' ? countsOf(verdict, incident) : incidentFacts(incident, 'terse');
  const { change, outbreak, at } = event.entry;
  // Below a newer outbreak's counts, the older one's would contradict them.
  if (change?.action === 'found-later' && outbreak !== null && outbreak < incident.outbreak)
    return ['in the outbreak before'];
  if (!isEnd(event) && change?.action !== 'critical') return [];
  if (kind !== 'failures') return incidentFacts(incident, 'terse');
  return [...countsOf(verdict, incident), isEnd(event) && failedSpan(incident, at)];
}

function countsOf(
  verdict: IncidentNow['verdict'],
  counted: Pick<IncidentNow, 'failures' | 'subscribers' | 'isAtLeast'>,
): readonly Line[] {
  return [failureCount(verdict, counted.failures), atLeast(counted)];
}

const isEnd = (event: LineEvent): boolean =>
  event.is === 'entry' && (event.entry.change?.action === 'ended' || event.entry.change?.action === 'resolved');
