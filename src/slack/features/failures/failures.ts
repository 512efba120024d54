import { addMilliseconds, subMilliseconds } from 'date-fns';
import { isNotAFailure } from '../../../failures/verdict.ts';
import type { IncidentNow } from '../../../incidents/incident.ts';
import { incidentsNow } from '../../../incidents/incidents-now.ts';
import { maskedId } from '../../../lib/text/shown-id.ts';
import {
  DAY_MS,
  describeDuration,
  HOUR_MS,
  lengthOf,
  overlap,
  SECOND_MS,
  type TimeRange,
  withoutRanges,
} from '../../../lib/time/durations.ts';
import { clockTime, weekdayAndDay } from '../../../lib/time/wall-clock.ts';
import {
  type Chart,
  type Checked,
  chartFailures,
  type FailuresFound,
  type FoundCause,
  findFailures,
  MOST_CAUSES,
  reachesNow,
} from '../../../lookups/failures.ts';
import { failedRequest } from '../../../service/problem-words.ts';
import type { SlackCtx } from '../../ctx.ts';
import { incidentActions, withMenu } from '../../incident-view/incident-actions.ts';
import { incidentRow, rowEmoji } from '../../incident-view/incident-row.ts';
import { whyText } from '../../incident-view/incident-title.ts';
import { stateWords } from '../../incident-view/incident-words.ts';
import { actions, chartBlock, context, divider, type MessageBlock, personal, section } from '../../kit/blocks.ts';
import { errorCard } from '../../kit/error-card.ts';
import { nextLine } from '../../kit/explanation.ts';
import { filterWords } from '../../kit/filter-words.ts';
import { textForEveryone } from '../../kit/for-everyone.ts';
import { fittingMessage, type MessageContent, message } from '../../kit/message.ts';
import { channelVia, numberOf } from '../../kit/names.ts';
import { countedWords, failedShare, failureCount, OUTCOME_EMOJI, peopleCount } from '../../kit/outcomes.ts';
import {
  atNear,
  badge,
  grouped,
  joined,
  type Line,
  listed,
  type Markup,
  mrkdwn,
  named,
  percent,
  plural,
  time,
  timeNear,
  windowNear,
  windowsWords,
} from '../../kit/text.ts';
import type { Command } from '../../router/command.ts';
import {
  type FailureRequest,
  failureButton,
  failureCommand,
  failureShareButton,
  failuresChartButton,
} from '../../router/failure-command.ts';

export function failureCommands(ctx: SlackCtx): Command[] {
  return [
    failureCommand(ctx, {
      usualMs: HOUR_MS,
      word: 'failures',
      about: 'what failed in the last hour, or since:2h, by cause',
      examples: ['', 'since:2h channel:email', 'workflow:order-shipped severity:high'],
      answer: async (request, { environment }) => {
        const summary = await findFailures({ ...ctx, environment }, request, request.filter);
        const now = ctx.now();
        const ids = causesOnPage(summary, request).map(({ incidentId }) => incidentId);
        const incidents = await incidentsNow(ctx.db, ids, null, now);
        return failuresMessage(summary, { ...ctx, incidents, request, now });
      },
    }),
    failureCommand(ctx, {
      usualMs: HOUR_MS,
      word: 'chart',
      about: 'the same failures over time, as a chart',
      examples: ['', 'since:1d provider:sendgrid'],
      answer: async (request, { environment, timeZone }) => {
        const chart = await chartFailures({ ...ctx, environment }, request, request.filter);
        return chartMessage(chart, request, timeZone, ctx.now());
      },
    }),
  ];
}

export interface FailuresOptions extends Pick<SlackCtx, 'explainCause'> {
  request: FailureRequest;
  incidents: ReadonlyMap<number, IncidentNow>;
  now: Date;
}

const ROWS_A_PAGE = 10;

export function failuresMessage(summary: FailuresFound, options: FailuresOptions): MessageContent {
  const { request, now } = options;
  const { filter, page, from } = request;
  const earlier = { ...request, from: subMilliseconds(from, lengthOf(request)), to: from };
  const causes = causesOnPage(summary, request).flatMap((cause) => {
    const incident = options.incidents.get(cause.incidentId);
    return incident ? { ...cause, incident } : [];
  });
  const counted = countedWords(summary.counts);
  const offset = page?.offset ?? 0;
  const total = summary.causes.length;
  return fittingMessage(causes.length, (shown) => [
    ...outageRow(summary),
    section(headline(summary, filter, now)),
    context(
      counted.length > 0 && filter.verdicts.length === 0 && mrkdwn`Not alerted: ${joined(counted)}`,
      filterWords(filter),
      shown < total &&
        mrkdwn`Causes ${offset + 1}–${offset + shown} of ${total}${total < MOST_CAUSES ? '' : ' or more'}`,
    ),
    ...causes.slice(0, shown).flatMap((cause) => causeRow(cause, options)),
    divider(),
    context(...checkedLines(summary, now)),
    ...(summary.trouble === null || summary.outage !== null
      ? []
      : errorCard(failedRequest(summary.trouble, summary.environment)).blocks),
    ...actions([
      offset + shown < total && failureButton('Load more', 'failures', request, offset + shown),
      failuresChartButton(request),
      summary.since === null && failureButton('Earlier', 'failures', earlier),
      failureShareButton('failures', request, offset),
    ]).map(personal),
  ]);
}

function causesOnPage({ causes }: FailuresFound, { page }: FailureRequest) {
  const offset = page?.offset ?? 0;
  return causes.slice(offset, offset + ROWS_A_PAGE);
}

function headline(summary: FailuresFound, filter: FailureRequest['filter'], now: Date) {
  const { environment, causes, failedEvents, eventsChecked, counts } = summary;
  if (causes.length === 0) return noneWords(summary, filter, now);
  const hasShare = filterWords(filter) === null && failedEvents <= eventsChecked;
  const all = hasShare ? mrkdwn`${failedEvents} of ${plural(eventsChecked, 'event')}` : plural(failedEvents, 'event');
  // An event can fail at several steps, so failures can outnumber events.
  const failures = causes.reduce((sum, cause) => sum + cause.failures, 0);
  const facts = [
    failedEvents > 0 && mrkdwn`${all} failed${hasShare ? failedShare(failedEvents, eventsChecked) : ''}`,
    ...(filter.verdicts.length > 0 ? countedWords(counts) : [failures > failedEvents && plural(failures, 'failure')]),
  ];
  return mrkdwn`${failedEvents === 0 ? '⚪' : '🔴'} ${badge(environment)} ${spanWords(summary, now)}: *${joined(facts, ', ')}*`;
}

/** A transaction gets no all-clear, since it may be older than the range. */
function noneWords(checked: Checked, filter: FailureRequest['filter'], now: Date) {
  const { environment, since, unreadable, eventsChecked } = checked;
  const isClear = isAllChecked(checked) && since === null && unreadable === 0 && filter.transactions.length === 0;
  const isAll = filterWords(filter) === null;
  const none = mrkdwn`${isClear ? '✅' : '⚪'} No ${isAll ? '' : 'matching '}failures${isClear ? '' : ' found'}`;
  const count = isAll ? mrkdwn` (${plural(eventsChecked, 'event')})` : '';
  return nothingChecked(checked, now) ?? mrkdwn`${none} in ${badge(environment)} ${spanWords(checked, now)}${count}.`;
}

function causeRow(row: FoundCause & { incident: IncidentNow }, { explainCause, now }: FailuresOptions) {
  const { incident, workflows, verdict, firstSeen, lastSeen, example } = row;
  const { channel, provider, isTest, state } = incident;
  const emoji = isNotAFailure(verdict) ? OUTCOME_EMOJI[verdict] : rowEmoji({ ...incident, verdict });
  const span = { from: firstSeen, to: lastSeen };
  const nameOf = ({ name }: { name: string }) => named(maskedId(name));
  const counted = [
    mrkdwn`${emoji} *${`${channelVia(channel, provider)}: ${whyText(incident)}`}*`,
    failureCount(verdict, row.failures),
    peopleCount(row.subscribers),
  ];
  if (!isNotAFailure(verdict) && state.is === 'resolved') {
    const facts = [...counted, mrkdwn`resolved ${atNear(state.at, now)}`, numberOf(incident.id)];
    return [divider(), withMenu(section(joined(facts)), incident)];
  }
  const facts = [
    ...counted,
    ...(workflows.length === 1 ? workflows.map(nameOf) : []),
    lengthOf(span) < 1_000 ? timeNear(firstSeen, now, 'seconds') : windowNear(now)(span),
    row.critical && 'critical',
    isTest && 'test',
    numberOf(incident.id),
  ];
  const places = workflows.map((workflow) => mrkdwn`${nameOf(workflow)} ${workflow.failures}`);
  const lines = [
    joined(facts),
    ...stateWords(incident),
    nextLine(explainCause(incident), incident.attempts),
    workflows.length > 1 && listed(places, ' · '),
  ];
  return [divider(), section(lines), incidentActions({ ...incident, example })];
}

/** Slack's charts can't show each reader's own time zone. */
export function chartMessage(chart: Chart, request: FailureRequest, timeZone: string, now: Date): MessageContent {
  const { environment, buckets, series, attempts } = chart;
  const failures = series.reduce((sum, { failures }) => sum + failures, 0);
  const missing = checkedLines(chart, now);
  const filterLine = filterWords(request.filter);
  if (failures === 0) {
    const none = section([noneWords(chart, request.filter, now), filterLine]);
    return message([...outageRow(chart), none, context(...missing)]);
  }
  const tried = attempts?.reduce((sum, count) => sum + count, 0);
  const share = tried === undefined ? '' : `, ${percent(failures, tried)} of ${grouped(tried)} attempts`;
  const shown = checkedBuckets(chart);
  const lines = series.map(({ name, counts, failures }) => {
    const values = shown.map((at) => {
      const count = counts[at] ?? 0;
      return attempts === null ? count : percentOf(count, attempts[at] ?? 0);
    });
    return { name: name === null ? 'others' : textForEveryone(maskedId(name)), values, failures };
  });
  const counted = lines.map(({ name, failures }) => mrkdwn`${failures} ${name}`);
  return message([
    ...outageRow(chart),
    section([mrkdwn`Failures in ${badge(environment)} ${spanWords(chart, now)}`, filterLine]),
    chartBlock({
      title: `${plural(failures, 'failure')}${share}`,
      categories: labelsOf(chart, shown, timeZone),
      series: lines,
      xLabel: timeZone,
      yLabel: `${attempts === null ? 'Failures' : '% of attempts'} in ${describeDuration(buckets.bucketMs)}`,
    }),
    context(
      joined(counted),
      shown.length < buckets.count && 'Time that was not checked is not in the chart',
      ...missing,
    ),
    ...actions([failureShareButton('chart', request)]),
  ]);
}

function percentOf(count: number, attempts: number) {
  return attempts === 0 ? 0 : Math.round((1_000 * count) / attempts) / 10;
}

/** Slack draws no gaps, and 0 would claim that nothing failed. */
function checkedBuckets({ buckets, range, read, unchecked, givenUp }: Chart): readonly number[] {
  const checked = overlap(range, read);
  if (checked === null) return [];
  const known = withoutRanges(checked, [...unchecked, ...givenUp]);
  return Array.from({ length: buckets.count }, (_, index) => index).filter((index) => {
    const from = addMilliseconds(buckets.from, index * buckets.bucketMs);
    const bucket = { from, to: addMilliseconds(from, buckets.bucketMs) };
    return known.some((window) => overlap(window, bucket) !== null);
  });
}

function labelsOf({ buckets }: Chart, shown: readonly number[], timeZone: string): readonly string[] {
  const isLong = lengthOf(buckets) > DAY_MS;
  return shown.map((index) => {
    const at = new Date(buckets.from.getTime() + index * buckets.bucketMs);
    const clock = clockTime(at, timeZone);
    return isLong ? `${weekdayAndDay(at, timeZone)} ${clock}` : clock;
  });
}

export function outageRow({ outage }: Checked): MessageBlock[] {
  return outage === null ? [] : incidentRow(outage, { size: 'terse' });
}

export function nothingChecked(checked: Checked, now: Date): Markup | null {
  const { environment, read, since } = checked;
  if (read.from < read.to) return null;
  const begin = since === null ? '' : mrkdwn` (checked since ${time(since)})`;
  return mrkdwn`⚠️ ${badge(environment)} · nothing was checked ${spanWords(checked, now)}${begin}`;
}

export function spanWords({ range, since }: Checked, now: Date): Markup {
  const { from, to } = range;
  const isPartly = since !== null && since < to;
  const begin = isPartly ? mrkdwn`${time(since)}, when checks began` : timeNear(from, now);
  if (!reachesNow(range, now)) return mrkdwn`from ${begin}${isPartly ? ',' : ''} to ${timeNear(to, from)}`;
  if (isPartly) return mrkdwn`since ${begin}`;
  const ms = lengthOf(range);
  return mrkdwn`in the last ${ms === HOUR_MS ? 'hour' : ms === DAY_MS ? 'day' : describeDuration(ms)}`;
}

/** Time before the checks began doesn't count. */
export function isAllChecked({ unchecked, givenUp, freshness }: Checked): boolean {
  return freshness.isCurrent && unchecked.length + givenUp.length === 0;
}

export function checkedLines(checked: Checked, now: Date): Line[] {
  const { range, freshness, unreadable } = checked;
  const words = (windows: readonly TimeRange[]) => windowsWords(windows, windowNear(range.to));
  const unchecked = checked.unchecked.filter((window) => lengthOf(window) >= SECOND_MS);
  return [
    freshness.asOf &&
      mrkdwn`${isAllChecked(checked) ? 'Up to date' : 'As of'} ${timeNear(freshness.asOf, now, 'seconds')}`,
    unchecked.length > 0 && mrkdwn`⏳ Not checked yet: ${words(unchecked)}`,
    checked.givenUp.length > 0 && mrkdwn`⚠️ Lost: ${words(checked.givenUp)}`,
    unreadable > 0 && mrkdwn`⚠️ ${plural(unreadable, 'event')} unreadable`,
  ];
}
