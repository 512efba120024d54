import type { KnownBlock } from '@slack/types';
import type { EnvironmentSummary, SummaryContent } from '../../domain/delivery.ts';
import { type Environment, labelled } from '../../domain/environment.ts';
import { badge } from '../blocks/badge.ts';
import { context, divider, header, type MessageContent, message, section } from '../blocks/blocks.ts';
import { countedLine } from '../blocks/counted-line.ts';
import { episodeRow } from '../blocks/episode-row.ts';
import { fitRows } from '../blocks/fit.ts';
import { joined, type Markup, mrkdwn, plural } from '../blocks/text.ts';
import { windowsWords, windowWords } from './coverage-message.ts';
import { countedTotal } from './title-message.ts';

/** What a day held for a watch, an environment after the other. */
export function summaryMessage(
  { id, span, environments }: SummaryContent,
  configured: readonly Environment[],
): MessageContent {
  const head = [header('📋 Daily summary'), context(windowWords(span))];
  const rows = environments.flatMap((one) => environmentRows(one, id, configured));
  const { blocks } = fitRows(head, rows, [], (left) => mrkdwn`${left} more`);
  const lines = environments.map((one) => joined(linesOf(one, configured), ' '));
  return message(joined([mrkdwn`Daily summary.`, ...lines], ' '), blocks);
}

function environmentRows(summary: EnvironmentSummary, deliveryId: string, configured: readonly Environment[]) {
  const first: KnownBlock[] = [divider(), section(joined(linesOf(summary, configured), '\n'))];
  return [
    first,
    ...summary.largest.map((now) => episodeRow(now, { deliveryId, reason: null, namesPeople: false, isTerse: true })),
  ];
}

function linesOf(summary: EnvironmentSummary, configured: readonly Environment[]): Markup[] {
  const { eventsRead, failedEvents, unreadable, counted, groups, belowThreshold, gaps } = summary;
  const unread = gaps.flatMap((gap) => [...gap.unread, ...gap.givenUp]);
  const missing = unreadable > 0 ? [mrkdwn`${unreadable} could not be read`] : [];
  const failed = failedEvents > 0 ? mrkdwn`${failedEvents} failed` : mrkdwn`nothing failed`;
  const read = joined([mrkdwn`${plural(eventsRead, 'event')} read`, failed, ...missing], ' · ');
  return [
    mrkdwn`${badge(labelled(summary.environment, configured))} · ${read}`,
    mrkdwn`${groups.failing} groups failing · ${groups.quiet} quiet · ${groups.recovered} recovered`,
    ...(belowThreshold > 0 ? [mrkdwn`${plural(belowThreshold, 'group')} below this watch's threshold`] : []),
    ...(countedTotal(counted) > 0 ? [countedLine(counted)] : []),
    ...(unread.length > 0 ? [mrkdwn`⚠️ Not read: ${windowsWords(unread)}`] : []),
  ];
}
