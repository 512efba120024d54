import type { GroupNow } from '../../domain/delivery.ts';

const BARS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const;

/** The second half holds at least half as much again as the first before it is said to rise, and the other way round. */
const CHANGE = 1.5;

/** Of fewer stretches the first and the last, which are cut off, say too much; of fewer failures a course is chance. */
const FEWEST_STRETCHES = 4;
const FEWEST_FAILURES = 20;

function isTold(trend: GroupNow['trend']): boolean {
  return trend.length >= FEWEST_STRETCHES && sum(trend) >= FEWEST_FAILURES;
}

/** '▁▂▅█', the tallest bar for the most failures; '' where there is nothing to tell. */
export function trendBars(trend: GroupNow['trend']): string {
  if (!isTold(trend)) return '';
  const most = Math.max(...trend);
  return trend.map((failures) => BARS[Math.ceil((failures / most) * BARS.length) - 1] ?? BARS[0]).join('');
}

/** The same in a word, for whoever hears it. */
export function trendWord(trend: GroupNow['trend']): 'rising' | 'falling' | 'steady' | '' {
  if (!isTold(trend)) return '';
  const half = Math.floor(trend.length / 2);
  const before = sum(trend.slice(0, half));
  const after = sum(trend.slice(-half));
  if (after >= before * CHANGE) return 'rising';
  return before >= after * CHANGE ? 'falling' : 'steady';
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
