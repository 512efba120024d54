import { min } from 'date-fns';
import type { ExplainCause } from '../../../causes/explain-cause.ts';
import { type IncidentWords, messageLink } from '../../../digests/alertmanager.ts';
import type { ContentOf, DigestRow } from '../../../digests/content.ts';
import { ALL_FAILURES } from '../../../failures/filter.ts';
import { type IncidentNow, isFiring } from '../../../incidents/incident.ts';
import { labelled } from '../../../lib/environment.ts';
import { type IncidentCtx, incidentRow, rowEmoji } from '../../incident-view/incident-row.ts';
import { AUTOMATIC, isAutomatic } from '../../incident-view/incident-verbs.ts';
import { hitWorkflows, incidentTitle, subjectText, titleText, whyText } from '../../incident-view/incident-words.ts';
import { actions, context, divider, header, type MessageBlock, runButton, section } from '../../kit/blocks.ts';
import { shownText } from '../../kit/data-table.ts';
import { textForEveryone } from '../../kit/for-everyone.ts';
import { fittingMessage } from '../../kit/message.ts';
import {
  badge,
  grouped,
  joined,
  type Line,
  listed,
  mention,
  mrkdwn,
  pageLink,
  plural,
  present,
  time,
} from '../../kit/text.ts';
import { nextLine, numberOf } from '../../kit/words.ts';
import { failureText } from '../../router/failure-command.ts';

type DigestContent = ContentOf<'digest'>;

/** The mention is in a section, since a header is plain text. */
export function digestMessage(content: DigestContent, options: IncidentCtx) {
  const { mention: whom, rows, moreIncidents } = content;
  const { label } = labelled(content.environment, options.environments);
  const [first] = rows;
  const head = [
    whom && section(mention(whom)),
    ...(first === undefined ? [] : [header(digestTitle(first, content, label)), divider()]),
  ];
  const body = rowBlocks(content, options);
  return fittingMessage(body.length, (shown) => [
    ...head,
    ...body.slice(0, shown).flat(),
    ...foot(content, body.length - shown + moreIncidents, label),
  ]);
}

function digestTitle({ incident, isContinued }: DigestRow, content: DigestContent, label: string) {
  const { rows, moreIncidents } = content;
  const count = rows.length + moreIncidents;
  const where = `${emojiOf(rows, moreIncidents)} ${label}`;
  if (count === 1) return `${where} · ${titleText(incident, isContinued, isContinued ? null : hitWorkflows(incident))}`;
  const what = rows.every(({ reason }) => reason === 'new') ? 'new' : 'incidents';
  return `${where} · ${grouped(count)} ${what}: ${subjectText(incident, isContinued)} · +${grouped(count - 1)}`;
}

function emojiOf(rows: readonly DigestRow[], moreIncidents: number) {
  const live = rows.filter(({ isContinued }) => !isContinued);
  if (live.length + moreIncidents === 0) return '🔁';
  const firing = live.find(({ incident }) => isFiring(incident.state));
  if (firing !== undefined) return rowEmoji(firing.incident);
  return moreIncidents === 0 && live.every(({ incident }) => incident.state.is === 'resolved') ? '✅' : '⚪';
}

function rowBlocks(content: DigestContent, options: IncidentCtx) {
  const { id, channel, rows, moreIncidents } = content;
  const isAlone = rows.length + moreIncidents === 1;
  return rows.map((row) => {
    const { incident, isContinued } = row;
    if (isContinued) {
      const facts = [!isAlone && incidentTitle(incident, true), numberOf(incident.id), 'continued below'];
      return [section(joined(facts))];
    }
    // An outage can be of several environments of one service.
    const where =
      incident.environment !== content.environment && badge(labelled(incident.environment, options.environments));
    return incidentRow(incident, {
      messageId: id,
      beside: joined([where, olderLink(row, channel), reasonWords(row)]),
      cause: options.explainCause(incident),
      size: isAlone ? 'headed' : 'terse',
    });
  });
}

/** An incident that was missed and has another reason, too, ended its mute. */
function reasonWords({ incident, reason, missed }: DigestRow) {
  const ongoing = reason === 'goes-on' && mrkdwn`ongoing since ${time(incident.startedAt)}`;
  const words = isFiring(incident.state) && (isAutomatic(reason) ? AUTOMATIC[reason].beside : ongoing);
  const count = missed === null ? reason === 'missed' && 'failed while muted' : mrkdwn`${missed} while muted`;
  const isEnded = reason !== 'missed' && missed !== null && incident.mute === null;
  return joined([words, count, isEnded && 'mute ended']);
}

/** Slack's client opens its own links to messages. */
function olderLink({ incident, reason, olderTs }: DigestRow, channel: string) {
  if (reason !== 'relapsed' || olderTs === null || !isFiring(incident.state)) return null;
  return pageLink(messageLink(channel, olderTs), 'Last time');
}

function foot({ environment, rows, singles }: DigestContent, left: number, label: string) {
  const from = min([...rows.map(({ incident }) => incident), ...singles].map(({ startedAt }) => startedAt));
  const text = failureText('history', { environment, filter: ALL_FAILURES, from, to: null });
  // A page's button may reach further back than what can be typed.
  const show = (label: string) => runButton(label, text, { offset: 0, cursor: '' });
  // With rows, the header names the environment.
  const where = rows.length === 0 && badge({ label });
  const foot = present<MessageBlock>([
    context(left > 0 && mrkdwn`… and ${plural(left, 'more incident')}`),
    ...actions([left > 0 && show('Show all')]),
    singles.length > 0 && section(singlesWords(singles, where), show('View')),
  ]);
  return rows.length > 0 && foot.length > 0 ? [divider(), ...foot] : foot;
}

function singlesWords(singles: readonly IncidentNow[], where: Line) {
  const people = new Map<string, number>();
  for (const incident of singles) {
    const text = whyText(incident);
    people.set(text, (people.get(text) ?? 0) + Math.max(1, incident.subscribers));
  }
  const counted = [...people].map(([text, count]) => mrkdwn`${count}× ${text}`);
  return mrkdwn`⚪ ${joined([where, mrkdwn`Single failures, no pattern: ${listed(counted, ' · ')}`])}`;
}

/** An incident in plain text, for a pager. */
export function pagerWords(incident: IncidentNow, explain: ExplainCause): IncidentWords {
  const next = mrkdwn`${nextLine(explain(incident)) || 'Open the incident in Slack.'}`;
  return {
    summary: textForEveryone(titleText(incident)),
    nextStep: textForEveryone(shownText(next)).replace(/^→ /, ''),
  };
}
