import { addMilliseconds } from 'date-fns';
import { maskedId } from '../../../lib/text/shown-id.ts';
import { DAY_MS, describeDuration, HOUR_MS, lengthOf, overlap, withoutRanges } from '../../../lib/time/durations.ts';
import { clockTime, weekdayAndDay } from '../../../lib/time/wall-clock.ts';
import { type Chart, chartFailures } from '../../../lookups/chart.ts';
import type { SlackCtx } from '../../ctx.ts';
import { actions, context, section } from '../../kit/blocks.ts';
import { chartBlock } from '../../kit/chart-block.ts';
import { filterWords } from '../../kit/filter-words.ts';
import { textForEveryone } from '../../kit/for-everyone.ts';
import { type MessageContent, message } from '../../kit/message.ts';
import { badge, grouped, joined, mrkdwn, percent, plural } from '../../kit/text.ts';
import type { Command } from '../../router/command.ts';
import { type FailureRequest, failureCommand, failureShareButton } from '../../router/failure-command.ts';
import { checkedLines, noneWords, olderButton, outageRow, spanWords } from './checked-words.ts';

export function chartCommand(ctx: SlackCtx): Command {
  return failureCommand(ctx, {
    usualMs: HOUR_MS,
    word: 'chart',
    purpose: 'failing',
    about: 'the same failures over time, as a chart',
    examples: ['', 'since:1d provider:sendgrid'],
    answer: async (request, { environment, timeZone }) => {
      const chart = await chartFailures({ ...ctx, environment }, request, request.filter);
      return chartMessage(chart, request, timeZone, ctx.now());
    },
  });
}

/** Slack's charts can't show each reader's own time zone. */
export function chartMessage(chart: Chart, request: FailureRequest, timeZone: string, now: Date): MessageContent {
  const { environment, buckets, series, attempts } = chart;
  const failures = series.reduce((sum, { failures }) => sum + failures, 0);
  const missing = checkedLines(chart, now);
  const filterLine = filterWords(request.filter);
  if (failures === 0) {
    const none = section([noneWords(chart, request.filter, now), filterLine]);
    return message([...outageRow(chart), none, context(...missing), ...actions([olderButton(chart)])]);
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
    ...actions([olderButton(chart), failureShareButton('chart', request)]),
  ]);
}

/** To a tenth: 12.3. */
function percentOf(count: number, attempts: number): number {
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
