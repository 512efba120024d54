import type { KnownBlock } from '@slack/types';
import { subMilliseconds } from 'date-fns';
import { type ExplainCause, errorOf } from '../../../causes/explain-cause.ts';
import type { IncidentNow } from '../../../incidents/incident.ts';
import { incidentsNow } from '../../../incidents/incidents-now.ts';
import { maskedId } from '../../../lib/text/shown-id.ts';
import { DAY_MS, describeDuration, HOUR_MS } from '../../../lib/time/durations.ts';
import { lengthOf } from '../../../lib/time/ranges.ts';
import type { TimeRange } from '../../../lib/time/time-range.ts';
import { clockTime, weekdayAndDay } from '../../../lib/time/wall-clock.ts';
import { type Chart, chartFailures } from '../../../lookups/chart.ts';
import {
  type Checked,
  type FailureSummary,
  type FailuresFound,
  type FoundCause,
  findFailures,
  MOST_CAUSES,
} from '../../../lookups/failures.ts';
import { failedRequest } from '../../../service/problem-words.ts';
import type { SlackCtx } from '../../ctx.ts';
import { incidentActions } from '../../incident-view/incident-verbs.ts';
import { stateWords, whyText } from '../../incident-view/incident-words.ts';
import { actions, chartBlock, contextLines, divider, section } from '../../kit/blocks.ts';
import { fittingMessage } from '../../kit/fit.ts';
import { personal, textForEveryone } from '../../kit/for-everyone.ts';
import { type MessageContent, message } from '../../kit/message.ts';
import { badge, code, joined, type Line, listed, type Markup, mrkdwn, named, plural } from '../../kit/text.ts';
import { datedWindow, time, timeNear, windowNear, windowsWords } from '../../kit/times.ts';
import { nextLine } from '../../kit/words/cause-words.ts';
import { filterWords } from '../../kit/words/filter-words.ts';
import {
  channelVia,
  countedWords,
  failedShare,
  failureCount,
  numberOf,
  OUTCOME_EMOJI,
  peopleCount,
} from '../../kit/words/names.ts';
import type { Command } from '../../router/command.ts';
import {
  type FailureRequest,
  failureButton,
  failureCommand,
  failureShareButton,
  failuresChartButton,
} from '../../router/failure-command.ts';
import { errorCard } from '../../router/on-error.ts';

export function failureCommands(ctx: SlackCtx): Command[] {
  const span = { usualMs: HOUR_MS, longestMs: ctx.horizonMs, older: '/notif events' };
  const failures = {
    word: 'failures',
    about: 'what failed in the last hour, or since:2h, by cause',
    examples: ['', 'since:2h channel:email', 'workflow:order-shipped severity:high'],
  };
  const chart = {
    word: 'chart',
    about: 'the same failures over time, as a chart',
    examples: ['', 'since:1d provider:sendgrid'],
  };
  return [
    failureCommand(ctx, { ...failures, ...span }, async (request, { environment }) => {
      const found = await findFailures({ ...ctx, environment }, request, request.filter);
      const now = ctx.now();
      const ids = causesOnPage(found, request).map(({ incidentId }) => incidentId);
      const incidents = await incidentsNow(ctx.db, ids, null, now);
      return failuresMessage(found, { ...ctx, incidents, request, now });
    }),
    failureCommand(ctx, { ...chart, ...span }, async (request, { environment, timeZone }) => {
      const found = await chartFailures({ ...ctx, environment }, request, request.filter);
      return chartMessage(found, request, timeZone);
    }),
  ];
}

export interface FailuresOptions {
  request: FailureRequest;
  incidents: ReadonlyMap<number, IncidentNow>;
  explainCause: ExplainCause;
  now: Date;
  horizonMs: number;
}

const ROWS_A_PAGE = 10;

export function failuresMessage(found: FailuresFound, options: FailuresOptions): MessageContent {
  const { request, now } = options;
  const causes = causesOnPage(found, request).flatMap((cause) => {
    const incident = options.incidents.get(cause.incidentId);
    return incident === undefined ? [] : [{ ...cause, incident }];
  });
  const { filter } = request;
  const head = headline(found, filter, now);
  const counted = countedWords(found.counts);
  return fittingMessage(causes.length, (shown) => [
    section(head),
    ...contextLines([
      counted.length > 0 && filter.verdicts.length === 0 && mrkdwn`Not alerted: ${joined(counted, ' · ')}`,
      filterWords(filter),
      pageLine(found, request, shown),
    ]),
    ...causes.slice(0, shown).flatMap((cause) => causeRow(cause, options)),
    divider(),
    ...contextLines(checkedLines(found, now)),
    ...(found.trouble === null ? [] : errorCard(failedRequest(found.trouble, found.environment)).blocks),
    ...requestButtons(found, options, shown).map(personal),
  ]);
}

function causesOnPage({ causes }: FailuresFound, { page }: FailureRequest): readonly FoundCause[] {
  const offset = page?.offset ?? 0;
  return causes.slice(offset, offset + ROWS_A_PAGE);
}

function headline(found: FailuresFound, filter: FailureRequest['filter'], now: Date): Markup {
  const { environment, range, causes, failedEvents, eventsChecked, counts } = found;
  const span = spanWords(range, now);
  if (causes.length === 0) {
    if (found.read.from >= found.read.to) return mrkdwn`⚠️ ${badge(environment)} · nothing was checked ${span}`;
    const [transaction] = filter.transactions;
    const next = transaction
      ? mrkdwn` All of it: ${code(`/notif event ${transaction} env:${environment.name}`, 400)}.`
      : '';
    return mrkdwn`${noneWords(found, filter, span)}.${next}`;
  }
  const isShare = filterWords(filter) === null && failedEvents <= eventsChecked;
  const all = isShare ? mrkdwn`${failedEvents} of ${plural(eventsChecked, 'event')}` : plural(failedEvents, 'event');
  const failures = causes.reduce((sum, cause) => sum + cause.failures, 0);
  const facts = [
    failedEvents > 0 && mrkdwn`${all} failed${isShare ? failedShare(failedEvents, eventsChecked) : ''}`,
    // An event can fail at several steps and providers: what the rows add up to.
    filter.verdicts.length === 0 && failures > failedEvents && plural(failures, 'failure'),
    ...(filter.verdicts.length === 0 ? [] : countedWords(counts)),
  ];
  return mrkdwn`${failedEvents === 0 ? '⚪' : '🔴'} ${badge(environment)} ${span}: *${joined(facts, ', ')}*`;
}

type Read = Checked & Pick<FailureSummary, 'unreadable' | 'eventsChecked'>;

/** A transaction may be older than any range. */
function noneWords(found: Read, filter: FailureRequest['filter'], span: Line): Markup {
  const isClear = isAllChecked(found) && found.unreadable === 0 && filter.transactions.length === 0;
  const isAll = filterWords(filter) === null;
  const none = mrkdwn`${isClear ? '✅' : '⚪'} No ${isAll ? '' : 'matching '}failures${isClear ? '' : ' found'}`;
  const where = mrkdwn`in ${badge(found.environment)}`;
  return joined([none, where, span, isAll && mrkdwn`(${plural(found.eventsChecked, 'event')})`], ' ');
}

const RECENT_MS = 60_000;

function spanWords(range: TimeRange, now: Date): Markup {
  const { from, to } = range;
  if (now.getTime() - to.getTime() > RECENT_MS) return mrkdwn`from ${timeNear(from, now)} to ${timeNear(to, from)}`;
  const lasted = lengthOf(range);
  return mrkdwn`in the last ${lasted === HOUR_MS ? 'hour' : lasted === DAY_MS ? 'day' : describeDuration(lasted)}`;
}

function isAllChecked({ since, unchecked, givenUp, freshness }: Checked): boolean {
  return freshness.isCurrent && since === null && unchecked.length + givenUp.length === 0;
}

function pageLine({ causes }: FailuresFound, { page }: FailureRequest, shown: number): Line {
  const offset = page?.offset ?? 0;
  const total = mrkdwn`${causes.length}${causes.length < MOST_CAUSES ? '' : ' or more'}`;
  return shown < causes.length && mrkdwn`Causes ${offset + 1}–${offset + shown} of ${total}`;
}

type ShownCause = FoundCause & { incident: IncidentNow };

function causeRow({ incident, workflows, ...found }: ShownCause, options: FailuresOptions): KnownBlock[] {
  const { explainCause, now } = options;
  const { headline, channel, provider, cause, isTest } = incident;
  const { verdict, failures, subscribers, firstSeen, lastSeen, critical, incidentId, example } = found;
  const what = `${channelVia(channel, provider)}: ${whyText(headline, cause.text)}`;
  const span = { from: firstSeen, to: lastSeen };
  const nameOf = ({ name }: { name: string }) => named(maskedId(name));
  const facts = [
    mrkdwn`${OUTCOME_EMOJI[verdict]} *${what}*`,
    failureCount(verdict, failures),
    peopleCount(subscribers),
    ...(workflows.length === 1 ? workflows.map(nameOf) : []),
    lengthOf(span) < 1_000 ? timeNear(firstSeen, now, 'seconds') : windowNear(now)(span),
    critical && 'critical',
    isTest && 'test',
    numberOf(incidentId),
  ];
  const places = workflows.map((workflow) => mrkdwn`${nameOf(workflow)} ${workflow.failures}`);
  const lines = [
    joined(facts, ' · '),
    ...stateWords(incident),
    nextLine(explainCause(errorOf(incident))),
    workflows.length > 1 && listed(places, ' · '),
  ];
  return [divider(), section(joined(lines, '\n')), incidentActions({ ...incident, example }, null)];
}

function checkedLines(found: Read, now: Date): Line[] {
  const { environment, range, since, freshness, unreadable } = found;
  const words = (windows: readonly TimeRange[]) => windowsWords(windows, windowNear(range.to));
  const older = (end: Date) => `/notif events until:${end.toISOString().slice(0, 16)}Z env:${environment.name}`;
  return [
    freshness.asOf &&
      mrkdwn`${isAllChecked(found) ? 'Up to date' : 'As of'} ${timeNear(freshness.asOf, now, 'seconds')}`,
    found.unchecked.length > 0 && mrkdwn`⏳ Not checked yet: ${words(found.unchecked)}`,
    found.givenUp.length > 0 && mrkdwn`⚠️ Lost: ${words(found.givenUp)}`,
    unreadable > 0 && mrkdwn`⚠️ ${plural(unreadable, 'event')} unreadable`,
    since !== null &&
      mrkdwn`Notif has checked events since ${time(since, 'day')}. Older events: ${code(older(since < range.to ? since : range.to), 100)}`,
  ];
}

function requestButtons({ causes, since }: FailuresFound, { request, now, horizonMs }: FailuresOptions, shown: number) {
  const { page, from, to } = request;
  const end = (page?.offset ?? 0) + shown;
  const earlier = { ...request, from: new Date(2 * from.getTime() - to.getTime()), to: from };
  return actions([
    end < causes.length && failureButton('Load more', 'failures', request, end),
    failuresChartButton(request),
    earlier.from >= (since ?? subMilliseconds(now, horizonMs)) && failureButton('Earlier', 'failures', earlier),
    failureShareButton('failures', request, end - shown),
  ]);
}

/** `timeZone` (IANA): Slack's charts show no reader's own zone. */
export function chartMessage(chart: Chart, request: FailureRequest, timeZone: string): MessageContent {
  const { environment, buckets, range, series } = chart;
  const failures = series.reduce((sum, { failures }) => sum + failures, 0);
  const missing = checkedLines(chart, range.to);
  const about = [filterWords(request.filter), datedWindow(range)];
  if (failures === 0) {
    const words = joined([noneWords(chart, request.filter, null), ...about], '\n');
    return message([section(words), ...contextLines(missing)]);
  }
  const head = joined([mrkdwn`Failures in ${badge(environment)}`, ...about], '\n');
  const counts = mrkdwn`${plural(failures, 'failure')} · ${plural(chart.eventsChecked, 'event')} checked`;
  const lines = series.map(({ name, counts: values, failures }) => {
    return { name: name === null ? 'others' : textForEveryone(maskedId(name)), values, failures };
  });
  const drawn = chartBlock({
    title: `${counts}`,
    categories: labelsOf(chart, timeZone),
    series: lines,
    xLabel: timeZone,
    yLabel: `Failures in ${describeDuration(buckets.bucketMs)}`,
  });
  const counted = lines.map(({ name, failures }) => mrkdwn`${failures} ${name}`);
  return message([
    section(head),
    drawn,
    ...contextLines([joined(counted, ' · '), ...missing]),
    ...actions([personal(failureShareButton('chart', request))]),
  ]);
}

function labelsOf({ buckets }: Chart, timeZone: string): string[] {
  const isLong = lengthOf(buckets) > DAY_MS;
  return Array.from({ length: buckets.count }, (_, index) => {
    const at = new Date(buckets.from.getTime() + index * buckets.bucketMs);
    return isLong ? `${weekdayAndDay(at, timeZone)} ${clockTime(at, timeZone)}` : clockTime(at, timeZone);
  });
}
