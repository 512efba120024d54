import { tzOffset } from '@date-fns/tz';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../domain/time/durations.ts';
import type { TimeRange } from '../domain/time/time-range.ts';
import { momentOf } from '../domain/time/wall-clock.ts';
import { clockTime, weekdayAndDay } from '../domain/time/zone-clock.ts';

const FACTORS = [1, 2, 2.5, 5, 10];

/** Returns round whole numbers from 0 to at least `most`, in at most five steps: 0, 20, 40, 60. */
export function countTicks(most: number): readonly number[] {
  const atLeast = Math.max(1, most / 5);
  const power = 10 ** Math.floor(Math.log10(atLeast));
  const steps = FACTORS.map((factor) => factor * power).filter((step) => step >= atLeast && Number.isInteger(step));
  const [step = 10 * power] = steps;
  return Array.from({ length: Math.max(1, Math.ceil(most / step)) + 1 }, (_, index) => index * step);
}

const STEPS = [
  ...[1, 2, 5, 10, 15, 20, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 2, 3, 6, 12].map((hours) => hours * HOUR_MS),
  ...[1, 2, 7].map((days) => days * DAY_MS),
];

/** The longest step that a clock change leaves even, because it skips or repeats whole ones. */
const SHORT_STEP_MS = HOUR_MS;

/** Returns at most `most` times that are round on the clocks of a zone, also after they change. */
export function timeTicks({ from, to }: TimeRange, timeZone: string, most: number): readonly Date[] {
  const length = to.getTime() - from.getTime();
  const step = STEPS.find((one) => length / one <= most - 1) ?? Math.ceil(length / (most - 1) / DAY_MS) * DAY_MS;
  const offsetAt = (at: Date) => tzOffset(timeZone, at) * MINUTE_MS;
  const shown = (offsetAtEnd: number) => multiples(step, from.getTime() + offsetAt(from), to.getTime() + offsetAtEnd);
  if (step <= SHORT_STEP_MS) return shown(offsetAt(from)).map((each) => new Date(each - offsetAt(from)));
  const moments = shown(offsetAt(to)).map((each) => momentShown(each, timeZone));
  return moments.filter((at) => from <= at && at <= to);
}

/** Returns the multiples of a step from one number to another. */
function multiples(step: number, from: number, to: number): number[] {
  const first = Math.ceil(from / step);
  const count = Math.floor(to / step) - first + 1;
  return Array.from({ length: Math.max(0, count) }, (_, index) => (first + index) * step);
}

/** Returns the moment at which clocks show a date and time, given as if they showed UTC. */
function momentShown(shown: number, timeZone: string): Date {
  const day = new Date(shown).toISOString().slice(0, 10);
  return momentOf(day, (shown % DAY_MS) / MINUTE_MS, timeZone);
}

/** Formats a time as '14:30', or as 'Sat 21' at the start of a day. */
export function tickLabel(at: Date, timeZone: string): string {
  const day = weekdayAndDay(at, timeZone);
  const isDaysFirst = weekdayAndDay(new Date(at.getTime() - 1), timeZone) !== day;
  return isDaysFirst ? day : clockTime(at, timeZone);
}

/** Labels the ticks of an axis: '5,000', or '5k' from 10,000 on. */
export function countLabels(ticks: readonly number[]): readonly string[] {
  const most = ticks.at(-1) ?? 0;
  const [size, unit] = most < 10_000 ? [1, ''] : most < 1_000_000 ? [1_000, 'k'] : [1_000_000, 'M'];
  return ticks.map((tick) => (tick === 0 ? '0' : `${(tick / size).toLocaleString('en-US')}${unit}`));
}
