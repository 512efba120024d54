/** Returns the value of a metric without labels in the text of `/metrics`. NaN if there is no such metric. */
export function sampleOf(metrics: string, name: string): number {
  const line = metrics.split('\n').find((each) => each.startsWith(`${name} `));
  return line === undefined ? Number.NaN : Number(line.slice(name.length));
}

const BUCKET_LINE = /^(\w+)_bucket\{(.*)\} (\d+)$/gm;

/** For each bound, the number of observations that are at most as large. */
export type Buckets = ReadonlyMap<number, number>;

/** Returns the buckets of a histogram in the text of `/metrics`, summed over its labels. Empty if there is no such histogram. */
export function bucketsOf(metrics: string, histogram: string): Buckets {
  const buckets = new Map<number, number>();
  for (const [, name, labels = '', count] of metrics.matchAll(BUCKET_LINE)) {
    const bound = /(?:^|,)le="([^"]+)"/.exec(labels)?.[1];
    if (name !== histogram || bound === undefined) continue;
    const limit = bound === '+Inf' ? Number.POSITIVE_INFINITY : Number(bound);
    buckets.set(limit, (buckets.get(limit) ?? 0) + Number(count));
  }
  return buckets;
}

/** Returns the smallest bound that `share` of the observations (0 to 1) don't exceed. NaN without observations. */
export function quantileBound(buckets: Buckets, share: number): number {
  const all = buckets.get(Number.POSITIVE_INFINITY) ?? 0;
  if (all === 0) return Number.NaN;
  return Math.min(...[...buckets].filter(([, count]) => count >= all * share).map(([bound]) => bound));
}
