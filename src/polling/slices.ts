import { addMilliseconds, max, min, subMinutes } from 'date-fns';
import { lengthOf, MINUTE_MS, minuteOf, overlap, type TimeRange } from '../lib/time/durations.ts';

/** Twenty pages of the list. */
export const EVENTS_A_SLICE = 1_000;

/** Slices of as many whole minutes each, at least one, so that each has some `eventsASlice` of the `events`. The range cuts the first and the last. */
export function slices({ from, to }: TimeRange, events: number, eventsASlice = EVENTS_A_SLICE): TimeRange[] {
  const ms = to.getTime() - minuteOf(from).getTime();
  const wanted = Math.max(1, Math.ceil(events / eventsASlice));
  const stepMs = Math.ceil(ms / MINUTE_MS / wanted) * MINUTE_MS;
  return Array.from({ length: Math.ceil(ms / stepMs) }, (_, index) => {
    const begin = addMilliseconds(minuteOf(from), index * stepMs);
    return { from: max([from, begin]), to: min([to, addMilliseconds(begin, stepMs)]) };
  });
}

export const minutesOf = (range: TimeRange): TimeRange[] =>
  slices(range, Number.MAX_SAFE_INTEGER).filter((minute) => lengthOf(minute) > 0);

export const isAtMinute = (time: Date): boolean => time.getTime() % MINUTE_MS === 0;

export const isWholeMinutes = ({ from, to }: TimeRange): boolean => isAtMinute(from) && isAtMinute(to);

export function wholeMinutes({ from, to }: TimeRange): TimeRange {
  return { from: minuteOf(from), to: minuteOf(addMilliseconds(to, MINUTE_MS - 1)) };
}

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
