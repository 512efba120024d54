import { oneOf } from '../../../lib/closed-list.ts';
import { commandText, onlyValue } from '../../../lib/input/filters.ts';
import { maskedId } from '../../../lib/text/shown-id.ts';
import { DAY_MS } from '../../../lib/time/durations.ts';
import { GROUPINGS, type Grouping, type Stats, type StatsRow, shareOf, statsIn } from '../../../lookups/stats.ts';
import type { SlackCtx } from '../../ctx.ts';
import { silenceWords } from '../../incident-view/open-words.ts';
import { section } from '../../kit/blocks.ts';
import { shareButton } from '../../kit/buttons.ts';
import { typedFilterWords } from '../../kit/filter-words.ts';
import { listMessage } from '../../kit/list.ts';
import { capitalized, channelVia, numberOf } from '../../kit/names.ts';
import { failedShare, latencyWords } from '../../kit/outcomes.ts';
import { badge, grouped, joined, listed, mrkdwn, plural, timeNear } from '../../kit/text.ts';
import type { Command, CommandLine } from '../../router/command.ts';
import { failureCommand } from '../../router/failure-command.ts';
import { checkedLines, isAllChecked, nothingChecked, olderButton, outageRow, spanWords } from './checked-words.ts';

export function statsCommand(ctx: SlackCtx): Command {
  return failureCommand(ctx, {
    word: 'stats',
    about: 'attempts, failures, latency and silences of the last day, or since:7d, by provider, channel or workflow',
    examples: ['', 'since:yesterday until:yesterday by:channel', 'by:workflow channel:sms'],
    filters: ['by', 'workflow', 'channel', 'provider'],
    usualMs: DAY_MS,
    answer: async ({ filter, from, to }, line) => {
      const { environment, filters } = line;
      const grouping = oneOf('by', onlyValue('by', filters) ?? 'provider', GROUPINGS, 'grouping');
      const stats = await statsIn({ ...ctx, environment }, { from, to }, { grouping, filter });
      return statsMessage(line, stats, grouping, ctx.now());
    },
  });
}

function statsMessage({ filters, environment }: CommandLine, stats: Stats, grouping: Grouping, now: Date) {
  const { rows, range, eventsChecked } = stats;
  const isComplete = isAllChecked(stats);
  const times = { since: [range.from.toISOString()], until: [range.to.toISOString()] };
  const text = commandText(['stats'], { ...filters, ...times, env: [environment.name] });
  const failed = rows.reduce((sum, row) => sum + row.failed, 0);
  const attempts = rows.reduce((sum, row) => sum + row.delivered, failed);
  const counted = mrkdwn`${failed} of ${plural(attempts, 'attempt')} failed${failedShare(failed, attempts)}`;
  const headline = mrkdwn`${badge(environment)} ${spanWords(stats, now)}: ${counted}, ${plural(eventsChecked, 'event')} checked`;
  const silent = stats.silences.map((silent) => silenceWords(silent, environment.label));
  return listMessage({
    // A caption can't show times in the reader's time zone.
    summary: [...outageRow(stats), section([nothingChecked(stats, now) ?? headline, ...silent])],
    caption: (shown) => (shown === 0 ? 'No attempts' : mrkdwn`Attempts by ${grouping}, latency without planned waits`),
    columns: [capitalized(grouping), 'Failed', 'Median, p95', 'Last delivery'],
    rows: rows.map((row) => {
      const [emoji, word] = stateOf(row, isComplete);
      return {
        cells: [
          joined([`${emoji} ${rowName(row, grouping)}`, word, listed(row.firing.map(numberOf))]),
          ...factCells(row, now),
        ],
      };
    }),
    notes: [...typedFilterWords({ ...filters, env: [] }), ...checkedLines(stats, now)],
    buttons: () => [olderButton(stats), shareButton(text)],
  });
}

function rowName({ channel, name }: StatsRow, grouping: Grouping) {
  if (grouping === 'workflow') return maskedId(name === '' ? 'deleted workflow' : name);
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

function factCells(row: StatsRow, now: Date) {
  const { delivered, failed, undeliverable, medianMs, p95Ms, lastAt, lastHour, usually } = row;
  const attempts = delivered + failed;
  const share = failed > 0 ? failedShare(failed, attempts) : '';
  const others = undeliverable > 0 ? `, ${grouped(undeliverable)} undeliverable` : '';
  const latency = medianMs === null || p95Ms === null ? '' : `${latencyWords(medianMs)}, ${latencyWords(p95Ms)}`;
  const usual = usually === null ? '' : `, usually ${grouped(usually)}`;
  const rate = lastHour === null ? '' : ` · ${grouped(lastHour)} an hour${usual}`;
  return [
    { text: `${grouped(failed)} of ${grouped(attempts)}${share}${others}`, sortBy: failed },
    latency,
    lastAt ? mrkdwn`${timeNear(lastAt, now)}${rate}` : 'none',
  ];
}

const BAD_SHARE = 0.05;
