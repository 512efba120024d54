import type { Button } from '@slack/types';
import type { EnvironmentSummary, SummaryContent } from '../../domain/alerting/delivery.ts';
import { summaryHeadline, uncheckedIn } from '../../domain/alerting/summary.ts';
import { type Environment, labelled } from '../../domain/environment.ts';
import type { TimeRange } from '../../domain/time/time-range.ts';
import { badge } from '../blocks/badge.ts';
import { context, divider, header, type MessageContent, message, section } from '../blocks/blocks.ts';
import { failuresChartButton } from '../blocks/buttons/chart-button.ts';
import { fitRows } from '../blocks/fit.ts';
import { countedLine } from '../blocks/incident/counted-line.ts';
import { failedOf } from '../blocks/incident/group-words.ts';
import { incidentRow } from '../blocks/incident/incident-row.ts';
import { datedWindow, windowsWords } from '../blocks/incident/window-words.ts';
import { BUTTON_VALUE } from '../blocks/limits.ts';
import { code, joined, type Markup, mrkdwn, plural } from '../blocks/text.ts';
import { headlineWords } from '../blocks/words/headline-words.ts';

/** Builds a watch's daily summary: at least a line for each environment, even if nothing failed, then the largest groups. */
export function summaryMessage(content: SummaryContent, configured: readonly Environment[]): MessageContent {
  const lines = content.environments.map((one) => linesOf(one, content.range, labelled(one.environment, configured)));
  const headline = headlineWords(summaryHeadline(content), configured);
  const head = [
    header('📋 Daily summary'),
    section(headline),
    context(datedWindow(content.range)),
    ...content.environments.map((one, index) => section(joined(lines[index] ?? [], '\n'), chartOf(one, content))),
  ];
  const { blocks } = fitRows(head, rowsOf(content, configured), [], moreLine);
  const fallbackText = [
    mrkdwn`Daily summary: ${headline}.`,
    mrkdwn`${datedWindow(content.range)}.`,
    ...lines.map((each) => joined(each, '. ')),
  ];
  return message(joined(fallbackText, ' '), blocks);
}

/** [Chart] of what the watch is about, where something failed; left out if a button can't hold all of the watch's names. */
function chartOf(
  { environment, failedEvents }: EnvironmentSummary,
  { range, filter }: SummaryContent,
): Button | undefined {
  if (failedEvents === 0) return undefined;
  const chart = failuresChartButton({ environment, filter, ...range });
  return (chart.value ?? '').length > BUTTON_VALUE ? undefined : chart;
}

function moreLine(left: number): Markup {
  return mrkdwn`${plural(left, 'more group')}: ${code('/notif failures since:1d')} shows them.`;
}

/**
 * Builds the rows. They name their environment if there are several, and mention nobody: yesterday's actions are no reason to notify
 * people.
 */
function rowsOf({ id, environments }: SummaryContent, configured: readonly Environment[]) {
  return environments.flatMap(({ environment, largest }) => {
    const beside = environments.length > 1 ? badge(labelled(environment, configured)) : null;
    const drawing = { deliveryId: id, beside, cause: null, namesPeople: false, isTerse: true };
    return largest.map((now) => [divider(), ...incidentRow(now, drawing)]);
  });
}

function linesOf(summary: EnvironmentSummary, range: TimeRange, environment: Pick<Environment, 'label'>): Markup[] {
  const { counted, belowThreshold } = summary;
  const unchecked = uncheckedIn(summary, range);
  return [
    mrkdwn`${unchecked.length > 0 ? '⚠️' : emoji(summary)} ${badge(environment)} · ${failedWords(summary)}`,
    ...groupsLine(summary),
    ...(belowThreshold > 0 ? [mrkdwn`${plural(belowThreshold, 'incident')} below this watch's threshold`] : []),
    ...(Object.values(counted).some((count) => count > 0) ? [countedLine(counted)] : []),
    ...(unchecked.length > 0 ? [mrkdwn`⚠️ Not checked: ${windowsWords(unchecked, datedWindow)}`] : []),
  ];
}

/** '4,210 events checked, 61 failed (1.4%)'. If nothing failed, it says so and how much was checked. */
function failedWords({ eventsChecked, failedEvents, unreadable }: EnvironmentSummary): Markup {
  const missing = unreadable > 0 ? mrkdwn`, ${unreadable} couldn't be read` : mrkdwn``;
  const read = mrkdwn`${plural(eventsChecked, 'event')} checked`;
  if (failedEvents > 0) return mrkdwn`${read}, ${failedOf(failedEvents, eventsChecked)}${missing}`;
  if (eventsChecked === 0) return mrkdwn`no events: the service listed none${missing}`;
  return mrkdwn`nothing failed: ${read}${missing}`;
}

/** Describes the watch's incidents. All failures may be ones that the watch doesn't cover. */
function groupsLine({ failedEvents, groups: { failing, quiet, recovered } }: EnvironmentSummary): Markup[] {
  if (failing + quiet + recovered === 0) return failedEvents > 0 ? [NOT_ITS_OWN] : [];
  return [mrkdwn`${plural(failing, 'incident')} failing · ${quiet} quiet · ${recovered} recovered`];
}

const NOT_ITS_OWN = mrkdwn`None of it is what this watch is about`;

function emoji({ groups, failedEvents, unreadable }: EnvironmentSummary): string {
  if (groups.failing > 0) return '🔴';
  return groups.quiet + failedEvents + unreadable > 0 ? '⚪' : '✅';
}
