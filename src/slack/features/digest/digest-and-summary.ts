import type { KnownBlock } from '@slack/types';
import { min } from 'date-fns';
import { errorOf } from '../../../causes/explain-cause.ts';
import type { ContentOf, DigestRow } from '../../../digests/content.ts';
import { GROWTH } from '../../../digests/decide.ts';
import type { EnvironmentSummary } from '../../../digests/summary.ts';
import { ALL_FAILURES } from '../../../failures/filter.ts';
import { type IncidentNow, isFiring } from '../../../incidents/incident.ts';
import { type Environment, labelled } from '../../../lib/environment.ts';
import { DAY_MS } from '../../../lib/time/durations.ts';
import { actions, context, contextLines, divider, header, section } from '../../kit/blocks.ts';
import { RUN, runButton } from '../../kit/buttons.ts';
import { fittingMessage, rowsMessage } from '../../kit/fit.ts';
import { type IncidentCtx, incidentRow, rowEmoji } from '../../kit/incident/incident-row.ts';
import { incidentTitle, subjectText, titleText, whyText } from '../../kit/incident/incident-words.ts';
import type { MessageContent } from '../../kit/message.ts';
import {
  badge,
  code,
  firstOf,
  grouped,
  joined,
  type Line,
  type Markup,
  mention,
  mrkdwn,
  pageLink,
  plural,
  present,
} from '../../kit/text.ts';
import { datedWindow, time, windowsWords } from '../../kit/times.ts';
import { failedShare, numberOf } from '../../kit/words/names.ts';
import { headlineWords } from '../../kit/words/watch-words.ts';
import { failuresChartButton, failureText } from '../../router/failure-command.ts';

type DigestContent = ContentOf<'digest'>;
type SummaryContent = ContentOf<'summary'>;

/** A header is plain text and takes no mention. */
export function digestMessage(content: DigestContent, options: IncidentCtx): MessageContent {
  const { mention: whom, rows, moreIncidents } = content;
  const { label } = labelled(content.environment, options.environments);
  const [first] = rows;
  const head = [
    whom && section(mention(whom)),
    ...(first === undefined ? [] : [header(digestTitle(first.incident, content, label)), divider()]),
  ];
  const body = rowBlocks(content, options);
  return fittingMessage(body.length, (shown) => {
    return [...head, ...body.slice(0, shown).flat(), ...foot(content, body.length - shown + moreIncidents, label)];
  });
}

function digestTitle(first: IncidentNow, { rows, moreIncidents }: DigestContent, label: string): string {
  const count = rows.length + moreIncidents;
  const where = `${emojiOf(rows, moreIncidents)} ${label}`;
  if (count === 1) return `${where} · ${titleText(first)}`;
  const areNew = rows.every(({ reason }) => reason === 'new');
  return `${where} · ${grouped(count)} ${areNew ? 'new' : 'incidents'}: ${subjectText(first)} · +${grouped(count - 1)}`;
}

function emojiOf(rows: readonly DigestRow[], moreIncidents: number): string {
  const live = rows.filter(({ isContinued }) => !isContinued);
  if (live.length + moreIncidents === 0) return '🔁';
  const firing = live.find(({ incident }) => isFiring(incident.state));
  if (firing !== undefined) return rowEmoji(firing.incident);
  return moreIncidents === 0 && live.every(({ incident }) => incident.state.is === 'resolved') ? '✅' : '⚪';
}

function rowBlocks({ id, channel, rows, moreIncidents }: DigestContent, options: IncidentCtx): KnownBlock[][] {
  const isAlone = rows.length + moreIncidents === 1;
  return rows.map((row) => {
    const { incident, isContinued } = row;
    if (isContinued) {
      const title = !isAlone && incidentTitle(incident);
      return [section(joined([title, numberOf(incident.id), mrkdwn`continued below`], ' · '))];
    }
    const cause = options.explainCause(errorOf(incident));
    const size = isAlone ? 'headed' : 'terse';
    return incidentRow(incident, { messageId: id, beside: olderLink(row, channel) ?? reasonWords(row), cause, size });
  });
}

function reasonWords({ incident, reason, missed }: DigestRow): Markup | null {
  if (reason === 'missed') return missed === null ? mrkdwn`failed while muted` : mrkdwn`${missed} while muted`;
  if (!isFiring(incident.state)) return null;
  if (reason === 'grown') return mrkdwn`up ${GROWTH}×`;
  return reason === 'goes-on' ? mrkdwn`ongoing since ${time(incident.startedAt, 'day')}` : null;
}

/** Slack's client opens its own links to messages. */
function olderLink({ incident, reason, olderTs }: DigestRow, channel: string): Markup | null {
  if (reason !== 'relapsed' || olderTs === null || !isFiring(incident.state)) return null;
  return pageLink(`https://slack.com/archives/${channel}/p${olderTs.replace('.', '')}`, 'Last time');
}

function foot({ environment, rows, singles }: DigestContent, left: number, label: string): KnownBlock[] {
  const from = min([...rows.map(({ incident }) => incident), ...singles].map(({ startedAt }) => startedAt));
  const text = failureText('history', { environment, filter: ALL_FAILURES, from, to: null });
  // The first page: what is typed may not reach back so far.
  const show = (label: string) => runButton(label, text, RUN, { before: 0, cursor: '' });
  const words = mrkdwn`… and ${plural(left, 'more incident')}`;
  const more = left === 0 ? [] : [context(words), ...actions([show('Show all')])];
  // A row's header says where.
  const where = rows.length === 0 && badge({ label });
  const single = singles.length === 0 ? [] : [section(singlesWords(singles, where), show('View'))];
  const foot = [...more, ...single];
  return rows.length === 0 || foot.length === 0 ? foot : [divider(), ...foot];
}

const MOST_CAUSES = 4;

function singlesWords(singles: readonly IncidentNow[], where: Line): Markup {
  const causes = new Map<string, number>();
  for (const { headline, cause, subscribers } of singles) {
    const text = whyText(headline, cause.text);
    causes.set(text, (causes.get(text) ?? 0) + Math.max(1, subscribers));
  }
  const counted = [...causes].map(([text, people]) => mrkdwn`${people}× ${text}`);
  const causesWords = joined(firstOf(counted, MOST_CAUSES), ' · ');
  return mrkdwn`⚪ ${joined([where, mrkdwn`Single failures, no pattern: ${causesWords}`], ' · ')}`;
}

const MOST_ENVIRONMENTS = 10;
const MOST_NAMED = 5;

interface Day extends EnvironmentSummary {
  badge: Markup;
  emoji: '⚠️' | '🔴' | '⚪' | '✅';
}

export function summaryMessage(content: SummaryContent, configured: readonly Environment[]): MessageContent {
  const { range, filter } = content;
  const days = content.environments
    .map((summary) => dayOf(summary, configured))
    .toSorted((a, b) => WORST.indexOf(a.emoji) - WORST.indexOf(b.emoji) || b.failedEvents - a.failedEvents);
  const shown = days.slice(0, MOST_ENVIRONMENTS).map((day) => ({ day, words: joined(linesOf(day), '\n') }));
  const more = days.length - shown.length;
  const headline = headlineOf(content, days);
  const head = [
    header('📋 Daily summary'),
    section(headline),
    context(datedWindow(range)),
    ...shown.map(({ day: { environment, failedEvents }, words }) =>
      section(words, failedEvents === 0 ? undefined : failuresChartButton({ environment, filter, ...range })),
    ),
    ...contextLines([more > 0 && mrkdwn`and ${plural(more, 'more environment')}`]),
  ];
  const rows = days.flatMap(({ largest, badge }) =>
    largest.map((incident): KnownBlock[] => {
      const beside = days.length > 1 ? badge : null;
      return [divider(), ...incidentRow(incident, { messageId: content.id, beside, size: 'terse' })];
    }),
  );
  return rowsMessage(head, rows, [], (left) => {
    const span = Math.ceil((range.to.getTime() - range.from.getTime()) / DAY_MS);
    return mrkdwn`${plural(left, 'more incident')}: ${code(`/notif history since:${span}d`)} in each environment (${code('env:')}).`;
  });
}

const WORST = ['⚠️', '🔴', '⚪', '✅'];

function dayOf(summary: EnvironmentSummary, configured: readonly Environment[]): Day {
  const { environment, open, failedEvents, unreadable, unchecked } = summary;
  const isCalm = open.unconfirmed + failedEvents + unreadable === 0;
  const emoji = unchecked.length > 0 ? '⚠️' : open.firing > 0 ? '🔴' : isCalm ? '✅' : '⚪';
  return { ...summary, badge: badge(labelled(environment, configured)), emoji };
}

function headlineOf({ mutes }: SummaryContent, days: readonly Day[]): Markup {
  const sumOf = (kind: keyof Day['open']) => days.reduce((sum, { open }) => sum + open[kind], 0);
  const open = { firing: sumOf('firing'), critical: sumOf('critical'), unconfirmed: sumOf('unconfirmed') };
  const partial = days.filter(({ unreadable, unchecked }) => unreadable > 0 || unchecked.length > 0);
  const names = partial.map((day) => day.badge);
  const points = present([
    ...headlineWords(open, mutes),
    names.length > 0 && mrkdwn`⚠️ not checked in full: ${joined(firstOf(names, MOST_NAMED), ', ')}`,
    days.length === 0 && mrkdwn`⚠️ none of this watch's environments is configured`,
  ]);
  return points.length === 0 ? mrkdwn`✅ *All up to date: events checked, alerts sent*` : joined(points, ' · ');
}

function linesOf({ emoji, badge, open, resolved, eventsChecked, failedEvents, unreadable, unchecked }: Day): Line[] {
  const { firing, unconfirmed } = open;
  const some = mrkdwn`${failedEvents} failed${failedShare(failedEvents, eventsChecked)}`;
  const failed = failedEvents > 0 ? some : emoji === '✅' && mrkdwn`none failed`;
  const incidents = present([
    firing > 0 && mrkdwn`${firing} failing`,
    unconfirmed > 0 && mrkdwn`${unconfirmed} recovering or unconfirmed`,
    resolved > 0 && mrkdwn`${resolved} resolved`,
  ]);
  const events = [plural(eventsChecked, 'event'), failed, unreadable > 0 && mrkdwn`${unreadable} unreadable`];
  return [
    mrkdwn`${emoji} ${badge} · ${joined(events, ', ')}`,
    incidents.length > 0 && mrkdwn`Incidents: ${joined(incidents, ' · ')}`,
    unchecked.length > 0 && mrkdwn`⚠️ Not checked: ${windowsWords(unchecked, datedWindow)}`,
  ];
}
