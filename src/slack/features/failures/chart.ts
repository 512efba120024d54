import type { Button } from '@slack/types';
import type { ActionTarget } from '../../../incidents/actions.ts';
import type { IncidentNow } from '../../../incidents/incident.ts';
import { incidentNow } from '../../../incidents/lists.ts';
import { environmentNamed } from '../../../lib/environment.ts';
import { maskedId } from '../../../lib/text/shown-id.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../lib/time/durations.ts';
import { describeDuration, type TimeRange } from '../../../lib/time/time-range.ts';
import { clockTime, weekdayAndDay } from '../../../lib/time/wall-clock.ts';
import { type Chart, chartFailures } from '../../../lookups/chart.ts';
import type { SlackCtx } from '../../ctx.ts';
import { actions, button, chartBlock, type MessageContent, message, section } from '../../kit/blocks.ts';
import { INCIDENT_CHART, RUN_SHARED } from '../../kit/buttons.ts';
import { personal, textForEveryone } from '../../kit/for-everyone.ts';
import { parseActionTarget, writeActionTarget } from '../../kit/incident/incident-row.ts';
import { incidentHeading } from '../../kit/incident/incident-words.ts';
import { badge, joined, type Markup, mrkdwn, plural } from '../../kit/text.ts';
import { datedWindow } from '../../kit/times.ts';
import { filterWords } from '../../kit/words/filter-words.ts';
import type { Flow } from '../../router/command.ts';
import { type FailureRequest, failureButton, failureCommand } from '../../router/failure-command.ts';
import type { Requester } from '../../router/interaction.ts';
import { answerRoutes, OldButtonError, routesFor } from '../../router/route.ts';
import { shareRoutes } from '../../router/share.ts';
import { checkedLines, contextLines, isAllChecked } from './failures.ts';

const SHARE_INCIDENT = 'share.incident-chart';

export function chartFlow(ctx: SlackCtx): Flow {
  const ofIncident = (target: ActionTarget, { userId }: Requester) => incidentChart(ctx, target, userId);
  const words = {
    word: 'chart',
    about: 'the same failures over time, as a chart',
    examples: ['', 'since:1d provider:sendgrid'],
    ...{ usualMs: HOUR_MS, longestMs: ctx.horizonMs, older: '/notif events' },
  };
  return {
    commands: [failureCommand(ctx, words, (request, { userId }) => failuresChart(ctx, request, userId))],
    routes: routesFor('everyone', [
      ...answerRoutes([INCIDENT_CHART], parseActionTarget, ofIncident),
      ...shareRoutes(ctx, SHARE_INCIDENT, parseActionTarget, ofIncident),
    ]),
  };
}

async function failuresChart(ctx: SlackCtx, request: FailureRequest, userId: string): Promise<MessageContent> {
  const { filter, from, to } = request;
  const environment = environmentNamed(request.environment, ctx.environments);
  const chart = await chartFailures({ ...ctx, environment }, { from, to }, { filter });
  const title = joined([mrkdwn`Failures in ${badge(environment)}`, filterWords(filter) ?? []].flat(), '\n');
  const share = failureButton('Share', 'chart', request, RUN_SHARED);
  return chartMessage(chart, title, share, await timeZoneOf(ctx, userId));
}

async function incidentChart(ctx: SlackCtx, target: ActionTarget, userId: string): Promise<MessageContent> {
  const incident = await incidentNow(ctx.db, target.incidentId, ctx.now());
  if (incident === null) throw new OldButtonError();
  const environment = environmentNamed(incident.tally.kind.environment, ctx.environments);
  const range = rangeOfIncident(incident, ctx.now());
  const chart = await chartFailures({ ...ctx, environment }, range, { incidentId: incident.id });
  const share = button('Share', SHARE_INCIDENT, writeActionTarget(target));
  return chartMessage(chart, incidentHeading(incident), share, await timeZoneOf(ctx, userId));
}

async function timeZoneOf({ workspace }: SlackCtx, userId: string): Promise<string> {
  return (await workspace.timeZoneOf(userId)) ?? 'UTC';
}

export function rangeOfIncident({ tally: { firstSeen, lastSeen } }: IncidentNow, now: Date): TimeRange {
  const around = Math.max(15 * MINUTE_MS, (lastSeen.getTime() - firstSeen.getTime()) / 5);
  const to = Math.min(now.getTime(), lastSeen.getTime() + around);
  return { from: new Date(Math.max(firstSeen.getTime() - around, to - 3 * DAY_MS)), to: new Date(to) };
}

/** `timeZone` (IANA): Slack's charts show no reader's own zone. */
export function chartMessage(chart: Chart, title: Markup, share: Button, timeZone: string): MessageContent {
  const { buckets, range, series } = chart;
  const failures = series.reduce((sum, { failures }) => sum + failures, 0);
  const missing = checkedLines(chart, chart, range.to);
  const head = mrkdwn`${title}\n${datedWindow(range)}`;
  if (failures === 0) {
    const isClear = isAllChecked(chart) && chart.unreadable === 0;
    const words = mrkdwn`${isClear ? '✅ No failures' : '⚪ No failures found'} (${plural(chart.eventsChecked, 'event')}). ${head}`;
    return message(words, [section(words), ...contextLines(missing)]);
  }
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
  const parts = lines.map(({ name, failures }) => mrkdwn`${failures} ${name}`);
  return message(joined([head, counts, ...parts], ' · '), [
    section(head),
    drawn,
    ...contextLines([joined(parts, ' · '), ...missing]),
    ...actions([personal(share)]),
  ]);
}

function labelsOf({ buckets: { from, to, bucketMs, count } }: Chart, timeZone: string): string[] {
  const isLong = to.getTime() - from.getTime() > DAY_MS;
  return Array.from({ length: count }, (_, index) => {
    const at = new Date(from.getTime() + index * bucketMs);
    return isLong ? `${weekdayAndDay(at, timeZone)} ${clockTime(at, timeZone)}` : clockTime(at, timeZone);
  });
}
