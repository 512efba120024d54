import { maximum, percentile } from '../statistics.ts';

/** When an environment was polled. Milliseconds. */
export type Poll = readonly [environment: number, at: number];

export interface Lateness {
  /** Environments that were polled at least twice. */
  readonly environments: number;
  /** How much later than a poll interval after the one before a poll began, in milliseconds. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly longestMs: number;
}

/** How late polls came, of those that began within a span. Two polls within a second are one that read two parts of the list. */
export function latenessOf(polls: readonly Poll[], everyMs: number): Lateness {
  const gaps = [...timesByEnvironment(polls).values()].filter((times) => times.length > 1).map(gapsBetween);
  const late = gaps.flat().map((gap) => Math.max(0, gap - everyMs));
  return {
    environments: gaps.length,
    p50Ms: percentile(late, 0.5),
    p99Ms: percentile(late, 0.99),
    longestMs: maximum(late),
  };
}

/** How long after a time each environment was polled first; those that weren't are missing. Milliseconds. */
export function firstPollsAfter(polls: readonly Poll[], time: number): ReadonlyMap<number, number> {
  const first = new Map<number, number>();
  for (const [environment, at] of polls) {
    if (at < time) continue;
    first.set(environment, Math.min(first.get(environment) ?? Number.POSITIVE_INFINITY, at - time));
  }
  return first;
}

const SAME_POLL_MS = 1_000;

function timesByEnvironment(polls: readonly Poll[]): ReadonlyMap<number, number[]> {
  const times = new Map<number, number[]>();
  for (const [environment, at] of polls.toSorted((a, b) => a[1] - b[1])) {
    const before = times.get(environment) ?? [];
    if (at - (before.at(-1) ?? Number.NEGATIVE_INFINITY) >= SAME_POLL_MS) before.push(at);
    times.set(environment, before);
  }
  return times;
}

function gapsBetween(times: readonly number[]): number[] {
  return times.slice(1).map((at, index) => at - (times[index] ?? at));
}
