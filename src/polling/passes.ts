import { max, subMinutes } from 'date-fns';
import { lengthOf } from '../lib/time/coverage.ts';
import { MINUTE_MS, minuteOf } from '../lib/time/durations.ts';
import type { TimeRange } from '../lib/time/time-range.ts';

/** How far each pass over the list has read, by its age in minutes; by the service's clock. */
export type ReadTo = ReadonlyMap<number, Date>;

/** What one pass is to read: what was created in this range is `age` minutes old at its end. */
export interface Pass {
  readonly age: number;
  readonly range: TimeRange;
}

const FIRST_AGES = [1, 2, 4, 7, 10, 13];

/** Each age is this much greater than the one before, so that a failure waits for at most a third of its event's age. */
const RATIO = 1.2;

/** Returns the ages, in minutes, at which the list is read again after the present; the last is the horizon. */
export function agesUpTo(horizonMs: number, ratio = RATIO): number[] {
  const horizon = Math.floor(horizonMs / MINUTE_MS);
  const ages = FIRST_AGES.filter((age) => age < horizon);
  for (let age = (ages.at(-1) ?? 1) * ratio; age < horizon; age *= ratio) {
    const whole = Math.ceil(age);
    if (whole < horizon && whole > (ages.at(-1) ?? 0)) ages.push(whole);
  }
  return [...ages, horizon];
}

/**
 * Returns the ages at which a list that leaves out the steps is asked for them by ID, which costs a request an event: none is above twice the
 * one before, as far as there is one between.
 */
export function doubledAges(ages: readonly number[]): number[] {
  const doubled: number[] = [];
  for (const [index, age] of ages.entries()) {
    const next = ages[index + 1];
    if (next === undefined || next > 2 * (doubled.at(-1) ?? 0)) doubled.push(age);
  }
  return doubled;
}

/**
 * Returns how far each pass has read as far as it still matters: a new age begins at its age, none before `since`. A pass that is behind the
 * next older one jumps to where that one is: what lies between was just read at a greater age. The last never jumps; it reads on to twice the
 * horizon.
 */
export function currentReadTo(known: ReadTo, ages: readonly number[], since: Date, now: Date): ReadTo {
  const current = new Map<number, Date>();
  let older: Date | null = null;
  for (const age of ages.toReversed()) {
    const least: Date = older ?? minuteOf(subMinutes(now, 2 * age));
    const readTo: Date = max([known.get(age) ?? minuteOf(subMinutes(now, age)), least, minuteOf(since)]);
    current.set(age, readTo);
    older = readTo;
  }
  return current;
}

/** A pass reads on once it is behind by this share of its age, and by a minute. */
const STEP = 1 / 20;

/** Returns the passes that are due, the one that is latest for its age first. */
export function duePasses(readTo: ReadTo, now: Date): Pass[] {
  return [...readTo]
    .map(([age, from]) => ({ age, range: { from, to: minuteOf(subMinutes(now, age)) } }))
    .filter(({ age, range }) => lengthOf(range) >= Math.max(MINUTE_MS, age * MINUTE_MS * STEP))
    .sort((a, b) => lengthOf(b.range) / b.age - lengthOf(a.range) / a.age);
}

/** By how much the passes are later than they should be, in milliseconds; 0 if they keep up. `now`: the service's. */
export function behindMs(readTo: ReadTo, now: Date, pollMs: number): number {
  const late = [...readTo].map(([age, at]) => {
    const due = Math.max(2 * pollMs, 2 * MINUTE_MS, 2 * age * MINUTE_MS * STEP);
    return now.getTime() - age * MINUTE_MS - at.getTime() - due;
  });
  return Math.max(0, ...late);
}

/** The most events that are read before it is noted that they were: 20 pages. */
const EVENTS_A_SLICE = 1_000;

/**
 * Parts a range, the oldest first, at whole minutes, so that a slice has at most `EVENTS_A_SLICE` events as far as is known or is a minute.
 * `eventsIn`: by the minute's start, in milliseconds.
 */
export function slices({ from, to }: TimeRange, eventsIn: ReadonlyMap<number, number>): TimeRange[] {
  const parted: TimeRange[] = [];
  let [begin, events] = [from.getTime(), 0];
  for (let minute = minuteOf(from).getTime(); minute < to.getTime(); minute += MINUTE_MS) {
    const more = eventsIn.get(minute) ?? 0;
    if (events > 0 && events + more > EVENTS_A_SLICE) {
      parted.push({ from: new Date(begin), to: new Date(minute) });
      [begin, events] = [minute, 0];
    }
    events += more;
  }
  return begin < to.getTime() ? [...parted, { from: new Date(begin), to }] : parted;
}
