import { min } from 'date-fns';
import type { DigestRow } from '../../../alerts/content.ts';
import { GROWTH } from '../../../alerts/decide.ts';
import { type IncidentNow, isFiring } from '../../../incidents/incident.ts';
import { ALL_FAILURES } from '../../../judging/filter.ts';
import { labeled } from '../../../lib/environment.ts';
import { messageLink } from '../../../lib/workspace.ts';
import { type IncidentCtx, incidentRow, rowEmoji } from '../../incident-view/incident-row.ts';
import {
  headingText,
  incidentTitle,
  subjectName,
  subjectText,
  titleText,
  whyText,
} from '../../incident-view/incident-title.ts';
import { actions, context, divider, header, type MessageBlock, section } from '../../kit/blocks.ts';
import { runButton } from '../../kit/buttons.ts';
import { fittingMessage, type MessageContent } from '../../kit/message.ts';
import { numberOf } from '../../kit/names.ts';
import {
  badge,
  grouped,
  joined,
  type Line,
  listed,
  mrkdwn,
  pageLink,
  person,
  plural,
  present,
} from '../../kit/text.ts';
import { time, timeNear } from '../../kit/times.ts';
import { failureText } from '../../router/failure-command.ts';
import type { ContentOf } from './content.ts';
import { mentioned } from './notices.ts';

type DigestContent = ContentOf<'digest'>;

const MOST_NAMED = 10;

export function digestMessage(content: DigestContent, options: IncidentCtx): MessageContent {
  const { mention: whom, rows, counted } = content;
  const { label } = labeled(content.environment, options.environments);
  const [first] = rows;
  const head = [
    whom && section(mentioned(whom)),
    ...(first === undefined ? [] : [header(digestTitle(first, content, label)), divider()]),
  ];
  const body = rowBlocks(content, options);
  return fittingMessage(body.length, (shown) => [
    ...head,
    ...body.slice(0, shown).flat(),
    ...foot(content, [...rows.slice(shown), ...counted], options),
  ]);
}

function digestTitle(first: DigestRow, content: DigestContent, label: string): string {
  const { incident, isContinued } = first;
  const { rows, counted } = content;
  const count = rows.length + counted.length;
  const where = `${emojiOf(content)} ${label}`;
  const subject = nameOf(first);
  if (count === 1) return `${where} · ${isContinued ? titleText(incident, subject) : headingText(incident)}`;
  const what = countedWords(rows);
  return `${where} · ${grouped(count)} ${what}: ${subject} · +${grouped(count - 1)}`;
}

const nameOf = ({ incident, isContinued }: DigestRow): string =>
  isContinued ? subjectName(incident) : subjectText(incident);

/** Says how the incidents are now: new ones that have recovered aren't new any more. */
function countedWords(rows: readonly DigestRow[]): string {
  if (rows.every(({ incident }) => incident.state.is === 'resolved')) return 'resolved';
  if (rows.every(({ incident }) => !isFiring(incident.state))) return 'recovered';
  return rows.every(({ reason }) => reason === 'new') ? 'new' : 'incidents';
}

/** 🔁: newer messages show all of its incidents. */
function emojiOf({ rows, counted }: DigestContent): string {
  const live = rows.filter(({ isContinued }) => !isContinued);
  if (live.length + counted.length === 0) return '🔁';
  const firing = live.find(({ incident }) => isFiring(incident.state));
  if (firing !== undefined) return rowEmoji(firing.incident);
  return counted.length === 0 && live.every(({ incident }) => rowEmoji(incident) === '✅') ? '✅' : '⚪';
}

function rowBlocks(content: DigestContent, options: IncidentCtx) {
  const { id, channel, rows, counted } = content;
  const isAlone = rows.length + counted.length === 1;
  return rows.map((row) => {
    const { incident, isContinued } = row;
    if (isContinued) {
      return [
        section(
          joined([
            !isAlone && incidentTitle(incident, subjectName(incident)),
            numberOf(incident.id),
            'continued below',
          ]),
        ),
      ];
    }
    const where = elsewhere(incident, content, options);
    return incidentRow(incident, {
      messageId: id,
      mute: row.mute,
      beside: joined([where, lastTime(row, channel), reasonWords(row)]),
      cause: options.explainCause(incident),
      size: isAlone ? 'headed' : 'terse',
    });
  });
}

/** One outage can affect several environments of a service. */
const elsewhere = (incident: IncidentNow, { environment }: DigestContent, { environments }: IncidentCtx): Line =>
  incident.environment !== environment && badge(labeled(incident.environment, environments));

/** Says why it was posted if that is still so and the row doesn't show it. */
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
  const muted = broke && mrkdwn`muted by ${person(broke.actor)} until ${timeNear(broke.until, incident.asOf)}`;
  const uncounted = reason === 'missed' && 'failed while held back';
  const heldBack = missed === null ? uncounted : mrkdwn`${missed} while held back`;
  return joined([reasonText(row), muted ?? heldBack]);
}

/** When an incident that is back failed before: the older post, which the link leads to, only says that it is continued below. */
function lastTime({ incident, reason, olderTs }: DigestRow, channel: string): Line {
  const { state, earlier, asOf } = incident;
  if (state.is === 'resolved') return null;
  const last = earlier.at(-1) ?? null;
  const when = last && mrkdwn`${timeNear(last.from, asOf)}–${timeNear(last.to, last.from)}`;
  const link = reason === 'back' && olderTs !== null && pageLink(messageLink(channel, olderTs), 'Last time');
  return joined([link || (when && 'last time'), when], ' ');
}

function foot(content: DigestContent, others: readonly DigestRow[], options: IncidentCtx) {
  const { environment, rows, singles } = content;
  const from = min([...rows.map(({ incident }) => incident), ...singles].map(({ beganAt }) => beganAt));
  const text = failureText('history', { environment, filter: ALL_FAILURES, from, to: null });
  // A button with a page can reach further back than typed times.
  const show = (label: string) => runButton(label, text, { offset: 0, cursor: '' });
  const where = rows.length === 0 && badge(labeled(environment, options.environments));
  const names = others.map((row) => {
    const name = mrkdwn`${nameOf(row)} ${numberOf(row.incident.id)}`;
    return joined([elsewhere(row.incident, content, options), name], ' ');
  });
  const blocks = present<MessageBlock>([
    context(
      others.length > 0 && mrkdwn`… and ${plural(others.length, 'more incident')}: ${listed(names, ' · ', MOST_NAMED)}`,
    ),
    ...actions([others.length > 0 && show('Show all')]),
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
