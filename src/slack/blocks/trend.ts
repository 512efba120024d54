import type { GroupNow } from '../../domain/delivery.ts';

const BARS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const;

/** The second half holds at least half as much again as the first before it is said to rise, and the other way round. */
const CHANGE = 1.5;

/** '▁▂▅█', the tallest bar for the most failures; '' where there is nothing to tell. */
export function trendBars(trend: GroupNow['trend']): string {
  const most = Math.max(...trend);
  return trend.map((failures) => BARS[Math.ceil((failures / most) * BARS.length) - 1] ?? BARS[0]).join('');
}

/** The same in a word, for whoever hears it. */
export function trendWord(trend: GroupNow['trend']): 'rising' | 'falling' | 'steady' | '' {
  if (trend.length < 2) return '';
  const half = Math.floor(trend.length / 2);
  const before = sum(trend.slice(0, half));
  const after = sum(trend.slice(-half));
  if (after > 0 && after >= before * CHANGE) return 'rising';
  return before > 0 && before >= after * CHANGE ? 'falling' : 'steady';
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
