import { addHours, addMilliseconds, max, min, subMinutes } from 'date-fns';
import { FIRST_COVERAGE_MS } from '../coverage/gap.ts';
import { DUE_SHARE } from '../coverage/pass-ages.ts';
import { type EnvironmentRow, LEFT_OUT, type ReadTo } from '../coverage/tables.ts';
import { HOUR_MS, lengthOf, MINUTE_MS, minuteOf, type TimeRange } from '../lib/time/durations.ts';

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

/** How far a pass at this age can have read by now. */
export function latestReadTo(age: number, now: Date): Date {
  return minuteOf(subMinutes(now, age));
}

/** What the last pass jumps over, at twice the horizon, isn't read again. */
export function lastPassJumps(readTo: ReadTo, ages: readonly number[], now: Date): boolean {
  const last = ages.at(-1) ?? 0;
  return (readTo.get(last) ?? now) < latestReadTo(2 * last, now);
}

/**
 * How far each pass counts as read. One that is behind the next older one jumps to where that is, and the last one to twice the horizon. A new pass
 * begins now; at the first poll, after the hour that this covers. One whose stored time can't be read (`LEFT_OUT`) begins where the next older one is.
 */
export function currentReadTo(
  known: ReadTo,
  ages: readonly number[],
  { coveredFrom }: Pick<EnvironmentRow, 'coveredFrom'>,
  now: Date,
): Map<number, Date> {
  const current = new Map<number, Date>();
  const begin = known.size > 0 ? now : addMilliseconds(coveredFrom, FIRST_COVERAGE_MS);
  let readByOlder = max([latestReadTo(2 * (ages.at(-1) ?? 0), now), minuteOf(coveredFrom)]);
  for (const age of ages.toReversed()) {
    const beginsAt = known.has(LEFT_OUT) ? readByOlder : latestReadTo(age, begin);
    const readTo = min([known.get(age) ?? beginsAt, latestReadTo(age, now)]);
    readByOlder = max([readTo, readByOlder]);
    current.set(age, readByOlder);
  }
  return current;
}

/** A clock that nobody knows can be in another time zone. */
const MOST_UNKNOWN_MS = 14 * HOUR_MS;

/**
 * How far a younger pass has read. `readTo` has the oldest first. While the service's clock isn't known, what the youngest read may not be past by it:
 * the oldest pass of at most 14 hours and half of `age` counts.
 */
export function readByYounger(readTo: ReadTo, age: number, clockAheadMs: number | null): Date {
  const oldestAge = clockAheadMs === null ? Math.min(MOST_UNKNOWN_MS / MINUTE_MS, age / 2) : 1;
  const [, readByOldest = new Date(0)] = [...readTo].find(([younger]) => younger <= oldestAge) ?? [];
  return readByOldest;
}

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

/** How late the latest pass is, beyond twice what is usual at its age; 0: none is. */
export function behindMs(readTo: ReadTo, serviceNow: Date, pollMs: number): number {
  const late = [...readTo].map(([age, at]) => {
    const dueMs = 2 * Math.max(pollMs, MINUTE_MS, age * MINUTE_MS * DUE_SHARE);
    return serviceNow.getTime() - age * MINUTE_MS - at.getTime() - dueMs;
  });
  return Math.max(0, ...late);
}
