import type { Button, KnownBlock } from '@slack/types';
import { type EnvironmentSummary, type SummaryContent, uncheckedTime } from '../../../digests/summary.ts';
import { type Environment, labelled } from '../../../lib/environment.ts';
import type { TimeRange } from '../../../lib/time/time-range.ts';
import { context, section } from '../../kit/blocks.ts';
import { failuresChartButton } from '../../kit/buttons.ts';
import { failedOf } from '../../kit/incident/kind-words.ts';
import { countedLine } from '../../kit/incident/verdict-word.ts';
import { datedWindow, windowsWords } from '../../kit/incident/window-words.ts';
import { BUTTON_VALUE } from '../../kit/limits.ts';
import { badge, joined, type Markup, mrkdwn, plural } from '../../kit/text.ts';

/** Further environments have only their first line, and those after them are counted. */
export const MOST_WHOLE = 8;
const MOST_SHORT = 32;
/** With the longest names, as many lines as a section holds. */
const LINES_A_SECTION = 8;

/** `about`: the environments that only this block shows. */
export interface EnvironmentsBlock {
  readonly block: KnownBlock;
  readonly about: readonly EnvironmentSummary[];
}

export function summariesWorstFirst({ environments, range }: SummaryContent): EnvironmentSummary[] {
  return environments.toSorted((a, b) => rank(a, range) - rank(b, range) || b.failedEvents - a.failedEvents);
}

function rank(summary: EnvironmentSummary, range: TimeRange): number {
  return uncheckedTime(summary, range).length > 0 ? 0 : ['🔴', '⚪', '✅'].indexOf(emoji(summary)) + 1;
}

/** A section each, then a line each, then a count. */
export function environmentBlocks(content: SummaryContent, configured: readonly Environment[]): EnvironmentsBlock[] {
  const sorted = summariesWorstFirst(content);
  const rest = sorted.slice(MOST_WHOLE + MOST_SHORT);
  const sections = sorted.slice(0, MOST_WHOLE).map((environment) => ({
    block: section(joined(summaryLines(environment, content, configured), '\n'), chartOf(environment, content)),
    about: [environment],
  }));
  for (let from = MOST_WHOLE; from < MOST_WHOLE + MOST_SHORT && from < sorted.length; from += LINES_A_SECTION) {
    const about = sorted.slice(from, from + LINES_A_SECTION);
    const lines = about.flatMap((environment) => summaryLines(environment, content, configured).slice(0, 1));
    sections.push({ block: section(joined(lines, '\n')), about });
  }
  return rest.length === 0
    ? sections
    : [...sections, { block: context(...environmentCounts(rest, content)), about: rest }];
}

export function environmentCounts(environments: readonly EnvironmentSummary[], { range }: SummaryContent): Markup[] {
  const fine = environments.filter((environment) => rank(environment, range) === 3);
  const others = environments.length - fine.length;
  const failed = environments.reduce((sum, environment) => sum + environment.failedEvents, 0);
  return [
    ...(others === 0
      ? []
      : [
          mrkdwn`⚠️ ${plural(others, 'more environment')} with failures, or not checked in full: ${plural(failed, 'event')} failed`,
        ]),
    ...(fine.length === 0 ? [] : [mrkdwn`✅ ${plural(fine.length, 'more environment')} without failures`]),
  ];
}

/** None if nothing failed, or if a button can't hold all of the watch's names. */
function chartOf(
  { environment, failedEvents }: EnvironmentSummary,
  { range, filter }: SummaryContent,
): Button | undefined {
  if (failedEvents === 0) return undefined;
  const chart = failuresChartButton({ environment, filter, ...range });
  return (chart.value ?? '').length > BUTTON_VALUE ? undefined : chart;
}

/** The first says how much was checked and how much failed. */
export function summaryLines(
  summary: EnvironmentSummary,
  { range }: SummaryContent,
  configured: readonly Environment[],
): Markup[] {
  const { environment, counted, belowThreshold } = summary;
  const unchecked = uncheckedTime(summary, range);
  return [
    mrkdwn`${unchecked.length > 0 ? '⚠️' : emoji(summary)} ${badge(labelled(environment, configured))} · ${failedWords(summary, unchecked.length === 0)}`,
    ...incidentsLine(summary),
    ...(belowThreshold > 0 ? [mrkdwn`${plural(belowThreshold, 'incident')} below this watch's threshold`] : []),
    ...(Object.values(counted).some((count) => count > 0) ? [countedLine(counted)] : []),
    ...(unchecked.length > 0 ? [mrkdwn`⚠️ Not checked: ${windowsWords(unchecked, datedWindow)}`] : []),
  ];
}

/**
 * Events that couldn't be read, or are from a time that wasn't checked, may have failed, and a watch of warnings has
 * incidents without a failed event.
 */
function failedWords(summary: EnvironmentSummary, isChecked: boolean): Markup {
  const { eventsChecked, failedEvents, unreadable } = summary;
  const missing = unreadable > 0 ? mrkdwn`, ${unreadable} couldn't be read` : mrkdwn``;
  const checked = mrkdwn`${plural(eventsChecked, 'event')} checked`;
  if (failedEvents > 0) return mrkdwn`${checked}, ${failedOf(failedEvents, eventsChecked)}${missing}`;
  if (incidentsOf(summary) > 0) return mrkdwn`${checked}${missing}`;
  if (unreadable > 0 || !isChecked) return mrkdwn`${checked}, 0 failed${missing}`;
  return eventsChecked === 0 ? mrkdwn`no events: the service listed none` : mrkdwn`nothing failed: ${checked}`;
}

/** All failures may be ones that the watch doesn't cover. */
function incidentsLine(summary: EnvironmentSummary): Markup[] {
  const { failing, quiet, recovered } = summary.incidents;
  if (incidentsOf(summary) === 0) return summary.failedEvents > 0 ? [NOT_ITS_OWN] : [];
  return [mrkdwn`${plural(failing, 'incident')} failing · ${quiet} unconfirmed · ${recovered} recovered`];
}

function incidentsOf({ incidents: { failing, quiet, recovered } }: EnvironmentSummary): number {
  return failing + quiet + recovered;
}

const NOT_ITS_OWN = mrkdwn`None of it is what this watch is about`;

function emoji({ incidents, failedEvents, unreadable }: EnvironmentSummary): '🔴' | '⚪' | '✅' {
  if (incidents.failing > 0) return '🔴';
  return incidents.quiet + failedEvents + unreadable > 0 ? '⚪' : '✅';
}
