import type { FailureFilter } from '../../../judging/filter.ts';
import { type Environment, labeled } from '../../../lib/environment.ts';
import { DAY_MS, lengthOf } from '../../../lib/time/durations.ts';
import type { EnvironmentSummary } from '../../../reports/summary.ts';
import { incidentRow } from '../../incident-view/incident-row.ts';
import { ALL_UP_TO_DATE, mutesWords, openWords } from '../../incident-view/open-words.ts';
import { context, divider, header, section } from '../../kit/blocks.ts';
import { filterWords } from '../../kit/filter-words.ts';
import { type MessageContent, rowsMessage } from '../../kit/message.ts';
import { failedShare } from '../../kit/outcomes.ts';
import { badge, code, joined, listed, type Markup, mrkdwn, plural, present } from '../../kit/text.ts';
import { datedWindow, windowsWords } from '../../kit/times.ts';
import { failuresChartButton } from '../../router/failure-command.ts';
import type { ContentOf } from './content.ts';

const MOST_ENVIRONMENTS = 10;

interface Summary extends EnvironmentSummary {
  badge: Markup;
  emoji: string;
}

const WORST_FIRST = ['⚠️', '🔴', '⚪', '✅'];

export function summaryMessage(content: ContentOf<'summary'>, configured: readonly Environment[]): MessageContent {
  const { range, filter } = content;
  const summaries = content.environments
    .map((summary) => withBadge(summary, configured))
    .toSorted((a, b) => WORST_FIRST.indexOf(a.emoji) - WORST_FIRST.indexOf(b.emoji) || b.failedEvents - a.failedEvents);
  const more = summaries.length - MOST_ENVIRONMENTS;
  const head = [
    header('📋 Daily summary'),
    section(headlineOf(content, summaries)),
    context(datedWindow(range), filterWords(filter)),
    ...summaries.slice(0, MOST_ENVIRONMENTS).map((summary) => {
      const chart = failuresChartButton({ environment: summary.environment, filter, ...range });
      return section(linesOf(summary, filter), summary.failedEvents === 0 ? undefined : chart);
    }),
    context(more > 0 && mrkdwn`and ${plural(more, 'more environment')}`),
  ];
  const rows = summaries.flatMap(({ largest, badge }) =>
    largest.map((incident) => {
      const beside = summaries.length > 1 ? badge : null;
      return [divider(), ...incidentRow(incident, { messageId: content.id, beside, size: 'terse' })];
    }),
  );
  const history = code(`/notif history since:${Math.ceil(lengthOf(range) / DAY_MS)}d`);
  return rowsMessage(head, rows, [], (left) => {
    return mrkdwn`${plural(left, 'more incident')}: ${history} in each environment (${code('env:')}).`;
  });
}

function withBadge(summary: EnvironmentSummary, configured: readonly Environment[]): Summary {
  return { ...summary, badge: badge(labeled(summary.environment, configured)), emoji: emojiOf(summary) };
}

function emojiOf({ open, failedEvents, unreadable, missing }: EnvironmentSummary): string {
  if (missing.length > 0) return '⚠️';
  if (open.firing > 0) return '🔴';
  return open.unconfirmed + failedEvents + unreadable > 0 ? '⚪' : '✅';
}

function headlineOf({ mutes }: ContentOf<'summary'>, summaries: readonly Summary[]) {
  const sumOf = (kind: keyof Summary['open']) => summaries.reduce((sum, { open }) => sum + open[kind], 0);
  const open = { firing: sumOf('firing'), critical: sumOf('critical'), unconfirmed: sumOf('unconfirmed') };
  const partial = summaries.filter(({ unreadable, missing }) => unreadable + missing.length > 0);
  const points = present([
    ...openWords(open),
    mutesWords(mutes),
    partial.length > 0 && mrkdwn`⚠️ not checked in full: ${listed(partial.map(({ badge }) => badge))}`,
    summaries.length === 0 && "⚠️ none of this watch's environments is configured",
  ]);
  return points.length === 0 ? ALL_UP_TO_DATE : joined(points);
}

function linesOf(summary: Summary, filter: FailureFilter) {
  const { emoji, badge, open, resolved, eventsChecked, failedEvents, unreadable, missing } = summary;
  const { firing, unconfirmed } = open;
  // `eventsChecked` ignores the filter, so with one there is no share.
  const share = filterWords(filter) === null ? failedShare(failedEvents, eventsChecked) : '';
  const failed = failedEvents > 0 ? mrkdwn`${failedEvents} failed${share}` : emoji === '✅' && 'none failed';
  const incidents = present([
    firing > 0 && mrkdwn`${firing} failing`,
    unconfirmed > 0 && mrkdwn`${unconfirmed} recovering or unconfirmed`,
    resolved > 0 && mrkdwn`${resolved} resolved`,
  ]);
  const events = [plural(eventsChecked, 'event'), failed, unreadable > 0 && mrkdwn`${unreadable} unreadable`];
  return [
    mrkdwn`${emoji} ${badge} · ${joined(events, ', ')}`,
    incidents.length > 0 && mrkdwn`Incidents: ${joined(incidents)}`,
    missing.length > 0 && mrkdwn`⚠️ Not checked: ${windowsWords(missing, datedWindow)}`,
  ];
}
