import { tzOffset } from '@date-fns/tz';
import { type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { MINUTE_MS } from '../lib/time/durations.ts';
import { Count, type Db, idList, onlyRow } from '../store/db.ts';

/** A workflow has no events between `since` and `until`. Times are minutes since 1970. */
interface Quiet {
  since: number;
  until: number;
  coveredFrom: number;
}

/** Counts another workflow's minutes with events: since a time, a day or week earlier, and in the silence before. */
type OtherRow = z.output<typeof OtherRow>;

const COMPARED_DAYS = [1, 2, 3, 4, 5, 6, 7, 14, 21, 28] as const;
export const LEAST_MINUTES = 30;
const DAY = 24 * 60;
const NIGHT = DAY / 2;
/** A silent workflow is compared with itself this long before, too. */
const BEFORE = 4 * 60;
/** Summer time is an hour at most. */
const LONGEST_SHIFT = 60;

const FEWEST_MINUTES = 15;
const FEWEST_DAYS = 3;
const TIMES_USUAL = 2;
const LONGER = 1.5;

/** How many minutes ago it was the same time of day, so many days before. */
type SameTime = (day: number) => number;

/** Whose clocks are put forward and back; each of them on other days. */
const ZONES = [
  'Europe/Berlin',
  'America/New_York',
  'America/Santiago',
  'Asia/Jerusalem',
  'Africa/Cairo',
  'Australia/Sydney',
];

/**
 * Where people live that a workflow follows isn't known: by which clocks, it is asked of all that were changed lately.
 * By UTC first, which mostly decides: to ask clocks takes time.
 */
function* sameTimes(until: number): Generator<SameTime> {
  yield (day) => day * DAY;
  const seen = new Set([COMPARED_DAYS.map((day) => day * DAY).join(' ')]);
  for (const zone of ZONES) {
    const offset = (minute: number) => tzOffset(zone, new Date(minute * MINUTE_MS));
    const now = offset(until);
    const ago = new Map<number, number>(
      COMPARED_DAYS.map((day) => [day, day * DAY - (now - offset(until - day * DAY))]),
    );
    const times = [...ago.values()].join(' ');
    if (!seen.has(times)) yield (day) => ago.get(day) ?? 0;
    seen.add(times);
  }
}

/**
 * Returns the longest pause that is usual at this time, in minutes, or null if the workflow isn't silent.
 * After a night, only what it missed since it usually begins counts.
 */
export async function usualPause(
  quiet: Quiet,
  minutes: readonly number[],
  othersSince: (from: number) => Promise<readonly OtherRow[]>,
): Promise<number | null> {
  let longest = 0;
  for (const sameTime of sameTimes(quiet.until)) {
    const pause = await usualPauseBy(sameTime, quiet, minutes, othersSince);
    if (pause === null) return null;
    longest = Math.max(longest, pause);
  }
  return longest;
}

async function usualPauseBy(
  sameTime: SameTime,
  quiet: Quiet,
  minutes: readonly number[],
  othersSince: (from: number) => Promise<readonly OtherRow[]>,
): Promise<number | null> {
  const { since, until } = quiet;
  const whole = Math.min(until - since, DAY);
  const shorter: number[] = [];
  for (let length = LEAST_MINUTES; length < whole; length = Math.ceil(length * LONGER)) shorter.unshift(length);
  for (const from of [whole, ...shorter].map((length) => until - length)) {
    if (longestUsual(sameTime, quiet, minutes, { from, share: 1 }) === null) continue;
    const lengths = { before: Math.min(from - since, NIGHT), after: until - from };
    const share = shareOfOthers(await othersSince(from), lengths);
    const longest = longestUsual(sameTime, quiet, minutes, { from, share });
    if (longest !== null) return longest;
  }
  return null;
}

/** Counts days that were busy all around this time. `share` is what others have of their usual events. */
function longestUsual(
  sameTime: SameTime,
  { since, until, coveredFrom }: Quiet,
  minutes: readonly number[],
  { from, share }: { from: number; share: number },
): number | null {
  const length = until - from;
  const margin = Math.max(LEAST_MINUTES, length / 2);
  const [begin, end] = [from - margin, until + margin];
  const before = (day: number) => within(minutes, since - BEFORE - sameTime(day), since - sameTime(day)).length;
  const usualOn = (day: number) => {
    const expected = within(minutes, from - sameTime(day), until - sameTime(day)).length;
    if (expected < FEWEST_MINUTES / 2) return [];
    const dayShare = Math.min(share, (before(0) + 5) / (before(day) + 5));
    const busy = within(minutes, begin - sameTime(day), end - sameTime(day));
    const pauses = [...busy, end - sameTime(day)].map(
      (minute, index) => minute - (busy[index - 1] ?? begin - sameTime(day)),
    );
    const longest = Math.max(...pauses);
    return longest * TIMES_USUAL <= length * dayShare ? [{ longest, expected: expected * dayShare }] : [];
  };
  const days = COMPARED_DAYS.filter((day) => Math.min(begin, since - BEFORE) - sameTime(day) >= coveredFrom);
  const weekly = days.filter((day) => day % 7 === 0);
  const alike = weekly.length > 0 || isNearWeekend(until) ? weekly : days.slice(0, FEWEST_DAYS);
  const mostHolidays = weekly.length > 2 ? 1 : 0;
  if (alike.length === 0 || alike.filter((day) => usualOn(day).length === 0).length > mostHolidays) return null;
  const usual = days.flatMap(usualOn);
  const expected = usual.reduce((sum, day) => sum + day.expected, 0) / usual.length;
  if (usual.length < Math.max(FEWEST_DAYS, days.length / 2) || expected < FEWEST_MINUTES) return null;
  return Math.max(...usual.map(({ longest }) => longest));
}

/** From Friday to Sunday by UTC it is weekend somewhere. */
const isNearWeekend = (minute: number) => [5, 6, 0].includes(new Date(minute * MINUTE_MS).getUTCDay());

/** On a holiday and in a general outage, others have few events, too. Those as quiet before are preferred. */
function shareOfOthers(others: readonly OtherRow[], { before, after }: { before: number; after: number }) {
  const share = (rows: readonly OtherRow[]) => {
    const sum = (count: (row: OtherRow) => number) =>
      rows.reduce((all, row) => all + Math.min(FEWEST_MINUTES, count(row)), 0);
    const usual = sum((row) => row.usual);
    return usual < FEWEST_MINUTES / 2 ? null : sum((row) => Math.min(row.now, row.usual)) / usual;
  };
  const wasQuiet = (row: OtherRow) => 10 * row.before * after <= row.usual * before;
  const known = share(others.filter(wasQuiet)) ?? share(others) ?? 0;
  return known < 0.5 ? 0 : known;
}

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

const MinutesRow = z.object({ minutes: z.array(z.number()).nullable() });
const OtherRow = z.object({ now: Count, usual: Count, before: Count });

export type QuietTimes = Record<keyof Quiet, Date>;

export async function usualPauseMs(
  db: Db,
  environment: string,
  workflow: string,
  times: QuietTimes,
): Promise<number | null> {
  const minuteOf = (time: Date) => Math.floor(time.getTime() / MINUTE_MS);
  const quiet = {
    since: minuteOf(times.since),
    until: minuteOf(times.until),
    coveredFrom: minuteOf(times.coveredFrom),
  };
  const place = { environment, workflow };
  const { minutes } = onlyRow(await db.rows(MinutesRow, minutesOf(place, quiet)));
  const longest = await usualPause(quiet, minutes ?? [], (from) => db.rows(OtherRow, othersOf(place, quiet, from)));
  return longest && longest * MINUTE_MS;
}

interface Place {
  environment: string;
  workflow: string;
}

const timeOf = (minute: number): SQL => sql`to_timestamp(60 * ${minute}::bigint)`;

const minutesOf = ({ environment, workflow }: Place, { since, until }: Quiet): SQL => sql`
  SELECT array_agg(minute ORDER BY minute) AS minutes
  FROM (
    SELECT DISTINCT (extract(epoch FROM e.minute) / 60)::integer AS minute
    FROM ${idList([0, ...COMPARED_DAYS])} AS compared (day)
    JOIN event_counts e
      ON e.environment = ${environment}
      AND e.workflow = ${workflow}
      AND e.events > 0
      AND e.minute >= ${timeOf(since - BEFORE - LONGEST_SHIFT)} - 86400 * day * interval '1 second'
      AND e.minute < LEAST(${timeOf(until + DAY / 2)} - 86400 * day * interval '1 second', ${timeOf(until)})
  ) known`;

function othersOf({ environment, workflow }: Place, { since, until, coveredFrom }: Quiet, from: number): SQL {
  const compared = from - 7 * DAY >= coveredFrom ? 7 * DAY : DAY;
  const before = timeOf(Math.max(since + 1, from - NIGHT));
  const isBefore = sql`e.minute >= ${before} AND e.minute < ${timeOf(from)}`;
  const isUsual = sql`e.minute >= ${timeOf(from - compared)} AND e.minute < ${timeOf(until - compared)}`;
  return sql`
    SELECT
      count(*) FILTER (WHERE e.minute >= ${timeOf(from)}) AS now,
      count(*) FILTER (WHERE e.minute < ${timeOf(until - compared)}) AS usual,
      count(*) FILTER (WHERE ${isBefore}) AS before
    FROM event_counts e
    WHERE e.environment = ${environment}
      AND e.workflow NOT IN (${workflow}, '')
      AND e.events > 0
      AND (e.minute >= ${before} AND e.minute < ${timeOf(until)} OR ${isUsual})
    GROUP BY e.workflow`;
}
