import { addHours, addMilliseconds, max, min, subMinutes } from 'date-fns';
import { FIRST_COVERAGE_MS } from '../coverage/gap.ts';
import { type EnvironmentRow, LEFT_OUT, type ReadTo } from '../coverage/tables.ts';
import { HOUR_MS, lengthOf, MINUTE_MS, minuteOf, overlap, type TimeRange } from '../lib/time/durations.ts';
import { lagMs } from '../lib/time/service-clock.ts';

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

/** A pass behind the next older one jumps to it, the last to twice the horizon, and one of which nothing could be read begins there. All begin at the first poll, by the service's clock. */
export function currentReadTo(
  known: ReadTo,
  ages: readonly number[],
  { coveredFrom, clockAheadMs }: Pick<EnvironmentRow, 'coveredFrom' | 'clockAheadMs'>,
  now: Date,
): Map<number, Date> {
  const current = new Map<number, Date>();
  const begin = known.size > 0 ? now : addMilliseconds(coveredFrom, FIRST_COVERAGE_MS - lagMs(clockAheadMs));
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

/** Returns the pass that is most late for its age, or the oldest that overlaps with it: younger ones jump. It reads an hour at most, so that none waits long. */
export function nextPass(readTo: ReadTo, now: Date): Pass | undefined {
  const last = Math.max(...readTo.keys());
  const due = [...readTo]
    .map(([age, from]) => ({ age, from, late: lengthOf({ from, to: latestReadTo(age, now) }) / (age * MINUTE_MS) }))
    .map((pass) => (pass.age === last && pass.late > JUMPS_SOON ? { ...pass, late: Number.POSITIVE_INFINITY } : pass))
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

export const EVENTS_A_SLICE = 1_000;

export function slices({ from, to }: TimeRange, events: number, eventsASlice = EVENTS_A_SLICE): TimeRange[] {
  const ms = to.getTime() - minuteOf(from).getTime();
  const stepMs = Math.ceil(ms / MINUTE_MS / Math.max(1, Math.ceil(events / eventsASlice))) * MINUTE_MS;
  return Array.from({ length: Math.ceil(ms / stepMs) }, (_, index) => {
    const begin = addMilliseconds(minuteOf(from), index * stepMs);
    return { from: max([from, begin]), to: min([to, addMilliseconds(begin, stepMs)]) };
  });
}

export const minutesOf = (range: TimeRange): TimeRange[] =>
  slices(range, Number.MAX_SAFE_INTEGER).filter((minute) => lengthOf(minute) > 0);

export const isWholeMinutes = ({ from, to }: TimeRange): boolean =>
  [from, to].every((time) => time.getTime() % MINUTE_MS === 0);

/** Begins with the last minute, so that what fails now is alerted now, and goes on with the oldest. */
export function newestThenOldest(unread: readonly TimeRange[]): TimeRange[] {
  const last = unread.at(-1);
  if (last === undefined) return [];
  const newest = { from: max([last.from, minuteOf(subMinutes(last.to, 1))]), to: last.to };
  return [newest, ...[...unread.slice(0, -1), { from: last.from, to: newest.from }].flatMap(minutesOf)];
}

/**
 * Returns the part of a window that its first pages show whole, if they are in order: without the last event's moment,
 * of which the next page may show more. `times` are those events', in the order of the list.
 */
export function reachedIn(window: TimeRange, times: readonly number[]): TimeRange | null {
  const [first, last] = [times[0] ?? 0, times.at(-1) ?? 0];
  const isInOrder = (sign: number) => times.every((time, index) => sign * (time - (times[index - 1] ?? time)) >= 0);
  if (last < first && isInOrder(-1)) return overlap(window, { from: new Date(last + 1), to: window.to });
  if (last > first && isInOrder(1)) return overlap(window, { from: window.from, to: new Date(last) });
  return null;
}
