import { min } from 'date-fns';
import { type IncidentWords, messageLink } from '../../../digests/alertmanager.ts';
import type { Content, ContentOf, DigestRow } from '../../../digests/content.ts';
import { ALL_FAILURES } from '../../../failures/filter.ts';
import { type IncidentNow, isFiring } from '../../../incidents/incident.ts';
import { type Environment, labeled } from '../../../lib/environment.ts';
import { unescaped } from '../../../lib/input/slack-text.ts';
import { type IncidentEvent, isLineReason, unreachedWords, WATCH_END_WORDS } from '../../../outbox/kinds.ts';
import type { Mention } from '../../../watches/settings.ts';
import {
  AUTOMATIC,
  eventWords,
  type IncidentCtx,
  incidentActions,
  incidentMessage,
  incidentRow,
  noticeWords,
  rowEmoji,
} from '../../incident-view/incident-row.ts';
import {
  hitWorkflows,
  incidentFacts,
  incidentTitle,
  subjectText,
  titleText,
  whyText,
} from '../../incident-view/incident-words.ts';
import {
  actions,
  context,
  divider,
  header,
  lineSections,
  type MessageBlock,
  runButton,
  section,
} from '../../kit/blocks.ts';
import { shownText } from '../../kit/data-table.ts';
import { nextLine } from '../../kit/explanation.ts';
import { textForEveryone } from '../../kit/for-everyone.ts';
import { fittingMessage, type MessageContent, message } from '../../kit/message.ts';
import {
  badge,
  channelLink,
  code,
  firstOf,
  grouped,
  joined,
  type Line,
  listed,
  type Markup,
  mention,
  mrkdwn,
  pageLink,
  person,
  plural,
  present,
  time,
  timeNear,
} from '../../kit/text.ts';
import {
  changedWhen,
  changedWords,
  failureCount,
  numberOf,
  peopleCount,
  settingsLines,
  silenceWords,
} from '../../kit/words.ts';
import { failureText } from '../../router/failure-command.ts';
import { resendMessage, testMessage } from './sending-message.ts';
import { summaryMessage } from './summary-message.ts';

type DigestContent = ContentOf<'digest'>;

export function digestMessage(content: DigestContent, options: IncidentCtx) {
  const { mention: whom, rows, moreIncidents } = content;
  const { label } = labeled(content.environment, options.environments);
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
      return [section(joined([!isAlone && incidentTitle(incident, true), numberOf(incident.id), 'continued below']))];
    }
    // One outage can affect several environments of a service.
    const where =
      incident.environment !== content.environment && badge(labeled(incident.environment, options.environments));
    return incidentRow(incident, {
      messageId: id,
      beside: joined([where, olderLink(row, channel), reasonWords(row)]),
      cause: options.explainCause(incident),
      size: isAlone ? 'headed' : 'terse',
    });
  });
}

function reasonWords({ incident, reason, missed }: DigestRow) {
  const ongoing = reason === 'goes-on' && mrkdwn`ongoing since ${time(incident.startedAt)}`;
  const words = isFiring(incident.state) && (isLineReason(reason) ? AUTOMATIC[reason].beside : ongoing);
  const count = missed === null ? reason === 'missed' && 'failed while muted' : mrkdwn`${missed} while muted`;
  // What got worse while it was muted is alerted at once, which ends the mute.
  const hasEndedMute = reason !== 'missed' && missed !== null && incident.mute === null;
  return joined([words, count, hasEndedMute && 'mute ended']);
}

function olderLink({ incident, reason, olderTs }: DigestRow, channel: string) {
  if (reason !== 'relapsed' || olderTs === null || !isFiring(incident.state)) return null;
  return pageLink(messageLink(channel, olderTs), 'Last time');
}

function foot({ environment, rows, singles }: DigestContent, left: number, label: string) {
  const from = min([...rows.map(({ incident }) => incident), ...singles].map(({ startedAt }) => startedAt));
  const text = failureText('history', { environment, filter: ALL_FAILURES, from, to: null });
  // A button with a page can reach further back than typed times.
  const show = (label: string) => runButton(label, text, { offset: 0, cursor: '' });
  const where = rows.length === 0 && badge({ label });
  const blocks = present<MessageBlock>([
    context(left > 0 && mrkdwn`… and ${plural(left, 'more incident')}`),
    ...actions([left > 0 && show('Show all')]),
    singles.length > 0 && section(singlesWords(singles, where), show('View')),
  ]);
  return rows.length > 0 && blocks.length > 0 ? [divider(), ...blocks] : blocks;
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

export function pagerWords(incident: IncidentNow, explain: IncidentCtx['explainCause']): IncidentWords {
  const next = mrkdwn`${nextLine(explain(incident), incident.attempts) || 'Open the incident in Slack.'}`;
  return {
    summary: pagerText(mrkdwn`${titleText(incident)}`),
    nextStep: pagerText(next).replace(/^→ /, ''),
  };
}

/** A receiver of Alertmanager may be Slack itself: nothing is left that it would take for markup. */
function pagerText(markup: Markup) {
  return textForEveryone(unescaped(shownText(markup)).replaceAll('<', '‹').replaceAll('>', '›'));
}

export function deliveryMessage(content: Content, options: IncidentCtx) {
  const { environments } = options;
  const labelOf = ({ environment }: { environment: string }) => labeled(environment, environments).label;
  switch (content.kind) {
    case 'digest':
      return digestMessage(content, options);
    case 'summary':
      return summaryMessage(content, environments);
    case 'thread':
      return threadMessage(content);
    case 'personal':
      return incidentMessage(options, content.incident, noticeWords(content.notice, content.at));
    case 'test':
      return testMessage(content, labelOf(content.sending));
    case 'resend':
      return resendMessage(content, labelOf(content.sending));
    case 'silence':
      return notice(
        [silenceWords(content, labelOf(content)), !content.until && '→ Check what triggers its events.'],
        content.until ? null : content.mention,
      );
    case 'changes':
      return notice(changesLines(content, labelOf(content)));
    case 'watch-ended':
      return notice(endedLines(content, environments));
  }
}

/** What somebody didn't get by direct message, for who caused it. */
export function unreachedMessage(
  { blocks }: Pick<MessageContent, 'blocks'>,
  { isOwn, recipient, code }: { isOwn: boolean; recipient: string; code: string },
): MessageContent {
  const { why, fix } = unreachedWords(code);
  const head = mrkdwn`⚠️ *Slack doesn't let Notif write to ${isOwn ? 'you' : person(recipient)}:* ${why}.`;
  return message([...lineSections([head, mrkdwn`→ ${fix}. This didn't arrive:`]), ...blocks]);
}

/** Has no header, which couldn't show times in the reader's time zone. */
function notice(lines: readonly Line[], whom: Mention | null = null, below: readonly MessageBlock[] = []) {
  return message([whom && section(mention(whom)), ...lineSections(lines), ...below]);
}

const MOST_CHANGES = 10;

function changesLines({ environment, changes }: ContentOf<'changes'>, label: string) {
  const more = changes.length - MOST_CHANGES;
  return [
    mrkdwn`*${label}* · ${plural(changes.length, 'change')}`,
    ...changes.slice(0, MOST_CHANGES).map((change) => mrkdwn`${changedWords(change.what)} · ${changedWhen(change)}`),
    more > 0 && mrkdwn`${more} more in ${code(`/notif changes env:${environment}`)}`,
  ];
}

function endedLines({ watch, why: end }: ContentOf<'watch-ended'>, environments: readonly Environment[]) {
  const channel = channelLink(watch.channel);
  const { why, fix } = WATCH_END_WORDS[end];
  return watch.createdBy === null
    ? [
        mrkdwn`⚠️ *Alerts for ${channel} can't be posted: ${why}.*`,
        mrkdwn`${fix}, or set NOTIF_DIGEST_CHANNEL to another channel. Notif keeps trying; nothing is lost.`,
      ]
    : [
        mrkdwn`⚠️ *Your watch in ${channel} was removed: ${why}.*`,
        mrkdwn`It no longer sends alerts. ${fix}, then create it again there: ${code('/notif watch')}.`,
        ...settingsLines(watch.settings, environments),
      ];
}

function threadMessage({ event, incidents, mention: whom }: ContentOf<'thread'>) {
  const words = eventWords(event);
  const lines = incidents.map((incident) => joined([words, ...factsOf(incident, event)]));
  const hasButtons = event.what === 'escalated' && incidents.length === 1;
  const below = hasButtons ? incidents.map((incident) => incidentActions(incident)) : [];
  return notice(lines.length === 0 ? [words] : firstOf(lines, 10), whom, below);
}

function factsOf(incident: IncidentNow, { what, at }: IncidentEvent) {
  const { verdict, failures, subscribers, startedAt, lastAt, outage } = incident;
  const head = [numberOf(incident.id), incidentTitle(incident)];
  if (what === 'flared' || (what !== 'resolved' && !isLineReason(what))) return head;
  if (outage !== null) return [...head, ...incidentFacts(incident, 'terse')];
  const span = what === 'resolved' && mrkdwn`${timeNear(startedAt, at)}–${timeNear(lastAt, at)}`;
  return [...head, failureCount(verdict, failures), peopleCount(subscribers), span];
}
