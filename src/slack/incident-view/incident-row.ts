import type { SectionBlock } from '@slack/types';
import type { ExplainCause, ExplainedCause } from '../../causes/explain-cause.ts';
import type { IncidentNow } from '../../incidents/incident.ts';
import { type Environment, labeled } from '../../lib/environment.ts';
import { maskedId } from '../../lib/text/shown-id.ts';
import { type MessageBlock, section } from '../kit/blocks.ts';
import { nextLine } from '../kit/explanation.ts';
import { type MessageContent, message } from '../kit/message.ts';
import { numberOf } from '../kit/names.ts';
import { failureCount, OUTCOME_EMOJI } from '../kit/outcomes.ts';
import { badge, code, joined, type Line, type Markup, mrkdwn, percent } from '../kit/text.ts';
import { changedBeforeWords, changedWords } from './changed-words.ts';
import { KINDS } from './condition-words.ts';
import { belowHeading, incidentTitle, subjectText } from './incident-title.ts';
import { incidentFacts, type RowSize, type ShownMute, stateWords } from './incident-words.ts';
import { incidentActions, withMenu } from './row-controls.ts';

export interface IncidentCtx {
  environments: readonly Environment[];
  explainCause: ExplainCause;
}

interface IncidentRowOptions {
  /** The watch's message that has the row. */
  messageId?: string | null;
  mute?: ShownMute;
  /** What stands before the incident's number, such as its environment. */
  beside?: Markup | null;
  cause?: ExplainedCause | null;
  size?: RowSize;
}

/** Before a label's value, by its kind. */
const LABEL_WORDS = { context: '', topic: 'topic ', tag: 'tag ', severity: 'severity ', domain: 'at ' } as const;

export function incidentRow(incident: IncidentNow, options: IncidentRowOptions): MessageBlock[] {
  const { messageId = null, mute = null, size } = options;
  const row = section(incidentText(incident, options));
  const place = { messageId, mute };
  return size === 'terse' ? [withMenu(row, incident, place)] : [row, incidentActions(incident, place)];
}

export function incidentMessage(
  { environments, explainCause }: IncidentCtx,
  incident: IncidentNow,
  { words = null, mute = null }: { words?: Markup | null; mute?: ShownMute } = {},
): MessageContent {
  const beside = badge(labeled(incident.environment, environments));
  const row = incidentRow(incident, { beside, mute, cause: explainCause(incident) });
  return message([words && section(words), ...row]);
}

export function incidentText(incident: IncidentNow, options: IncidentRowOptions): Markup {
  const { beside = null, cause = null, size = 'whole', mute = null } = options;
  const isFiring = incident.state.is === 'firing';
  const title = mrkdwn`${rowEmoji(incident)} ${incidentTitle(incident)}`;
  const facts = incidentFacts(incident, size);
  const last = [beside, numberOf(incident.id)];
  const head = {
    whole: [joined([title, ...last]), joined(facts)],
    headed: [belowHeading(incident), joined([...facts, ...last])],
    terse: [joined([title, ...facts, ...last])],
  }[size];
  const lines = [
    ...head,
    size !== 'terse' && joined([...changeHints(incident), labelHint(incident)]),
    isFiring && nextWords(incident, cause),
    ...stateWords(incident, mute),
  ];
  return joined(lines, '\n');
}

function nextWords(incident: IncidentNow, cause: ExplainedCause | null): Line {
  const { kind, attempts, worst } = incident;
  if (kind !== 'failures') return KINDS[kind].next(incident);
  return cause && nextLine(cause, attempts, worst);
}

export function rowEmoji({ state, verdict, kind }: IncidentNow): string {
  if (kind === 'silence') return state.is === 'firing' ? '🔇' : '✅';
  if (kind === 'not-running') return '⚪';
  if (state.is === 'resolved') return state.ending === 'unconfirmed' ? '⚪' : '✅';
  if (state.is !== 'firing') return '⚪';
  return OUTCOME_EMOJI[verdict];
}

/** What the failures have in common more often than the traffic has. */
export function labelHint({ shared }: IncidentNow): Markup | null {
  if (shared === null) return null;
  const { label, events, total, usually, isOfNewest } = shared;
  const share = mrkdwn`${events} of ${isOfNewest ? 'the last ' : ''}${total}`;
  const isAll = events === total && !isOfNewest;
  const kind = LABEL_WORDS[label.kind];
  return mrkdwn`🏷️ ${isAll ? 'all of them' : share} ${kind}${code(maskedId(label.value))} (${percent(usually, 1)} of traffic)`;
}

function changeHints({ changedBefore, beganAt }: IncidentNow): Markup[] {
  return changedBefore.map((change) => mrkdwn`${changedWords(change.what)} ${changedBeforeWords(change, beganAt)}`);
}

/** The row of an incident on the card of an event that is part of it. */
export function incidentOnCard(incident: IncidentNow): SectionBlock {
  const { id, verdict, failures } = incident;
  const facts = [subjectText(incident), failureCount(verdict, failures), ...stateWords(incident)];
  return withMenu(section(mrkdwn`Part of ${numberOf(id)}: ${joined(facts)}`), incident);
}
