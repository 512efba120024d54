import type { KnownBlock } from '@slack/types';
import { type EnvironmentSummary, type SummaryContent, uncheckedTime } from '../../../digests/summary.ts';
import { type Environment, labelled } from '../../../lib/environment.ts';
import { DAY_MS } from '../../../lib/time/durations.ts';
import type { TimeRange } from '../../../lib/time/time-range.ts';
import { context, divider, header, type MessageContent, message, section } from '../../kit/blocks.ts';
import { failuresChartButton } from '../../kit/buttons.ts';
import { fitRows } from '../../kit/fit.ts';
import { incidentRow } from '../../kit/incident/incident-row.ts';
import { countedLine, failedOf } from '../../kit/incident/names.ts';
import { MOST_MESSAGE_BLOCKS } from '../../kit/limits.ts';
import { badge, code, firstOf, joined, type Markup, mrkdwn, plural } from '../../kit/text.ts';
import { datedWindow, windowsWords } from '../../kit/times.ts';
import { headlineWords } from '../../kit/words/headline-words.ts';

const MOST_ENVIRONMENTS = 10;
const MOST_NAMED = 5;

interface Day extends EnvironmentSummary {
  readonly badge: Markup;
  readonly unchecked: readonly TimeRange[];
  readonly emoji: '⚠️' | '🔴' | '⚪' | '✅';
}

export function summaryMessage(content: SummaryContent, configured: readonly Environment[]): MessageContent {
  const { range, filter } = content;
  const days = content.environments
    .map((summary) => dayOf(summary, range, configured))
    .toSorted((a, b) => WORST.indexOf(a.emoji) - WORST.indexOf(b.emoji) || b.failedEvents - a.failedEvents);
  const shown = days.slice(0, MOST_ENVIRONMENTS).map((day) => ({ day, words: joined(linesOf(day), '\n') }));
  const more = days.length - shown.length;
  const rest = more === 0 ? [] : [mrkdwn`and ${plural(more, 'more environment')}`];
  const headline = headlineOf(content, days);
  const head = [
    ...[header('📋 Daily summary'), section(headline), context(datedWindow(range))],
    ...shown.map(({ day: { environment, failedEvents }, words }) =>
      section(words, failedEvents === 0 ? undefined : failuresChartButton({ environment, filter, ...range })),
    ),
    ...rest.map((words) => context(words)),
  ];
  const incidents = days.flatMap((day) => day.largest.map((incident) => ({ day, incident })));
  const rows = incidents.slice(0, MOST_MESSAGE_BLOCKS).map(({ day, incident }): KnownBlock[] => {
    const beside = days.length > 1 ? day.badge : null;
    // It mentions nobody: yesterday's actions are no reason to notify people.
    const drawing = { messageId: content.id, beside, cause: null, namesPeople: false, isTerse: true };
    return [divider(), ...incidentRow(incident, drawing)];
  });
  const { blocks } = fitRows(head, rows, [], (left) => {
    const all = plural(left + incidents.length - rows.length, 'more incident');
    const span = Math.ceil((range.to.getTime() - range.from.getTime()) / DAY_MS);
    return mrkdwn`${all}: ${code(`/notif history since:${span}d`)}, for each ${code('env:')}.`;
  });
  const text = [headline, datedWindow(range), ...shown.map(({ words }) => words), ...rest];
  return message(mrkdwn`Daily summary: ${joined(text, '. ')}`, blocks);
}

const WORST = ['⚠️', '🔴', '⚪', '✅'];

function dayOf(summary: EnvironmentSummary, range: TimeRange, configured: readonly Environment[]): Day {
  const { environment, incidents, failedEvents, unreadable } = summary;
  const unchecked = uncheckedTime(summary, range);
  const isCalm = incidents.quiet + failedEvents + unreadable === 0;
  const emoji = unchecked.length > 0 ? '⚠️' : incidents.failing > 0 ? '🔴' : isCalm ? '✅' : '⚪';
  return { ...summary, badge: badge(labelled(environment, configured)), unchecked, emoji };
}

function headlineOf({ range, mutes, backlog }: SummaryContent, days: readonly Day[]): Markup {
  const sumOf = (kind: keyof Day['open']) => days.reduce((sum, { open }) => sum + open[kind], 0);
  const open = { firing: sumOf('firing'), critical: sumOf('critical'), unconfirmed: sumOf('unconfirmed') };
  const partial = days.filter(({ unreadable, unchecked }) => unreadable > 0 || unchecked.length > 0);
  const names = joined(
    firstOf(
      partial.map((day) => day.badge),
      MOST_NAMED,
    ),
    ', ',
  );
  const points = [
    ...headlineWords({ open, mutes, backlog }, range.to),
    ...(partial.length === 0 ? [] : [mrkdwn`⚠️ not checked in full: ${names}`]),
    ...(days.length === 0 ? [mrkdwn`⚠️ none of this watch's environments is configured`] : []),
  ];
  return points.length === 0 ? mrkdwn`✅ *All caught up: events checked, alerts sent*` : joined(points, ' · ');
}

function linesOf(day: Day): Markup[] {
  const { counted, belowThreshold, incidents, failedEvents, unchecked } = day;
  const { failing, quiet, recovered } = incidents;
  const isNone = failing + quiet + recovered === 0;
  return [
    mrkdwn`${day.emoji} ${day.badge} · ${failedWords(day, isNone && unchecked.length === 0)}`,
    ...(isNone ? [] : [mrkdwn`${plural(failing, 'incident')} failing · ${quiet} unconfirmed · ${recovered} recovered`]),
    ...(isNone && failedEvents > 0 ? [mrkdwn`None of it is what this watch is about`] : []),
    ...(belowThreshold > 0 ? [mrkdwn`${plural(belowThreshold, 'incident')} below this watch's threshold`] : []),
    ...(Object.values(counted).some((count) => count > 0) ? [countedLine(counted)] : []),
    ...(unchecked.length > 0 ? [mrkdwn`⚠️ Not checked: ${windowsWords(unchecked, datedWindow)}`] : []),
  ];
}

function failedWords({ eventsChecked, failedEvents, unreadable }: Day, isCalm: boolean): Markup {
  const missing = unreadable > 0 ? mrkdwn`, ${unreadable} couldn't be read` : mrkdwn``;
  const checked = mrkdwn`${plural(eventsChecked, 'event')} checked`;
  if (failedEvents > 0) return mrkdwn`${checked}, ${failedOf(failedEvents, eventsChecked)}${missing}`;
  if (!isCalm || unreadable > 0) return mrkdwn`${checked}${missing}`;
  return eventsChecked === 0 ? mrkdwn`no events: the service listed none` : mrkdwn`nothing failed: ${checked}`;
}
