import { addHours, addMilliseconds, max, min, subMinutes } from 'date-fns';
import { FIRST_COVERAGE_MS } from '../coverage/gap.ts';
import { type EnvironmentRow, LEFT_OUT, type ReadTo } from '../coverage/tables.ts';
import { HOUR_MS, lengthOf, MINUTE_MS, minuteOf, type TimeRange } from '../lib/time/durations.ts';

const FIRST_AGES = [1, 2, 4, 7, 10, 13];

/** A failure waits for at most a third of its event's age. */
const RATIO = 1.2;

export function agesUpTo(horizonMs: number): number[] {
  const horizon = Math.floor(horizonMs / MINUTE_MS);
  const ages = [...FIRST_AGES];
  for (let age = (ages.at(-1) ?? 1) * RATIO; age < horizon; age *= RATIO) ages.push(Math.ceil(age));
  return [...ages.filter((age) => age < horizon), horizon];
}

/** With what a pass is late, a failure that only steps show waits for at most two thirds of its event's age. */
const STEPS_RATIO = 1.55;

/** Passes at these ages ask for steps, which costs a request an event. */
export function agesWithSteps(ages: readonly number[]): number[] {
  const chosen: number[] = [];
  for (const [index, age] of ages.entries()) {
    const next = ages[index + 1];
    if (next === undefined || next > STEPS_RATIO * (chosen.at(-1) ?? 0)) chosen.push(age);
  }
  return chosen;
}

export function latestReadTo(age: number, now: Date): Date {
  return minuteOf(subMinutes(now, age));
}

/** What the last pass jumps over, at twice the horizon, isn't read again. */
export function lastPassJumps(readTo: ReadTo, ages: readonly number[], now: Date): boolean {
  const last = ages.at(-1) ?? 0;
  return (readTo.get(last) ?? now) < latestReadTo(2 * last, now);
}

/**
 * A pass behind the next older one jumps to it, the last to twice the horizon, and one of which nothing could be read
 * begins there. All begin at the first poll, of which the first hour is covered.
 */
export function currentReadTo(
  known: ReadTo,
  ages: readonly number[],
  { coveredFrom }: Pick<EnvironmentRow, 'coveredFrom'>,
  now: Date,
): Map<number, Date> {
  const current = new Map<number, Date>();
  const begin = known.size > 0 ? now : addMilliseconds(coveredFrom, FIRST_COVERAGE_MS);
  let least = max([latestReadTo(2 * (ages.at(-1) ?? 0), now), minuteOf(coveredFrom)]);
  for (const age of ages.toReversed()) {
    const readTo = known.get(age) ?? (known.has(LEFT_OUT) ? least : latestReadTo(age, begin));
    least = max([min([readTo, latestReadTo(age, now)]), least]);
    current.set(age, least);
  }
  return current;
}

/** A clock that nobody knows can be in another time zone. */
const MOST_UNKNOWN_MS = 14 * HOUR_MS;

/** While the service's clock isn't known, only passes count that read what is surely past. */
export function readByYounger(readTo: ReadTo, age: number, clockAheadMs: number | null): Date {
  const sureAge = clockAheadMs === null ? Math.min(MOST_UNKNOWN_MS / MINUTE_MS, age / 2) : 1;
  return [...readTo].find(([younger]) => younger <= sureAge)?.[1] ?? new Date(0);
}

/** A pass is due once it is late by this share of its age. */
const DUE_SHARE = 1 / 20;
/** Once late by this share, the last pass goes first: what it jumps over is lost. */
const JUMPS_SOON = 3 / 4;

interface Pass {
  /** In minutes. */
  age: number;
  range: TimeRange;
}

/**
 * Returns the pass that is most late for its age, or the oldest that overlaps with it: younger ones jump. It reads an
 * hour at most, so that none waits long.
 */
export function nextPass(readTo: ReadTo, now: Date): Pass | undefined {
  const last = Math.max(...readTo.keys());
  const latenessOf = (age: number, from: Date) => {
    const share = lengthOf({ from, to: latestReadTo(age, now) }) / (age * MINUTE_MS);
    return age === last && share > JUMPS_SOON ? Number.POSITIVE_INFINITY : share;
  };
  const due = [...readTo]
    .map(([age, from]) => ({ age, from, late: latenessOf(age, from) }))
    // By a minute at least, as passes read whole ones.
    .filter(({ age, late }) => late >= Math.max(1 / age, DUE_SHARE))
    .sort((a, b) => b.late - a.late)
    .map(({ age, from }) => ({ age, range: { from, to: min([latestReadTo(age, now), addHours(from, 1)]) } }));
  const [mostLate] = due;
  if (mostLate === undefined) return undefined;
  return due.filter(({ range }) => range.to > mostLate.range.from).reduce((a, b) => (b.age > a.age ? b : a));
}

export function behindMs(readTo: ReadTo, serviceNow: Date, pollMs: number): number {
  const late = [...readTo].map(([age, at]) => {
    const dueMs = 2 * Math.max(pollMs, MINUTE_MS, age * MINUTE_MS * DUE_SHARE);
    return serviceNow.getTime() - age * MINUTE_MS - at.getTime() - dueMs;
  });
  return Math.max(0, ...late);
}
