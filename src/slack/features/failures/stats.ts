import { subDays, subMilliseconds } from 'date-fns';
import { FAILURE_FILTERS } from '../../../judging/filter.ts';
import { oneOf } from '../../../lib/closed-list.ts';
import { commandText, FilterError, onlyValue } from '../../../lib/input/filters.ts';
import { parseTimeRange } from '../../../lib/input/time-range.ts';
import { maskedId } from '../../../lib/text/shown-id.ts';
import { DAY_MS, lengthOf, type TimeRange } from '../../../lib/time/durations.ts';
import { GROUPINGS, type Grouping } from '../../../lookups/attempt-statements.ts';
import { shareOf } from '../../../lookups/attempts.ts';
import { COUNTED_NAMES } from '../../../lookups/found.ts';
import { type Stats, type StatsRow, statsIn } from '../../../lookups/stats.ts';
import { channelName } from '../../../service/channels.ts';
import type { SlackCtx } from '../../ctx.ts';
import { silenceWords } from '../../incident-view/open-words.ts';
import { section } from '../../kit/blocks.ts';
import { shareButton } from '../../kit/buttons.ts';
import type { Cell } from '../../kit/data-table.ts';
import { typedFilterWords } from '../../kit/filter-words.ts';
import { listMessage } from '../../kit/list.ts';
import type { MessageContent } from '../../kit/message.ts';
import { capitalized, channelVia, numberOf } from '../../kit/names.ts';
import { failedShare, latencyWords } from '../../kit/outcomes.ts';
import { badge, grouped, joined, listed, type Markup, mrkdwn, percent, plural } from '../../kit/text.ts';
import { timeNear } from '../../kit/times.ts';
import type { Command, CommandLine } from '../../router/command.ts';
import { failureCommand } from '../../router/failure-command.ts';
import { checkedLines, isAllChecked, nothingChecked, olderButton, outageRow, spanWords } from './checked-words.ts';

const LAST_WEEK = 'last-week';
const BEFORE = 'before';

/** From this share of failed attempts on, a row says that many failed. */
const BAD_SHARE = 0.05;

export function statsCommand(ctx: SlackCtx): Command {
  return failureCommand(ctx, {
    word: 'stats',
    purpose: 'failing',
    about:
      'attempts, failures, latency and silences of the last day, or since:7d, by provider, channel, workflow or mail domain',
    examples: [
      '',
      'since:yesterday until:yesterday by:channel',
      'vs:last-week',
      'by:workflow since:today vs:yesterday',
    ],
    filters: ['by', 'vs', ...COUNTED_NAMES.map((name) => FAILURE_FILTERS[name].key)],
    usualMs: DAY_MS,
    answer: async ({ filter, from, to }, line) => {
      const { environment, filters } = line;
      const grouping = oneOf('by', onlyValue('by', filters) ?? 'provider', GROUPINGS, 'grouping');
      const vs = onlyValue('vs', filters)?.toLowerCase();
      // Without `since:`, a whole week is compared with the last one.
      const isWeek = vs === LAST_WEEK && filters.since === undefined;
      const range = { from: isWeek ? subDays(to, 7) : from, to };
      const stats = await statsIn({ ...ctx, environment }, range, { grouping, filter });
      if (vs === undefined) return statsMessage(line, stats, grouping, ctx.now());
      const beside = await statsIn({ ...ctx, environment }, rangeBeside(vs, range, line, ctx), { grouping, filter });
      return comparedMessage(line, { stats, beside }, grouping, ctx.now());
    },
  });
}

/** What another range is compared with: the same a week earlier, as long directly before, a day, or from/to. */
export function rangeBeside(
  typed: string,
  range: TimeRange,
  { timeZone }: Pick<CommandLine, 'timeZone'>,
  { now, retentionDays: maxDays }: Pick<SlackCtx, 'now' | 'retentionDays'>,
): TimeRange {
  if (typed === LAST_WEEK) return { from: subDays(range.from, 7), to: subDays(range.to, 7) };
  if (typed === BEFORE) return { from: subMilliseconds(range.from, lengthOf(range)), to: range.from };
  const [since = '', until = since, ...others] = typed.split('/');
  if (others.length > 0 || since === '' || until === '')
    throw new FilterError('vs', `takes ${LAST_WEEK}, ${BEFORE}, a day or <from>/<to>.`, 'vs:2026-03-01/2026-03-07');
  return parseTimeRange({ since: [since], until: [until] }, now(), { durationMs: DAY_MS, maxDays, timeZone });
}

/** Two ranges beside each other, in the order of what is worse now. */
export function comparedMessage(
  line: CommandLine,
  { stats, beside }: { stats: Stats; beside: Stats },
  grouping: Grouping,
  now: Date,
): MessageContent {
  const rows = [...stats.rows, ...beside.rows.filter((row) => !stats.rows.some((other) => isSamePlace(other, row)))];
  return listMessage({
    summary: [...outageRow(stats), section([summaryLine(stats, now), summaryLine(beside, now)])],
    caption: (shown) => captionOf(shown, grouping),
    columns: [capitalized(grouping), 'Failed', 'Failed before', 'p95', 'p95 before'],
    rows: rows.map((row) => {
      const [newer, older] = [stats, beside].map((each) => each.rows.find((other) => isSamePlace(other, row)));
      return {
        cells: [
          rowName(row, grouping),
          withShare(newer),
          withShare(older),
          newer?.p95Ms == null ? '' : latencyWords(newer.p95Ms),
          older?.p95Ms == null ? '' : latencyWords(older.p95Ms),
        ],
      };
    }),
    notes: [
      ...typedFilterWords({ ...line.filters, env: [] }),
      ...checkedLines(stats, now),
      !isAllChecked(beside) && mrkdwn`⚠️ Not everything was checked ${spanWords(beside, now)}`,
    ],
    buttons: () => [shareButton(sharedText(line, stats))],
  });
}

const isSamePlace = (a: StatsRow, b: StatsRow): boolean => a.channel === b.channel && a.name === b.name;

const captionOf = (shown: number, grouping: Grouping): Markup =>
  shown === 0 ? mrkdwn`No attempts` : mrkdwn`Attempts by ${grouping}, latency without planned waits`;

/** The same range, whenever it is shared. */
function sharedText({ filters, environment }: CommandLine, { range }: Stats): string {
  const times = { since: [range.from.toISOString()], until: [range.to.toISOString()] };
  return commandText(['stats'], { ...filters, ...times, env: [environment.name] });
}

type Counted = Pick<StatsRow, 'failed' | 'delivered'>;

function withShare({ failed, delivered }: Counted = { failed: 0, delivered: 0 }): { text: string; sortBy: number } {
  const share = failed > 0 ? failedShare(failed, failed + delivered) : '';
  return { text: `${grouped(failed)} of ${grouped(failed + delivered)}${share}`, sortBy: failed };
}

function summaryLine(stats: Stats, now: Date): Markup {
  const { environment, rows, eventsChecked } = stats;
  const failed = rows.reduce((sum, row) => sum + row.failed, 0);
  const attempts = failed + rows.reduce((sum, row) => sum + row.delivered, 0);
  const counted = mrkdwn`${failed} of ${plural(attempts, 'attempt')} failed${failedShare(failed, attempts)}`;
  const words = mrkdwn`${badge(environment)} ${spanWords(stats, now)}: ${counted}, ${plural(eventsChecked, 'event')} checked`;
  return nothingChecked(stats, now) ?? words;
}

export function statsMessage(line: CommandLine, stats: Stats, grouping: Grouping, now: Date): MessageContent {
  const { filters, environment } = line;
  const { rows } = stats;
  const isComplete = isAllChecked(stats);
  const silent = stats.silences.map((silent) => silenceWords(silent, environment.label));
  return listMessage({
    // A caption can't show times in the reader's time zone.
    summary: [...outageRow(stats), section([summaryLine(stats, now), ...silent])],
    caption: (shown) => captionOf(shown, grouping),
    columns: [capitalized(grouping), 'Failed', 'Median, p95', 'Last delivery', 'Usual in eight days'],
    rows: rows.map((row) => {
      const [emoji, word] = stateOf(row, isComplete);
      return {
        cells: [
          joined([`${emoji} ${rowName(row, grouping)}`, listed(row.firing.map(numberOf))]),
          stateCell(row, word),
          ...factCells(row, now),
          usualCell(row, now),
        ],
      };
    }),
    notes: [...typedFilterWords({ ...filters, env: [] }), ...checkedLines(stats, now)],
    buttons: () => [olderButton(stats), shareButton(sharedText(line, stats))],
  });
}

/** What a channel's recipients are called whose domain or platform isn't known, where that of some is. */
const WITHOUT_DOMAIN = new Map([
  ['email', 'others'],
  ['push', 'platform unknown'],
]);

function rowName({ channel, name }: StatsRow, grouping: Grouping) {
  if (grouping === 'workflow') return maskedId(name === '' ? 'deleted workflow' : name);
  if (grouping === 'domain')
    return joined([
      capitalized(channelName(channel)),
      name === '' ? (WITHOUT_DOMAIN.get(channel) ?? null) : maskedId(name),
    ]);
  return capitalized(channelVia(channel, grouping === 'channel' || name === '' ? null : name));
}

function stateOf(row: StatsRow, isComplete: boolean): readonly [emoji: string, word: string] {
  const { firing, delivered, failed, isSilent } = row;
  if (firing.length > 0) return ['🔴', 'failing'];
  if (isSilent) return ['🔇', 'silent'];
  if (shareOf(row) >= BAD_SHARE) return ['🟠', 'many failed'];
  if (delivered + failed === 0) return ['⚪', 'no attempts'];
  if (!isComplete) return ['⚪', 'not all checked'];
  return ['✅', failed > 0 ? 'few failed' : 'fine'];
}

function stateCell(row: StatsRow, word: string): Cell {
  const { text, sortBy } = withShare(row);
  const others = row.undeliverable > 0 ? `, ${grouped(row.undeliverable)} undeliverable` : '';
  return { text: `${word} · ${text}${others}`, sortBy };
}

function factCells(row: StatsRow, now: Date) {
  const { medianMs, p95Ms, lastAt, lastHour, usualHour } = row;
  const latency = medianMs === null || p95Ms === null ? '' : `${latencyWords(medianMs)}, ${latencyWords(p95Ms)}`;
  const usual = usualHour === null ? '' : `, at this time usually ${grouped(usualHour)}`;
  const rate = lastHour === null ? '' : ` · ${grouped(lastHour)} an hour${usual}`;
  return [latency, lastAt ? mrkdwn`${timeNear(lastAt, now)}${rate}` : 'none'];
}

function usualCell({ usual, changedAt }: StatsRow, now: Date): Cell {
  const normal = usual && [
    `${usual.perHour < 1 ? 'under 1' : grouped(Math.round(usual.perHour))} an hour`,
    `${percent(usual.share, 1)} failed`,
    usual.p95Ms === null ? null : `p95 ${latencyWords(usual.p95Ms)}`,
  ];
  return joined([...(normal ?? []), changedAt && mrkdwn`changed ${timeNear(changedAt, now)}`]);
}
