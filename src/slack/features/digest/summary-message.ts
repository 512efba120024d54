import type { KnownBlock } from '@slack/types';
import { type SummaryContent, uncheckedTime } from '../../../digests/summary.ts';
import { type Environment, labelled } from '../../../lib/environment.ts';
import { DAY_MS } from '../../../lib/time/durations.ts';
import { context, divider, header, type MessageContent, message, section } from '../../kit/blocks.ts';
import { fitRows } from '../../kit/fit.ts';
import { incidentRow } from '../../kit/incident/incident-row.ts';
import { datedWindow } from '../../kit/incident/window-words.ts';
import { MOST_MESSAGE_BLOCKS } from '../../kit/limits.ts';
import { badge, code, firstOf, joined, type Markup, mrkdwn, plural } from '../../kit/text.ts';
import { headlineWords } from '../../kit/words/headline-words.ts';
import {
  environmentBlocks,
  environmentCounts,
  MOST_WHOLE,
  summariesWorstFirst,
  summaryLines,
} from './summary-environments.ts';

export function summaryMessage(content: SummaryContent, configured: readonly Environment[]): MessageContent {
  const headline = headlineOf(content, configured);
  const head = [header('📋 Daily summary'), section(headline), context(datedWindow(content.range))];
  const environments = environmentBlocks(content, configured);
  const incidents = rowsOf(content, configured);
  const { blocks } = fitRows(head, [...environments.map(({ block }) => [block]), ...incidents], [], (left) => {
    const folded = environments.slice(environments.length + incidents.length - left).flatMap(({ about }) => about);
    const lines = folded.length === 0 ? [] : environmentCounts(folded, content);
    return joined([...lines, ...moreIncidents(Math.min(left, incidents.length), incidents.length, content)], '\n');
  });
  return message(joined(fallbackText(headline, content, configured), ' '), blocks);
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

function fallbackText(headline: Markup, content: SummaryContent, configured: readonly Environment[]): Markup[] {
  const sorted = summariesWorstFirst(content);
  const lines = sorted
    .slice(0, MOST_WHOLE)
    .map((environment) => joined(summaryLines(environment, content, configured), '. '));
  const left = sorted.length - lines.length;
  return [
    mrkdwn`Daily summary: ${headline}.`,
    mrkdwn`${datedWindow(content.range)}.`,
    ...lines,
    ...(left > 0 ? [mrkdwn`and ${plural(left, 'more environment')}`] : []),
  ];
}

/** Those for which there is no room, and those of which no row was built. */
function moreIncidents(left: number, built: number, { environments, range }: SummaryContent): Markup[] {
  const total = environments.reduce((sum, { largest }) => sum + largest.length, 0);
  const more = left + total - built;
  if (more === 0) return [];
  const days = Math.ceil((range.to.getTime() - range.from.getTime()) / DAY_MS);
  const history = code(`/notif history since:${days}d`);
  const elsewhere = environments.length === 1 ? mrkdwn`` : mrkdwn`, environment by environment (${code('env:')})`;
  return [mrkdwn`${plural(more, 'more incident')}: ${history} lists ${more === 1 ? 'it' : 'them'}${elsewhere}.`];
}

/** They mention nobody: yesterday's actions are no reason to notify people. */
function rowsOf(content: SummaryContent, configured: readonly Environment[]): KnownBlock[][] {
  const sorted = summariesWorstFirst(content);
  const incidents = sorted.flatMap(({ environment, largest }) => largest.map((now) => ({ environment, now })));
  return incidents.slice(0, MOST_MESSAGE_BLOCKS).map(({ environment, now }) => {
    const beside = sorted.length > 1 ? badge(labelled(environment, configured)) : null;
    const drawing = { messageId: content.id, beside, cause: null, namesPeople: false, isTerse: true };
    return [divider(), ...incidentRow(now, drawing)];
  });
}
