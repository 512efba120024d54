import type { Button } from '@slack/types';
import { FAILURE_FILTERS, type FailureFilter, FILTER_NAMES } from '../../../failures/filter.ts';
import type { CheckNow } from '../../../health/check.ts';
import type { ActionTarget } from '../../../incidents/actions.ts';
import type { IncidentNow } from '../../../incidents/incident.ts';
import { incidentNow } from '../../../incidents/lists.ts';
import { environmentNamed, labelled } from '../../../lib/environment.ts';
import { maskedId } from '../../../lib/text/shown-id.ts';
import { DAY_MS } from '../../../lib/time/durations.ts';
import { describeDuration } from '../../../lib/time/time-range.ts';
import { clockTime, weekdayAndDay } from '../../../lib/time/wall-clock.ts';
import { type Chart, type ChartRequest, chartFailures } from '../../../lookups/chart.ts';
import { type DividedBy, type Mark, rangeOfIncident, type Series } from '../../../lookups/chart-points.ts';
import { unseenWorkflows } from '../../../lookups/unseen-workflows.ts';
import type { SlackCtx } from '../../ctx.ts';
import { actions, button, context, type MessageContent, message, section } from '../../kit/blocks.ts';
import { CHART, INCIDENT_CHART } from '../../kit/buttons.ts';
import { chartBlock } from '../../kit/chart-block.ts';
import { type FailureRequest, parseRequest, writeRequest } from '../../kit/failure-request.ts';
import { personal, textForEveryone } from '../../kit/for-everyone.ts';
import { parseActionTarget, writeActionTarget } from '../../kit/incident/incident-row.ts';
import { channelVia } from '../../kit/incident/names.ts';
import { bold, joined, type Markup, mrkdwn, named, plural } from '../../kit/text.ts';
import { atNear, datedWindow, timeNear, windowsWords } from '../../kit/times.ts';
import { unseenMessage } from '../../kit/words/unseen-names.ts';
import type { ActionInteraction, Requester } from '../../router/interaction.ts';
import { answerRoutes, OldButtonError, type Route, routesFor } from '../../router/route.ts';
import { shareRoutes } from '../../router/share-route.ts';

const SHARE = 'share.chart';
const SHARE_INCIDENT = 'share.incident-chart';

export function chartRoutes(ctx: SlackCtx): Route[] {
  const ofRequest = (request: FailureRequest, { userId }: ActionInteraction) =>
    failuresChart(ctx, request, userId, null);
  const ofIncident = (target: ActionTarget, { userId }: ActionInteraction) => incidentChart(ctx, target, userId);
  return routesFor('everyone', [
    ...answerRoutes([CHART], parseRequest, ofRequest),
    ...answerRoutes([INCIDENT_CHART], parseActionTarget, ofIncident),
    ...shareRoutes(ctx, SHARE, parseRequest, ofRequest),
    ...shareRoutes(ctx, SHARE_INCIDENT, parseActionTarget, ofIncident),
  ]);
}

/** Failures are checked first, like those of `/notif failures`. */
export async function answerChart(ctx: SlackCtx, request: FailureRequest, { reply, userId }: Requester): Promise<void> {
  await reply.show(await failuresChart(ctx, request, userId, ctx.checkNow));
}

/** `checkNow` is null if the events were checked just before. */
async function failuresChart(
  ctx: SlackCtx,
  request: FailureRequest,
  userId: string,
  checkNow: CheckNow | null,
): Promise<MessageContent> {
  const { environment: name, filter, from, to } = request;
  const environment = environmentNamed(name, ctx.environments);
  const subject = { is: 'filter', filter } as const;
  const chart = await chartFailures({ environment: name, range: { from, to }, subject }, { ...ctx, checkNow });
  const unseen = await unseenWorkflows(ctx.db, filter.workflows, [environment]);
  if (unseen.length > 0) return unseenMessage(unseen, environment);
  const share = button('Share', SHARE, writeRequest(request));
  return chartMessage(chart, filterSubject(environment, filter), await optionsFor(ctx, userId, share));
}

async function incidentChart(ctx: SlackCtx, target: ActionTarget, userId: string): Promise<MessageContent> {
  const incident = await incidentNow(ctx.db, target.incidentId, ctx.now());
  if (incident === null) throw new OldButtonError();
  const { tally, id: incidentId } = incident;
  const { environment } = tally.kind;
  const range = rangeOfIncident(tally, ctx.now());
  const request: ChartRequest = { environment, range, subject: { is: 'incident', incidentId } };
  const chart = await chartFailures(request, { ...ctx, checkNow: null });
  const words: ChartSubjectWords = incidentSubject(incident, labelled(environment, ctx.environments));
  const share = button('Share', SHARE_INCIDENT, writeActionTarget(target));
  return chartMessage(chart, words, await optionsFor(ctx, userId, share));
}

async function optionsFor(ctx: SlackCtx, userId: string, share: Button): Promise<ChartOptions> {
  return { share, timeZone: (await ctx.workspace.timeZoneOf(userId)) ?? 'UTC' };
}

export interface ChartSubjectWords {
  readonly title: string;
  /** Null for all failures. */
  readonly detail: string | null;
}

const MOST_NAMED = 3;

export function filterSubject(environment: { readonly label: string }, filter: FailureFilter): ChartSubjectWords {
  const parts = FILTER_NAMES.flatMap((name) => {
    const values = filter[name];
    if (values.length === 0) return [];
    const more = values.length > MOST_NAMED ? [`${values.length - MOST_NAMED} more`] : [];
    return [`${FAILURE_FILTERS[name].noun} ${[...values.slice(0, MOST_NAMED), ...more].join(' or ')}`];
  });
  return {
    title: `Failures in ${environment.label}`,
    detail: parts.length === 0 ? null : `Only ${parts.join(', ')}`,
  };
}

export function incidentSubject(
  { tally: { kind }, id }: IncidentNow,
  environment: { readonly label: string },
): ChartSubjectWords {
  return {
    title: `${channelVia(kind.channel, kind.provider)} in ${environment.label} · #${id}`,
    detail: kind.cause.text,
  };
}

export interface ChartOptions {
  /** IANA name. In a chart Slack shows no reader's own zone. */
  readonly timeZone: string;
  readonly share: Button;
}

export function chartMessage(chart: Chart, subject: ChartSubjectWords, options: ChartOptions): MessageContent {
  const { buckets, by, series } = chart;
  const failures = failuresOf(chart);
  if (failures === 0) return nothingToDraw(chart, subject);
  const length = describeDuration(buckets.bucketMs);
  const head = joined([bold(named(subject.title)), datedWindow(buckets)], ' · ');
  const counts = mrkdwn`${plural(failures, 'failure')} · ${plural(chart.events, 'event')} checked`;
  const parts = joined(
    series.map((line) => mrkdwn`${line.failures} ${named(seriesName(line, by))}`),
    ' · ',
  );
  const drawn = chartBlock({
    title: `${counts}`,
    categories: labelsOf(chart, options.timeZone),
    series: series.map((line) => ({ name: seriesName(line, by), values: line.counts })),
    xLabel: options.timeZone,
    yLabel: `Failures in ${length}`,
  });
  const lines = [mrkdwn`By ${by}: ${parts}`, ...markLine(chart), ...missingLines(chart)];
  return message(joined([head, counts, ...lines], ' · '), [
    section(subject.detail === null ? head : mrkdwn`${head}\n${subject.detail}`),
    drawn,
    context(...lines),
    ...actions([personal(options.share)]),
  ]);
}

function labelsOf({ buckets: { from, to, bucketMs, count } }: Chart, timeZone: string): string[] {
  const isLong = to.getTime() - from.getTime() > DAY_MS;
  return Array.from({ length: count }, (_, index) => {
    const at = new Date(from.getTime() + index * bucketMs);
    return isLong ? `${weekdayAndDay(at, timeZone)} ${clockTime(at, timeZone)}` : clockTime(at, timeZone);
  });
}

function failuresOf({ series }: Pick<Chart, 'series'>): number {
  return series.reduce((sum, { failures }) => sum + failures, 0);
}

function seriesName({ example }: Series, by: DividedBy): string {
  if (example === null) return 'others';
  const { channel, provider, workflow, cause } = example;
  if (by === 'provider') return channelVia(channel, provider);
  return by === 'workflow' ? maskedId(workflow ?? 'deleted workflow') : textForEveryone(cause);
}

function markLine({ marks, buckets }: Chart): Markup[] {
  const words = marks.map((mark) => mrkdwn`${markName(mark)} ${atNear(mark.at, buckets.to, 'minute')}`);
  return words.length === 0 ? [] : [joined(words, ' · ')];
}

function markName({ kind, name }: Mark): string {
  const what = name ?? 'something';
  const names = { acknowledged: '👀 Acknowledged', resolved: '✅ Resolved', change: `🔧 ${what} changed` };
  return kind === 'deploy' ? `🚀 ${what} deployed` : names[kind];
}

/** What the counts leave out. */
function missingLines({ unchecked, unreadable }: Chart): Markup[] {
  return [
    ...(unreadable === 0 ? [] : [mrkdwn`⚠️ ${plural(unreadable, 'event')} unreadable`]),
    ...(unchecked.length === 0 ? [] : [mrkdwn`⚠️ Not checked: ${windowsWords(unchecked, datedWindow)}`]),
  ];
}

/** Gives the all-clear only if everything was checked for this answer. */
function nothingToDraw(chart: Chart, { title, detail }: ChartSubjectWords): MessageContent {
  const { freshness, buckets } = chart;
  const what = detail === null ? mrkdwn`` : mrkdwn` (${detail})`;
  const missing = missingLines(chart);
  const isClear = missing.length === 0 && freshness.isCurrent;
  const found = isClear ? mrkdwn`✅ Nothing to draw: no failures` : mrkdwn`⚪ Nothing to draw: no failures found`;
  const words = mrkdwn`${found}. ${named(title)}${what}, ${datedWindow(buckets)}: ${plural(chart.events, 'event')} checked.`;
  const lines = [
    ...(freshness.isCurrent || freshness.asOf === null
      ? []
      : [mrkdwn`As of ${timeNear(freshness.asOf, buckets.to, 'seconds')}`]),
    ...missing,
  ];
  return message(joined([words, ...lines], ' '), [section(words), ...(lines.length === 0 ? [] : [context(...lines)])]);
}
