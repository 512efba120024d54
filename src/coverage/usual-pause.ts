import { tzOffset } from '@date-fns/tz';
import { MINUTE_MS } from '../lib/time/durations.ts';

/** A workflow has no events between `since` and `until`. Times are minutes since 1970. */
export interface Silence {
  since: number;
  until: number;
  coveredFrom: number;
}

/** Counts the minutes in which another workflow had events. */
export interface OtherWorkflow {
  /** In the end of the silence that is compared. */
  now: number;
  /** As long, a day or a week earlier. */
  usual: number;
  /** In the part of the silence before its end, at most `NIGHT`. */
  before: number;
}

// Lengths are in minutes, as all times here.
export const DAY = 24 * 60;
export const NIGHT = DAY / 2;
/** A silent workflow is compared with itself this long before, too. */
export const BEFORE = 4 * 60;
/** Shorter pauses are never a silence. */
export const LEAST_MINUTES = 30;
/** How many days ago: those of the last week, and the same weekday of the three weeks before. */
export const COMPARED_DAYS = [1, 2, 3, 4, 5, 6, 7, 14, 21, 28] as const;

/** Fewer minutes with events say little of a day, and of other workflows. */
const FEWEST_MINUTES = 15;
const FEWEST_DAYS = 3;
/** A silence is this many times as long as the longest pause of other days. */
const TIMES_USUAL = 2;
/** Each end of a silence that is compared is this many times as long as the one before. */
const LONGER = 1.5;
/** Keeps a handful of events from deciding. */
const SMOOTHING = 5;

/** Whose clocks are put forward and back; each of them on other days. */
const ZONES = [
  'Europe/Berlin',
  'America/New_York',
  'America/Santiago',
  'Asia/Jerusalem',
  'Africa/Cairo',
  'Australia/Sydney',
];

/** How many minutes ago it was the same time of day, so many days before. */
type SameTime = (day: number) => number;

/**
 * Returns the longest pause that is usual at this time, in minutes, or null if the workflow isn't silent.
 * After a night, only what it missed since it usually begins counts.
 */
export async function usualPause(
  silence: Silence,
  minutes: readonly number[],
  othersSince: (from: number) => Promise<readonly OtherWorkflow[]>,
): Promise<number | null> {
  let longest = 0;
  // It's a silence only if it is one by each clock that people may follow.
  for (const sameTime of sameTimes(silence.until)) {
    const pause = await usualPauseBy(sameTime, silence, minutes, othersSince);
    if (pause === null) return null;
    longest = Math.max(longest, pause);
  }
  return longest;
}

/**
 * A workflow can follow the clocks of people, and where they live isn't known. So each clock that was changed lately is tried. UTC is first: it
 * decides mostly, and asking clocks takes time.
 */
function* sameTimes(until: number): Generator<SameTime> {
  yield (day) => day * DAY;
  const seen = new Set([COMPARED_DAYS.map((day) => day * DAY).join(' ')]);
  for (const zone of ZONES) {
    const offset = (minute: number) => tzOffset(zone, new Date(minute * MINUTE_MS));
    const offsetNow = offset(until);
    const agoOn = (day: number) => day * DAY - (offsetNow - offset(until - day * DAY));
    const ago = new Map<number, number>(COMPARED_DAYS.map((day) => [day, agoOn(day)]));
    const times = [...ago.values()].join(' ');
    if (!seen.has(times)) yield (day) => ago.get(day) ?? 0;
    seen.add(times);
  }
}

/** First the whole silence is compared, then ever shorter ends of it. */
async function usualPauseBy(
  sameTime: SameTime,
  silence: Silence,
  minutes: readonly number[],
  othersSince: (from: number) => Promise<readonly OtherWorkflow[]>,
): Promise<number | null> {
  const { since, until } = silence;
  const whole = Math.min(until - since, DAY);
  const shorter: number[] = [];
  for (let length = LEAST_MINUTES; length < whole; length = Math.ceil(length * LONGER)) shorter.unshift(length);
  for (const from of [whole, ...shorter].map((length) => until - length)) {
    const compared = { sameTime, silence, minutes, from };
    // Where it's no silence even if others have all of their events, these needn't be read.
    if (longestUsual({ ...compared, share: 1 }) === null) continue;
    const lengths = { before: Math.min(from - since, NIGHT), after: until - from };
    const longest = longestUsual({ ...compared, share: shareOfOthers(await othersSince(from), lengths) });
    if (longest !== null) return longest;
  }
  return null;
}

/** The end of a silence that is compared with other days. `share` is what other workflows have of their usual events. */
interface Comparison {
  sameTime: SameTime;
  silence: Silence;
  minutes: readonly number[];
  from: number;
  share: number;
}

/** Returns null unless enough days were busy at this time, above all those that are most like today. */
function longestUsual(comparison: Comparison): number | null {
  const { sameTime, silence, from } = comparison;
  const { since, until, coveredFrom } = silence;
  const earliest = Math.min(from - marginOf(comparison), since - BEFORE);
  const days = COMPARED_DAYS.filter((day) => earliest - sameTime(day) >= coveredFrom);
  const weekly = days.filter((day) => day % 7 === 0);
  // In the first week, the days before are most like today, except near a weekend.
  const alike = weekly.length > 0 || isNearWeekend(until) ? weekly : days.slice(0, FEWEST_DAYS);
  // One of three or more may have been a holiday.
  const mostHolidays = weekly.length > 2 ? 1 : 0;
  const byDay = new Map(days.map((day) => [day, usualOn(comparison, day)]));
  const holidays = alike.filter((day) => byDay.get(day) === null).length;
  if (alike.length === 0 || holidays > mostHolidays) return null;
  const usual = [...byDay.values()].flatMap((each) => each ?? []);
  const expected = usual.reduce((sum, day) => sum + day.expected, 0) / usual.length;
  if (usual.length < Math.max(FEWEST_DAYS, days.length / 2) || expected < FEWEST_MINUTES) return null;
  return Math.max(...usual.map(({ longest }) => longest));
}

/** A day has to be busy this long before and after, too. */
export const marginOf = ({ silence: { until }, from }: Pick<Comparison, 'silence' | 'from'>): number =>
  Math.max(LEAST_MINUTES, (until - from) / 2);

interface UsualDay {
  longest: number;
  /** How many minutes would have events today, by that day's. */
  expected: number;
}

/** Returns null if that day was calm at this time, or had a pause that isn't far shorter. */
function usualOn(comparison: Comparison, day: number): UsualDay | null {
  const { sameTime, silence, minutes, from, share } = comparison;
  const { since, until } = silence;
  const ago = sameTime(day);
  const events = within(minutes, from - ago, until - ago).length;
  if (events < FEWEST_MINUTES / 2) return null;
  const margin = marginOf(comparison);
  const [begin, end] = [from - margin - ago, until + margin - ago];
  const busy = within(minutes, begin, end);
  const pauses = [...busy, end].map((minute, index) => minute - (busy[index - 1] ?? begin));
  const longest = Math.max(...pauses);
  // Today may have had fewer events than that day already before the silence.
  const before = (then: number) => within(minutes, since - BEFORE - then, since - then).length + SMOOTHING;
  const dayShare = Math.min(share, before(0) / before(ago));
  return longest * TIMES_USUAL <= (until - from) * dayShare ? { longest, expected: events * dayShare } : null;
}

/** From Friday to Sunday by UTC it is weekend somewhere. */
const isNearWeekend = (minute: number): boolean => [5, 6, 0].includes(new Date(minute * MINUTE_MS).getUTCDay());

/**
 * Returns which share of their usual events other workflows have, or 0 if it's less than half: on a holiday and in a
 * general outage, others have few events, too. Preferred are those that had at most a tenth of their usual rate earlier in the silence, too.
 * `lengths` are those of the earlier part of the silence and of its end.
 */
function shareOfOthers(others: readonly OtherWorkflow[], lengths: { before: number; after: number }): number {
  const share = (rows: readonly OtherWorkflow[]) => {
    const sum = (count: (row: OtherWorkflow) => number) =>
      rows.reduce((all, row) => all + Math.min(FEWEST_MINUTES, count(row)), 0);
    const usual = sum((row) => row.usual);
    return usual < FEWEST_MINUTES / 2 ? null : sum((row) => Math.min(row.now, row.usual)) / usual;
  };
  const wasAsCalm = (row: OtherWorkflow) => 10 * row.before * lengths.after <= row.usual * lengths.before;
  const known = share(others.filter(wasAsCalm)) ?? share(others) ?? 0;
  return known < 0.5 ? 0 : known;
}

/** Returns the minutes of a sorted list from `from` until before `to`. */
export function within(sorted: readonly number[], from: number, to: number): number[] {
  const place = (minute: number) => {
    let [low, high] = [0, sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sorted[middle] ?? minute) < minute) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return sorted.slice(place(from), place(to));
}
