import { min } from 'date-fns';
import type { DigestRow, LineEvent } from '../../../alerts/content.ts';
import { GROWTH } from '../../../alerts/decide.ts';
import { type IncidentWords, messageLink } from '../../../alerts/pager.ts';
import { ALL_FAILURES } from '../../../failures/filter.ts';
import { type IncidentNow, isFiring } from '../../../incidents/incident.ts';
import { CHANNEL_REFUSAL_WORDS } from '../../../lib/channel-refusal.ts';
import { type Environment, labeled } from '../../../lib/environment.ts';
import { unescaped } from '../../../lib/input/slack-text.ts';
import { unreachedWords } from '../../../lib/unreached.ts';
import type { Mention } from '../../../watches/settings.ts';
import {
  endedActions,
  eventWords,
  type IncidentCtx,
  incidentActions,
  incidentMessage,
  incidentRow,
  newsWords,
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
import { atLeast, changedWhen, changedWords, failureCount, numberOf, settingsLines } from '../../kit/words.ts';
import { failureText } from '../../router/failure-command.ts';
import type { Content, ContentOf } from './content.ts';
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
  const what = countedWords(rows);
  return `${where} · ${grouped(count)} ${what}: ${subjectText(incident, isContinued)} · +${grouped(count - 1)}`;
}

/** What is so now: new ones that have recovered aren't new any more. */
function countedWords(rows: readonly DigestRow[]): string {
  if (rows.every(({ incident }) => incident.state.is === 'resolved')) return 'resolved';
  if (rows.every(({ incident }) => !isFiring(incident.state))) return 'recovered';
  return rows.every(({ reason }) => reason === 'new') ? 'new' : 'incidents';
}

function emojiOf(rows: readonly DigestRow[], moreIncidents: number) {
  const live = rows.filter(({ isContinued }) => !isContinued);
  if (live.length + moreIncidents === 0) return '🔁';
  const firing = live.find(({ incident }) => isFiring(incident.state));
  if (firing !== undefined) return rowEmoji(firing.incident);
  return moreIncidents === 0 && live.every(({ incident }) => rowEmoji(incident) === '✅') ? '✅' : '⚪';
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
      mute: row.mute,
      beside: joined([where, olderLink(row, channel), reasonWords(row)]),
      cause: options.explainCause(incident),
      size: isAlone ? 'headed' : 'terse',
    });
  });
}

/** Why it was posted, where the row doesn't say so and it is still so. */
function reasonText({ incident, reason }: DigestRow): Line {
  if (!isFiring(incident.state)) return null;
  switch (reason) {
    case 'every':
      return incident.badness === 'every' && 'every attempt fails';
    case 'critical':
      return incident.critical && 'now critical';
    case 'again':
      return incident.outbreak === 1 && 'failing again';
    case 'grown':
      return `up ${GROWTH}× or more`;
    case 'escalated':
      return incident.acknowledged === null && 'not acknowledged';
    case 'goes-on':
      return mrkdwn`ongoing since ${time(incident.beganAt)}`;
    case 'new':
    case 'back':
    case 'missed':
    case 'single':
      return null;
  }
}

function reasonWords(row: DigestRow): Line {
  const { incident, reason, missed, broke } = row;
  const count = missed === null ? reason === 'missed' && 'failed while held back' : mrkdwn`${missed} while held back`;
  const muted = broke && mrkdwn`muted by ${person(broke.actor)} until ${timeNear(broke.until, incident.asOf)}`;
  return joined([reasonText(row), muted ?? count]);
}

function olderLink({ incident, reason, olderTs }: DigestRow, channel: string): Line {
  if (reason !== 'back' || olderTs === null || !isFiring(incident.state)) return null;
  return pageLink(messageLink(channel, olderTs), 'Last time');
}

function foot({ environment, rows, singles }: DigestContent, left: number, label: string) {
  const from = min([...rows.map(({ incident }) => incident), ...singles].map(({ beganAt }) => beganAt));
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
    case 'line':
      return lineMessage(content);
    case 'personal': {
      const words = newsWords(content.news, content.at);
      return content.incident === null
        ? notice([words, titleOf(content.title)])
        : incidentMessage(options, content.incident, { words });
    }
    case 'test':
      return testMessage(content, labelOf(content.sending));
    case 'resend':
      return resendMessage(content, labelOf(content.sending));
    case 'changes':
      return notice(changesLines(content, labelOf(content)));
    case 'watch-ended':
      return notice(endedLines(content, environments));
  }
}

/** Stands beside news of some time, so that it doesn't say how the incident is. */
const titleOf = (incident: IncidentNow): Line => joined([numberOf(incident.id), incidentTitle(incident, true)]);

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
  const { why, fix } = CHANNEL_REFUSAL_WORDS[end];
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

function lineMessage({ event, incidents, mention: whom, isNamed }: ContentOf<'line'>) {
  const words = eventWords(event);
  const lines = incidents.map((incident) => joined([words, isNamed && titleOf(incident), ...factsOf(incident, event)]));
  const [incident, ...others] = incidents;
  const isAlone = incident !== undefined && others.length === 0;
  const below = present([
    isAlone && event.is === 'escalated' && incidentActions(incident),
    isAlone && isEnd(event) && incident.state.is === 'resolved' && endedActions(incident),
  ]);
  return notice(lines.length === 0 ? [words] : firstOf(lines, 10), whom, below);
}

/** A thread is its incident: only what ended, or got worse, says how much it was. */
function factsOf(incident: IncidentNow, event: LineEvent): readonly Line[] {
  const { verdict, kind } = incident;
  const change = event.is === 'entry' ? event.entry.change : null;
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
