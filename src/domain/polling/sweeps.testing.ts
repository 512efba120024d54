import type { TimeRange } from '../time/time-range.ts';
import { gapAfter, type Pace, paceOf, type Stretch } from './recheck-pace.ts';
import { afterCheck, dueRuns, type Run, stretchesAt } from './sweeps.ts';

const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const HORIZON = 72 * HOUR;

/** Models sweeps of a service with a steady rate of events and a poll a minute, without a clock or a store. */
export interface SweepModel {
  readonly now: number;
  readonly stretches: readonly Stretch[];
  readonly pace: Pace;
  /** The number of requests of the sweep. */
  readonly requests: number;
}

export interface ModelOptions {
  readonly eventsAnHour: number;
  readonly requestsAMinute?: number;
  readonly pollMs?: number;
  readonly onCheck?: (run: Run, now: number) => void;
}

/** Returns how many events are created in a window at a steady rate. */
export function eventsIn({ from, to }: TimeRange, eventsAnHour: number): number {
  return Math.floor((to.getTime() / HOUR) * eventsAnHour) - Math.floor((from.getTime() / HOUR) * eventsAnHour);
}

/** Returns the stretches after a sweep of those known at a time. */
export function sweepOnce(known: readonly Stretch[], now: number, options: ModelOptions): SweepModel {
  const { eventsAnHour, requestsAMinute = 90, pollMs = MINUTE, onCheck = () => {} } = options;
  const at = new Date(now);
  const limits = { horizonMs: HORIZON, pollMs, requestsAMinute };
  const pace = paceOf(known, limits);
  const all = stretchesAt(known, new Date(0), at, pace);
  const outcome = { at, unchecked: [], eventsIn: (part: TimeRange) => eventsIn(part, eventsAnHour) };
  let requests = 0;
  const checked = new Map<Stretch, readonly Stretch[]>();
  for (const run of dueRuns(all, pace, at)) {
    onCheck(run, now);
    const events = eventsIn(run, eventsAnHour);
    const isYoung = now - run.to.getTime() <= 10 * MINUTE;
    // A full last page is followed by an empty one.
    if (events > 0 || isYoung) requests += Math.floor(events / 50) + 1;
    const [first, ...others] = run.stretches;
    if (first !== undefined) checked.set(first, afterCheck(run, outcome, pace));
    for (const one of others) checked.set(one, []);
  }
  return { now, stretches: all.flatMap((one) => checked.get(one) ?? [one]), pace, requests };
}

/** The delays of failures that occur at any moment between two checks, by the decade of their age. */
export interface DelaysByAge {
  readonly fromMs: number;
  readonly toMs: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly worstMs: number;
}

export interface SteadyLoad {
  readonly share: number;
  readonly requestsAMinute: number;
  readonly mostStretches: number;
  readonly delays: readonly DelaysByAge[];
  /** By how much the worst delay exceeds the promise for its age, in milliseconds; negative: none does. */
  readonly overPromiseMs: number;
}

const EDGES = [2 * MINUTE, 10 * MINUTE, HOUR, 6 * HOUR, 24 * HOUR, HORIZON];

/**
 * Plays a steady load: a horizon to fill up, then `measuredHours`. Follows the first event of one in so many stretches; each gap between
 * two checks represents failures at any moment in it, whose delay is the rest of the gap.
 */
export function playSteadyLoad(
  eventsAnHour: number,
  measuredHours: number,
  begin: 'empty' | 'at once' = 'empty',
): SteadyLoad {
  const gaps: { readonly fromAge: number; readonly toAge: number }[] = [];
  const from = HORIZON + HOUR;
  let measured = 0;
  let requests = 0;
  let mostStretches = 0;
  const onCheck = (run: Run, now: number) => {
    if (now < from) return;
    for (const { checkedAt, to } of run.stretches) {
      // Events are found as new by the poll after their creation.
      const last = Math.max(0, (checkedAt?.getTime() ?? 0) - to.getTime());
      gaps.push({ fromAge: last, toAge: now - to.getTime() });
    }
  };
  const pace = { share: 1, horizonMs: HORIZON, pollMs: MINUTE };
  const beginAt = begin === 'empty' ? 0 : HORIZON;
  const stretches = begin === 'empty' ? [] : steadyState(beginAt, eventsAnHour);
  let model: SweepModel = { now: beginAt, stretches, pace, requests: 0 };
  for (let now = beginAt + MINUTE; now <= from + measuredHours * HOUR; now += MINUTE) {
    model = sweepOnce(model.stretches, now, { eventsAnHour, onCheck });
    if (now < from) continue;
    measured += 1;
    requests += model.requests;
    mostStretches = Math.max(mostStretches, model.stretches.length);
  }
  const delays = EDGES.slice(0, -1).map((fromMs, index) => delaysBetween(gaps, fromMs, EDGES[index + 1] ?? HORIZON));
  const overPromiseMs = Math.max(
    ...gaps.map(({ fromAge, toAge }) => toAge - fromAge - Math.max(5 * MINUTE, fromAge / 3)),
  );
  return { share: model.pace.share, requestsAMinute: requests / measured, mostStretches, delays, overPromiseMs };
}

/** Returns a horizon full of stretches, each at some point in its gap, which follows from its number. */
function steadyState(now: number, eventsAnHour: number): Stretch[] {
  const limits = { horizonMs: HORIZON, pollMs: MINUTE, requestsAMinute: 90 };
  const at = new Date(now);
  let known: readonly Stretch[] = stretchesAt([], new Date(now - HORIZON), at, { ...limits, share: 1 });
  for (let round = 0; round < 5; round++) {
    const pace = paceOf(known, limits);
    known = known.map((one, index) => {
      const age = now - one.to.getTime();
      const over = ((index * 7) % 10) / 10;
      const since = Math.min(gapAfter(age / (1 + pace.share * over), pace) * over, age - 2 * MINUTE);
      return { ...one, checkedAt: new Date(now - Math.max(0, since)), events: eventsIn(one, eventsAnHour) };
    });
  }
  return [...known];
}

/** The probability that a gap has a failure is proportional to its length. */
function delaysBetween(
  gaps: readonly { readonly fromAge: number; readonly toAge: number }[],
  fromMs: number,
  toMs: number,
): DelaysByAge {
  const within = gaps
    .filter(({ fromAge }) => fromAge >= fromMs && fromAge < toMs)
    .map((gap) => gap.toAge - gap.fromAge);
  const worstMs = Math.max(0, ...within);
  const total = within.reduce((sum, gap) => sum + gap, 0);
  const shareBelow = (delay: number) => within.reduce((sum, gap) => sum + Math.min(gap, delay), 0) / total;
  const quantile = (share: number) => {
    let [low, high] = [0, worstMs];
    while (high - low > 1_000) {
      const middle = (low + high) / 2;
      if (shareBelow(middle) < share) low = middle;
      else high = middle;
    }
    return high;
  };
  return { fromMs, toMs, p50Ms: quantile(0.5), p95Ms: quantile(0.95), worstMs };
}
