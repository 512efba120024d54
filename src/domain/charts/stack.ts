import type { CountedGroup, Series, StackedBy } from './chart.ts';

/** The most series: more colors can't be distinguished, and a longer legend takes space from the bars. */
export const MOST_SERIES = 5;

const OF: { readonly [By in StackedBy]: (group: Omit<CountedGroup, 'counts'>) => string } = {
  provider: ({ channel, provider }) => JSON.stringify([channel, provider]),
  cause: ({ cause }) => cause,
  workflow: ({ workflow }) => workflow ?? '',
};

/**
 * Divides the bars: by provider if there are several, else by cause, else by workflow. The largest have a series each; everything else,
 * including `rest`, is one more. Every failure is in one series.
 */
export function stacked(
  groups: readonly CountedGroup[],
  rest: readonly number[],
): { readonly stackedBy: StackedBy; readonly series: readonly Series[] } {
  const stackedBy = (['provider', 'cause', 'workflow'] as const).find((by) => partsBy(groups, by) > 1) ?? 'cause';
  const parts = new Map<string, Series>();
  for (const { counts, ...example } of groups) {
    const key = OF[stackedBy](example);
    const known = parts.get(key);
    parts.set(key, { example: known?.example ?? example, counts: known ? sumOfBuckets(known.counts, counts) : counts });
  }
  const largestFirst = [...parts.values()].sort((a, b) => totalOf(b.counts) - totalOf(a.counts));
  const shown = largestFirst.slice(0, MOST_SERIES);
  const others = largestFirst.slice(MOST_SERIES).reduce((sum, { counts }) => sumOfBuckets(sum, counts), rest);
  return { stackedBy, series: totalOf(others) === 0 ? shown : [...shown, { example: null, counts: others }] };
}

function partsBy(groups: readonly CountedGroup[], by: StackedBy): number {
  return new Set(groups.map(OF[by])).size;
}

export function totalOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Adds bucket by bucket; one list may be shorter. */
export function sumOfBuckets(a: readonly number[], b: readonly number[]): number[] {
  return Array.from({ length: Math.max(a.length, b.length) }, (_, index) => (a[index] ?? 0) + (b[index] ?? 0));
}
