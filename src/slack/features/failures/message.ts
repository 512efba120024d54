import type { ActionsBlock, Button, KnownBlock } from '@slack/types';
import { subMilliseconds } from 'date-fns';
import { severityRank } from '../../../failures/failure.ts';
import type { FailureSummary } from '../../../failures/summary.ts';
import { ANNOUNCED_VERDICTS, COUNTED_VERDICTS, VERDICT_WORDS } from '../../../failures/verdict.ts';
import { HOUR_MS } from '../../../lib/time/durations.ts';
import { describeDuration, type TimeRange } from '../../../lib/time/time-range.ts';
import type { FailuresFound } from '../../../lookups/failures.ts';
import { actions, button, context, divider, type MessageContent, message, section } from '../../kit/blocks.ts';
import { failuresChartButton, offsetButtons } from '../../kit/buttons.ts';
import { type FailureRequest, writeRequest } from '../../kit/failure-request.ts';
import { fitCount } from '../../kit/fit.ts';
import { personal } from '../../kit/for-everyone.ts';
import { FEWEST_FOR_PERCENT, kindSentence, shareWords } from '../../kit/incident/kind-words.ts';
import { countedLine, countedWords, VERDICT_EMOJI } from '../../kit/incident/names.ts';
import { badge, code, joined, type Markup, mrkdwn, plural } from '../../kit/text.ts';
import { time, timeNear, windowNear, windowsWords } from '../../kit/times.ts';
import { serviceTrouble } from '../../kit/words/error-card.ts';
import { filterWords } from '../../kit/words/only-words.ts';
import { type CauseOptions, type CauseTallies, causeRow, causesOf } from './cause-row.ts';

export interface FailuresOptions extends CauseOptions {
  readonly request: FailureRequest;
  readonly now: Date;
  readonly horizonMs: number;
}

export const PREVIOUS = 'failures.previous';
export const NEXT = 'failures.next';
export const REFRESH = 'failures.refresh';
export const OLDER = 'failures.older';
export const SHARE = 'share.failures';

const ROWS_A_PAGE = 10;
const MOST_SPOKEN = 3;

export function failuresMessage(found: FailuresFound, options: FailuresOptions): MessageContent {
  const { request, now, horizonMs } = options;
  const total = causesOf(found).length;
  const page = causesOnPage(found, request);
  const rows = page.map((tallies) => causeRow(tallies, found, options));
  const oldest = found.since ?? subMilliseconds(now, horizonMs);
  const around = { total, oldest, endsNow: endsNow(request, now) };
  const { blocks } = fitCount(rows.length, (shown) => [
    section(headline(found, total, now)),
    ...countLines(found.summary),
    ...filterLine(found),
    ...pageLine(request, shown, total, found.summary.leftOut),
    ...rows.slice(0, shown).flat(),
    divider(),
    ...checkedLines(found, now),
    ...serviceTrouble(found.trouble, found.environment),
    ...requestButtons(request, { ...around, shown }).map(personal),
  ]);
  return message(fallbackText(found, page, options), blocks);
}

/** The largest first, each with its tallies, one per workflow. */
export function causesOnPage(found: FailuresFound, { offset }: FailureRequest): readonly CauseTallies[] {
  return causesOf(found).slice(offset, offset + ROWS_A_PAGE);
}

/** A range that ended this recently is called the last hour instead of by its times. */
const RECENT_MS = 60_000;

function endsNow({ to }: Pick<TimeRange, 'to'>, now: Date): boolean {
  return now.getTime() - to.getTime() <= RECENT_MS;
}

function spanWords({ from, to }: TimeRange, now: Date): Markup {
  const lasted = to.getTime() - from.getTime();
  if (!endsNow({ to }, now)) return mrkdwn`${time(from, 'day')} to ${time(to, 'day')}`;
  return lasted === HOUR_MS ? mrkdwn`last hour` : mrkdwn`last ${describeDuration(lasted)}`;
}

function shareOfEvents({ failedEvents, eventsChecked }: FailuresFound['summary']): Markup {
  const share = shareWords(failedEvents, eventsChecked);
  return eventsChecked < FEWEST_FOR_PERCENT ? share : mrkdwn`${share} of ${plural(eventsChecked, 'event')}`;
}

function headline(found: FailuresFound, causes: number, now: Date): Markup {
  const { environment, summary, range } = found;
  if (causes === 0)
    return found.trouble === null && !isNothingChecked(found) ? nothingFailed(found, now) : nothingKnown(found);
  const failures = failuresIn(summary);
  const hasShare = failures > 0 && summary.eventsChecked >= Math.max(1, summary.failedEvents);
  const what = [
    ...(failures === 0 ? [] : [plural(failures, 'failure')]),
    ...(found.filter.verdicts.length === 0 ? [] : countedWords(summary.counts)),
  ];
  const facts = [
    badge(environment),
    spanWords(range, now),
    mrkdwn`${failures === 0 ? '⚪' : '🔴'} *${joined(what, ', ')} from ${plural(causes, 'cause')}*`,
    ...(hasShare ? [shareOfEvents(summary)] : []),
  ];
  return joined(facts, ' · ');
}

function failuresIn({ counts }: FailureSummary): number {
  return ANNOUNCED_VERDICTS.reduce((sum, verdict) => sum + (counts[verdict] ?? 0), 0);
}

/** Gives the all-clear if everything was checked for this answer. Otherwise the lines below say what wasn't checked. */
function nothingFailed(found: FailuresFound, now: Date): Markup {
  const { environment, summary, read, gaps, freshness } = found;
  const range = mrkdwn`in ${badge(environment)} from ${timeNear(read.from, now)} to ${timeNear(read.to, now)}`;
  const events = `(${plural(summary.eventsChecked, 'event')} checked)`;
  if (isAllChecked(found)) return mrkdwn`✅ No failures ${range} ${events}.`;
  const isWhole = gaps.unchecked.length + gaps.givenUp.length === 0;
  const part = isWhole ? [] : [mrkdwn` Part of the time wasn't checked.`];
  const before = found.since === null ? [] : [mrkdwn` Nothing before that was checked.`];
  const lost = summary.unreadable === 0 ? [] : [mrkdwn` ${plural(summary.unreadable, 'event')} couldn't be read.`];
  const asOf = freshness.asOf === null ? mrkdwn`` : mrkdwn`, as of ${timeNear(freshness.asOf, now, 'seconds')}`;
  return mrkdwn`${isWhole ? '⚪' : '⚠️'} No failures found ${range}${asOf} ${events}.${joined([...lost, ...part, ...before], '')}`;
}

function isAllChecked({ range, read, since, gaps, summary, freshness }: FailuresFound): boolean {
  return (
    freshness.isCurrent &&
    since === null &&
    read.to >= range.to &&
    gaps.unchecked.length + gaps.givenUp.length + summary.unreadable === 0
  );
}

function isNothingChecked({ read }: FailuresFound): boolean {
  return read.from >= read.to;
}

/** The reason, if one is known, is stated below. */
function nothingKnown(found: FailuresFound): Markup {
  const { environment, summary, since } = found;
  const seen =
    summary.eventsChecked > 0
      ? mrkdwn`no failures in the ${plural(summary.eventsChecked, 'event')} that were checked`
      : since === null
        ? mrkdwn`nothing was checked yet`
        : mrkdwn`nothing was checked so far back: ${sinceWords(found, since)}`;
  return mrkdwn`⚠️ ${badge(environment)} · ${seen}`;
}

function sinceWords({ environment, range, read }: FailuresFound, since: Date): Markup {
  const end = new Date(Math.min(since.getTime(), range.to.getTime()));
  const older = `/notif events until:${end.toISOString().slice(0, 16)}Z env:${environment.name}`;
  return mrkdwn`Notif has checked events since ${timeNear(since, read.to)}. Older events: ${code(older)}`;
}

function countLines(summary: FailureSummary): KnownBlock[] {
  const lines = [verdictCounts(summary), severityCounts(summary), onlyCounted(summary)].filter((line) => line !== null);
  return lines.length === 0 ? [] : [context(...lines)];
}

function verdictCounts({ counts }: FailureSummary): Markup | null {
  const present = ANNOUNCED_VERDICTS.filter((verdict) => (counts[verdict] ?? 0) > 0);
  if (present.length === 0) return null;
  return joined(
    present.map((verdict) => mrkdwn`${VERDICT_EMOJI[verdict]} ${counts[verdict] ?? 0} ${VERDICT_WORDS[verdict]}`),
    ' · ',
  );
}

function severityCounts({ bySeverity, critical }: FailureSummary): Markup | null {
  const sorted = [...bySeverity].sort(([a], [b]) => severityRank(a) - severityRank(b));
  const parts = [
    ...(critical > 0 ? [mrkdwn`${critical} critical`] : []),
    ...sorted.map(([severity, events]) => mrkdwn`${events} of severity ${severity}`),
  ];
  return parts.length === 0 ? null : mrkdwn`Events: ${joined(parts, ' · ')}`;
}

function onlyCounted({ counts }: FailureSummary): Markup | null {
  return COUNTED_VERDICTS.some((verdict) => (counts[verdict] ?? 0) > 0) ? countedLine(counts) : null;
}

function filterLine({ filter }: FailuresFound): KnownBlock[] {
  const words = filterWords(filter);
  return words === null ? [] : [context(words)];
}

function pageLine({ offset }: FailureRequest, shown: number, total: number, leftOut: number): KnownBlock[] {
  const page = total <= shown ? [] : [mrkdwn`Causes ${offset + 1}–${offset + shown} of ${total}`];
  const more = leftOut === 0 ? [] : [mrkdwn`${plural(leftOut, 'rarer cause')} left out: a filter shows them`];
  return page.length + more.length === 0 ? [] : [context(joined([...page, ...more], ' · '))];
}

function checkedLines(found: FailuresFound, now: Date): KnownBlock[] {
  const lines = [...coverage(found, now), ...uncheckedLines(found), ...gapLines(found)];
  return lines.length === 0 ? [] : [context(...lines)];
}

function coverage(found: FailuresFound, now: Date): Markup[] {
  if (isNothingChecked(found)) return [];
  const { read, summary, freshness } = found;
  const missing = summary.unreadable > 0 ? [mrkdwn`${summary.unreadable} unreadable`] : [];
  const asOf = freshness.asOf === null ? mrkdwn`` : mrkdwn`, as of ${timeNear(freshness.asOf, now, 'seconds')}`;
  const window = mrkdwn`Checked ${time(read.from, 'day')} to ${time(read.to, 'day')}${asOf}`;
  const back = found.since === null ? [] : [sinceWords(found, found.since)];
  return [joined([window, plural(summary.eventsChecked, 'event'), ...missing, ...back], ' · ')];
}

/** In which failures may be missing from this answer. */
function uncheckedLines({ range, read: { to } }: FailuresFound): Markup[] {
  if (to >= range.to) return [];
  return [mrkdwn`⏳ Not checked yet: ${windowsWords([{ from: to, to: range.to }], windowNear(range.to))}`];
}

function gapLines({ gaps: { unchecked, givenUp }, range }: FailuresFound): Markup[] {
  const words = (windows: readonly TimeRange[]) => windowsWords(windows, windowNear(range.to));
  return [
    ...(unchecked.length === 0 ? [] : [mrkdwn`⏳ Not checked yet: ${words(unchecked)}`]),
    ...(givenUp.length === 0 ? [] : [mrkdwn`⚠️ Not recovered: ${words(givenUp)}`]),
  ];
}

function fallbackText(found: FailuresFound, page: readonly CauseTallies[], { now }: FailuresOptions): Markup {
  const spoken = page.flat().slice(0, MOST_SPOKEN);
  const sentences = spoken.map((tally) => mrkdwn` ${kindSentence(tally)}.`);
  return mrkdwn`${headline(found, causesOf(found).length, now)}${joined(sentences, '')}`;
}

interface PageBounds {
  readonly shown: number;
  readonly total: number;
  /** The earliest time that Notif checks. */
  readonly oldest: Date;
  readonly endsNow: boolean;
}

function requestButtons(request: FailureRequest, around: PageBounds): ActionsBlock[] {
  const { offset, from, to } = request;
  const older = new Date(2 * from.getTime() - to.getTime());
  return actions([
    ...offsetButtons(
      'causes',
      { offset, shown: around.shown, pageSize: ROWS_A_PAGE, hasNext: offset + around.shown < around.total },
      { previous: PREVIOUS, next: NEXT, write: (at) => writeRequest({ ...request, offset: at }) },
    ),
    ...(older >= around.oldest ? [ask('Earlier period', OLDER, { ...request, from: older, to: from, offset: 0 })] : []),
    ...(around.endsNow ? [ask('Refresh', REFRESH, request)] : []),
    failuresChartButton(request),
    ask('Share', SHARE, request),
  ]);
}

function ask(label: string, actionId: string, request: FailureRequest): Button {
  return button(label, actionId, writeRequest(request));
}
