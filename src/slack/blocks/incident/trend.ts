import { type Lately, TREND_LENGTH, TREND_STEP_MS } from '../../../domain/incidents/incident-now.ts';

const BARS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const;

/** The trend rises if the last half hour has at least this many times the failures of the one before, and falls in the opposite case. */
const CHANGE = 1.5;

/** With fewer failures a trend is chance. */
const FEWEST_FAILURES = 20;

/** A younger incident has no earlier half hour to compare with, and one that paused in it neither rises nor falls. */
const HALF = TREND_LENGTH / 2;

export function trendBars({ trend }: Pick<Lately, 'trend'>): string {
  const most = Math.max(1, ...trend);
  return trend.map((failures) => BARS[Math.ceil((failures / most) * BARS.length) - 1] ?? BARS[0]).join('');
}

/**
 * '' if the incident began less than half an hour ago, or didn't fail in each five minutes of it: a relapse isn't
 * falling because the outage before it was longer.
 */
export function trendWord(
  { trend, window }: Pick<Lately, 'trend' | 'window'>,
  beganAt: Date,
): 'rising' | 'falling' | 'steady' | '' {
  const isYoung = window.to.getTime() - beganAt.getTime() < HALF * TREND_STEP_MS;
  const hasPaused = trend.slice(-HALF).some((failures) => failures === 0);
  if (isYoung || hasPaused || sum(trend) < FEWEST_FAILURES) return '';
  const before = sum(trend.slice(0, HALF));
  const after = sum(trend.slice(-HALF));
  if (after >= before * CHANGE) return 'rising';
  return before >= after * CHANGE ? 'falling' : 'steady';
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
