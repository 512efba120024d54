import { DAY_MS, HOUR_MS, MINUTE_MS } from '../lib/time/durations.ts';
import type { TimeRange } from '../lib/time/time-range.ts';

/** The buckets of a time range: a chart has a point for each. The first can begin up to a bucket earlier, in a whole minute. */
export interface Buckets extends TimeRange {
  readonly bucketMs: number;
  readonly count: number;
}

export interface CountedKind {
  readonly channel: string;
  readonly provider: string | null;
  readonly cause: string;
  readonly workflow: string | null;
  readonly counts: readonly number[];
}

export interface Mark {
  readonly at: Date;
  readonly kind: 'acknowledged' | 'resolved' | 'change' | 'deploy';
  /** What was changed or deployed; null for an action on an incident. */
  readonly name: string | null;
}

export interface Counted {
  readonly kinds: readonly CountedKind[];
  readonly rest: readonly number[];
  readonly events: number;
  readonly unreadable: number;
  /** The oldest first. */
  readonly marks: readonly Mark[];
}

export type DividedBy = 'provider' | 'cause' | 'workflow';

/** A part of the failures. Parts beyond the largest form one series without an example. */
export interface Series {
  /** Null: the others. */
  readonly example: Omit<CountedKind, 'counts'> | null;
  readonly counts: readonly number[];
  readonly failures: number;
}

/** As many as Slack's charts have. */
export const MOST_BUCKETS = 20;
/** Besides the others. */
export const MOST_SERIES = 5;

const LENGTHS = [
  ...[1, 2, 5, 10, 15, 20, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 2, 3, 4, 6, 12].map((hours) => hours * HOUR_MS),
  ...[1, 2, 7, 30].map((days) => days * DAY_MS),
];

export function bucketsOf({ from, to }: TimeRange): Buckets {
  const bucketsBy = (bucketMs: number) => {
    const start = Math.floor(from.getTime() / bucketMs) * bucketMs;
    const count = Math.max(1, Math.ceil((to.getTime() - start) / bucketMs));
    return { from: new Date(start), to, bucketMs, count };
  };
  const all = LENGTHS.map(bucketsBy);
  return all.find(({ count }) => count <= MOST_BUCKETS) ?? bucketsBy(365 * DAY_MS);
}

/** Returns the range of an incident's chart: all of it, with enough around it to see it begin and end, at most the last three days. */
export function rangeOfIncident(seen: { readonly firstSeen: Date; readonly lastSeen: Date }, now: Date): TimeRange {
  const first = seen.firstSeen.getTime();
  const last = Math.max(first, seen.lastSeen.getTime());
  const around = Math.max(15 * MINUTE_MS, (last - first) / 5);
  const to = Math.min(now.getTime(), last + around);
  return { from: new Date(Math.max(first - around, to - 3 * DAY_MS)), to: new Date(to) };
}

const OF: { readonly [By in DividedBy]: (kind: Omit<CountedKind, 'counts'>) => string } = {
  provider: ({ channel, provider }) => JSON.stringify([channel, provider]),
  cause: ({ cause }) => cause,
  workflow: ({ workflow }) => workflow ?? '',
};

/** By provider if there are several, else by cause, else by workflow. Every failure is in one series; `rest` is in the last. */
export function divided({ kinds, rest }: Pick<Counted, 'kinds' | 'rest'>): {
  readonly by: DividedBy;
  readonly series: readonly Series[];
} {
  const partsBy = (by: DividedBy) => {
    const parts = new Map<string, CountedKind[]>();
    for (const kind of kinds) parts.set(OF[by](kind), [...(parts.get(OF[by](kind)) ?? []), kind]);
    return parts;
  };
  const by = (['provider', 'cause', 'workflow'] as const).find((one) => partsBy(one).size > 1) ?? 'cause';
  const largestFirst = [...partsBy(by).values()]
    .map((part) =>
      seriesOf(
        part[0] ?? null,
        part.map(({ counts }) => counts),
      ),
    )
    .sort((a, b) => b.failures - a.failures);
  const others = seriesOf(null, [rest, ...largestFirst.slice(MOST_SERIES).map(({ counts }) => counts)]);
  return { by, series: [...largestFirst.slice(0, MOST_SERIES), ...(others.failures === 0 ? [] : [others])] };
}

function seriesOf(example: Series['example'], parts: readonly (readonly number[])[]): Series {
  const length = Math.max(0, ...parts.map((counts) => counts.length));
  const counts = Array.from({ length }, (_, bucket) => sum(parts.map((part) => part[bucket] ?? 0)));
  return { example, counts, failures: sum(counts) };
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
