/**
 * The smallest of the values that `share` of them (0 to 1) do not exceed: the nearest rank, so always one that was measured.
 * NaN without values.
 */
export function percentile(values: readonly number[], share: number): number {
  const rank = Math.max(1, Math.ceil(values.length * share));
  return values.toSorted((a, b) => a - b)[rank - 1] ?? Number.NaN;
}

/** The middle value, the lower one of two. NaN without values. */
export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

export function minimum(values: readonly number[]): number {
  return values.reduce((one, other) => Math.min(one, other), Number.POSITIVE_INFINITY);
}

/** NaN without values. */
export function maximum(values: readonly number[]): number {
  return percentile(values, 1);
}

/** The median of how many times each value is the one at its place in `others`: what disturbed a round disturbed both. */
export function medianRatio(values: readonly number[], others: readonly number[]): number {
  return median(values.map((value, round) => value / (others[round] ?? Number.NaN)));
}

/** Place by place the smallest value of several runs of the same thing, for as long as all of them go. */
export function bestOf(runs: readonly (readonly number[])[]): number[] {
  const length = Math.min(...runs.map((run) => run.length));
  return Array.from({ length: runs.length === 0 ? 0 : length }, (_, place) =>
    Math.min(...runs.map((run) => run[place] ?? Number.NaN)),
  );
}
