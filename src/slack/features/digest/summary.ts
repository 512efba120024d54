import type { KnownBlock } from '@slack/types';
import { type EnvironmentSummary, type SummaryContent, uncheckedTime } from '../../../digests/summary.ts';
import { type Environment, labelled } from '../../../lib/environment.ts';
import { DAY_MS } from '../../../lib/time/durations.ts';
import { context, divider, header, type MessageContent, message, section } from '../../kit/blocks.ts';
import { failuresChartButton } from '../../kit/buttons.ts';
import { fitRows } from '../../kit/fit.ts';
import { incidentRow } from '../../kit/incident/incident-row.ts';
import { failedOf } from '../../kit/incident/kind-words.ts';
import { countedLine } from '../../kit/incident/names.ts';
import { MOST_MESSAGE_BLOCKS } from '../../kit/limits.ts';
import { badge, code, firstOf, joined, type Markup, mrkdwn, plural } from '../../kit/text.ts';
import { datedWindow, windowsWords } from '../../kit/times.ts';
import { headlineWords } from '../../kit/words/headline-words.ts';

/** Those after them are only counted. */
const MOST_ENVIRONMENTS = 10;

export function summaryMessage(content: SummaryContent, configured: readonly Environment[]): MessageContent {
  const { range } = content;
  const headline = headlineOf(content, configured);
  const summaries = content.environments.toSorted(
    (a, b) => rank(a, range) - rank(b, range) || b.failedEvents - a.failedEvents,
  );
  const shown = summaries.slice(0, MOST_ENVIRONMENTS).map((summary) => {
    const { environment, failedEvents } = summary;
    const lines = summaryLines(summary, content, configured);
    const chart =
      failedEvents === 0 ? undefined : failuresChartButton({ environment, filter: content.filter, ...range });
    return { lines, block: section(joined(lines, '\n'), chart) };
  });
  const more = summaries.slice(MOST_ENVIRONMENTS);
  const rest = more.length === 0 ? [] : [moreWords(more)];
  const head = [
    ...[header('📋 Daily summary'), section(headline), context(datedWindow(range))],
    ...shown.map(({ block }) => block),
    ...rest.map((words) => context(words)),
  ];
  const rows = rowsOf(summaries, content, configured);
  const { blocks } = fitRows(head, rows, [], (left) => moreIncidents(left, content));
  const lines = shown.map((summary) => joined(summary.lines, '. '));
  return message(
    joined([mrkdwn`Daily summary: ${headline}.`, mrkdwn`${datedWindow(range)}.`, ...lines, ...rest], ' '),
    blocks,
  );
}

function headlineOf(
  { environments, range, mutes, backlog }: SummaryContent,
  configured: readonly Environment[],
): Markup {
  const firing = environments.reduce((sum, { open }) => sum + open.firing, 0);
  const critical = environments.reduce((sum, { open }) => sum + open.critical, 0);
  const unconfirmed = environments.reduce((sum, { open }) => sum + open.unconfirmed, 0);
  const unchecked = environments.filter(
    (summary) => summary.unreadable > 0 || uncheckedTime(summary, range).length > 0,
  );
  const names = firstOf(
    unchecked.map(({ environment }) => badge(labelled(environment, configured))),
    MOST_NAMED,
  );
  const points = [
    ...headlineWords({ open: { firing, critical, unconfirmed }, mutes, backlog }, range.to),
    ...(unchecked.length === 0 ? [] : [mrkdwn`⚠️ not checked in full: ${joined(names, ', ')}`]),
    ...(environments.length === 0 ? [mrkdwn`⚠️ none of this watch's environments is configured`] : []),
  ];
  return points.length === 0 ? mrkdwn`✅ *All caught up: events checked, alerts sent*` : joined(points, ' · ');
}

const MOST_NAMED = 5;

/** The worst first. */
function rank(summary: EnvironmentSummary, range: SummaryContent['range']): number {
  return uncheckedTime(summary, range).length > 0 ? 0 : ['🔴', '⚪', '✅'].indexOf(emoji(summary)) + 1;
}

function emoji({ incidents, failedEvents, unreadable }: EnvironmentSummary): '🔴' | '⚪' | '✅' {
  if (incidents.failing > 0) return '🔴';
  return incidents.quiet + failedEvents + unreadable > 0 ? '⚪' : '✅';
}

function moreWords(summaries: readonly EnvironmentSummary[]): Markup {
  const failed = summaries.reduce((sum, { failedEvents }) => sum + failedEvents, 0);
  return mrkdwn`and ${plural(summaries.length, 'more environment')}: ${plural(failed, 'event')} failed`;
}

/** The first says how much was checked and how much failed. */
function summaryLines(
  summary: EnvironmentSummary,
  { range }: SummaryContent,
  configured: readonly Environment[],
): Markup[] {
  const { environment, counted, belowThreshold, incidents, failedEvents } = summary;
  const { failing, quiet, recovered } = incidents;
  const unchecked = uncheckedTime(summary, range);
  const isNone = failing + quiet + recovered === 0;
  return [
    mrkdwn`${unchecked.length > 0 ? '⚠️' : emoji(summary)} ${badge(labelled(environment, configured))} · ${failedWords(summary, isNone && unchecked.length === 0)}`,
    ...(isNone ? [] : [mrkdwn`${plural(failing, 'incident')} failing · ${quiet} unconfirmed · ${recovered} recovered`]),
    ...(isNone && failedEvents > 0 ? [mrkdwn`None of it is what this watch is about`] : []),
    ...(belowThreshold > 0 ? [mrkdwn`${plural(belowThreshold, 'incident')} below this watch's threshold`] : []),
    ...(Object.values(counted).some((count) => count > 0) ? [countedLine(counted)] : []),
    ...(unchecked.length > 0 ? [mrkdwn`⚠️ Not checked: ${windowsWords(unchecked, datedWindow)}`] : []),
  ];
}

/** Events that couldn't be read, or are from a time that wasn't checked, may have failed. */
function failedWords({ eventsChecked, failedEvents, unreadable }: EnvironmentSummary, isCalm: boolean): Markup {
  const missing = unreadable > 0 ? mrkdwn`, ${unreadable} couldn't be read` : mrkdwn``;
  const checked = mrkdwn`${plural(eventsChecked, 'event')} checked`;
  if (failedEvents > 0) return mrkdwn`${checked}, ${failedOf(failedEvents, eventsChecked)}${missing}`;
  if (!isCalm || unreadable > 0) return mrkdwn`${checked}${missing}`;
  return eventsChecked === 0 ? mrkdwn`no events: the service listed none` : mrkdwn`nothing failed: ${checked}`;
}

/** They mention nobody: yesterday's actions are no reason to notify people. */
function rowsOf(
  summaries: readonly EnvironmentSummary[],
  { id: messageId }: SummaryContent,
  configured: readonly Environment[],
): KnownBlock[][] {
  const incidents = summaries.flatMap(({ environment, largest }) =>
    largest.map((incident) => ({ environment, incident })),
  );
  return incidents.slice(0, MOST_MESSAGE_BLOCKS).map(({ environment, incident }) => {
    const beside = summaries.length > 1 ? badge(labelled(environment, configured)) : null;
    return [divider(), ...incidentRow(incident, { messageId, beside, cause: null, namesPeople: false, isTerse: true })];
  });
}

function moreIncidents(left: number, { environments, range }: SummaryContent): Markup {
  const total = environments.reduce((sum, { largest }) => sum + largest.length, 0);
  const more = left + Math.max(0, total - MOST_MESSAGE_BLOCKS);
  const days = Math.ceil((range.to.getTime() - range.from.getTime()) / DAY_MS);
  return mrkdwn`${plural(more, 'more incident')}: ${code(`/notif history since:${days}d`)} lists ${more === 1 ? 'it' : 'them'}, for each ${code('env:')}.`;
}
