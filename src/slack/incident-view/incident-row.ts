import type { ExplainCause, ExplainedCause } from '../../causes/explain-cause.ts';
import type { EnvironmentChange } from '../../changes/change.ts';
import type { IncidentNow } from '../../incidents/incident.ts';
import { type Environment, labelled } from '../../lib/environment.ts';
import { maskedId } from '../../lib/text/shown-id.ts';
import { describeDuration } from '../../lib/time/durations.ts';
import { section } from '../kit/blocks.ts';
import { message } from '../kit/message.ts';
import { badge, code, joined, type Markup, mrkdwn, percent, time } from '../kit/text.ts';
import { changedWords, failureCount, nextLine, numberOf, OUTCOME_EMOJI } from '../kit/words.ts';
import { incidentActions, withMenu } from './incident-verbs.ts';
import {
  incidentFacts,
  incidentTitle,
  outageNext,
  quoteOf,
  type RowSize,
  stateWords,
  subjectText,
} from './incident-words.ts';

export interface IncidentCtx {
  environments: readonly Environment[];
  explainCause: ExplainCause;
}

interface IncidentRowOptions {
  /** Only in a watch's messages. */
  messageId?: string | null;
  beside?: Markup | null;
  cause?: ExplainedCause | null;
  size?: RowSize;
}

export function incidentRow(incident: IncidentNow, options: IncidentRowOptions) {
  const { messageId = null, size } = options;
  const row = section(incidentText(incident, options));
  return size === 'terse' ? [withMenu(row, incident, messageId)] : [row, incidentActions(incident, messageId)];
}

export function incidentMessage(
  { environments, explainCause }: IncidentCtx,
  incident: IncidentNow,
  messageId: string | null,
  words: Markup | null,
) {
  const beside = badge(labelled(incident.environment, environments));
  const row = incidentRow(incident, { messageId, beside, cause: explainCause(incident) });
  return message([words && section(words), ...row]);
}

export function incidentText(incident: IncidentNow, options: IncidentRowOptions) {
  const { beside = null, cause = null, size = 'whole' } = options;
  const isExplained = size !== 'terse' && incident.state.is === 'firing';
  const title = mrkdwn`${rowEmoji(incident)} ${incidentTitle(incident)}`;
  const facts = incidentFacts(incident, size);
  const last = [beside, numberOf(incident.id)];
  const head = {
    whole: [joined([title, ...last]), joined(facts)],
    headed: [quoteOf(incident), joined([...facts, ...last])],
    terse: [joined([title, ...facts, ...last])],
  }[size];
  const lines = [
    ...head,
    size !== 'terse' && joined([...changeHints(incident), labelHint(incident)]),
    isExplained && (incident.outage === null ? cause && nextLine(cause) : outageNext(incident.outage)),
    ...stateWords(incident),
  ];
  return joined(lines, '\n');
}

export function rowEmoji({ state, verdict }: IncidentNow) {
  if (state.is !== 'firing') return state.is === 'resolved' ? '✅' : '⚪';
  return OUTCOME_EMOJI[verdict];
}

export function labelHint({ shared }: IncidentNow) {
  if (shared === null) return null;
  const { label, events, total, usually, isOfNewest } = shared;
  const some = mrkdwn`${events} of ${isOfNewest ? 'the last ' : ''}${total}`;
  const count = events === total && !isOfNewest ? 'all of them' : some;
  const kind = label.kind === 'context' ? '' : `${label.kind} `;
  return mrkdwn`🏷️ ${count} ${kind}${code(maskedId(label.value))} (${percent(usually, 1)} of traffic)`;
}

function changeHints({ changedBefore, startedAt }: IncidentNow) {
  return changedBefore.map((change) => mrkdwn`${changedWords(change.what)} ${whenWords(change, startedAt)}`);
}

function whenWords({ at, after }: EnvironmentChange, startedAt: Date) {
  if (at > startedAt) return mrkdwn`between ${time(after, 'seconds')} and ${time(at, 'seconds')}`;
  const before = (moment: Date) => describeDuration(startedAt.getTime() - moment.getTime());
  const [least, most] = [before(at), before(after ?? at)];
  return mrkdwn`${least === most ? least : `${least} to ${most}`} before`;
}

export function incidentOnCard(incident: IncidentNow) {
  const { id, verdict, failures } = incident;
  const facts = [subjectText(incident), failureCount(verdict, failures), ...stateWords(incident)];
  return withMenu(section(mrkdwn`Part of ${numberOf(id)}: ${joined(facts)}`), incident);
}
