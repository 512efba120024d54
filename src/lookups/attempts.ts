import { max, min, subMilliseconds } from 'date-fns';
import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { quantileOf } from '../coverage/minute-counts.ts';
import { StoredVerdict } from '../incidents/incident.ts';
import { isAnnounced } from '../judging/verdict.ts';
import { DAY_MS, HOUR_MS, lengthOf, minuteOf, type TimeRange } from '../lib/time/durations.ts';
import { Count, CountRow, type Db, onlyRow } from '../store/db.ts';
import {
  type Counts,
  deliveredSql,
  failedSql,
  firingSql,
  type Grouping,
  latencySql,
  PLACES,
} from './attempt-statements.ts';
import { deliveriesSql, type Found, failuresSql, fromMinute, isCounted } from './found.ts';

export interface Total {
  delivered: number;
  failed: number;
}

/** What was attempted at a provider or a domain, by a channel or in a workflow. */
export interface Attempts {
  /** '': all channels. */
  channel: string;
  /** The provider's, workflow's or domain's; '': all of them. */
  name: string;
  delivered: number;
  failed: number;
  undeliverable: number;
  lastAt: Date | null;
  /** Deliveries in the last hour; null: the range doesn't reach now. */
  lastHour: number | null;
  /** Deliveries in this hour of the day on other days; null: not known. */
  usualHour: number | null;
  /** What is normal; null: not known. */
  usual: UsualTraffic | null;
  /** IDs of firing incidents. */
  firing: readonly number[];
  /** Between an event's creation and its delivery, without planned waits; null by domain. */
  medianMs: number | null;
  p95Ms: number | null;
}

/** What is normal, by up to eight days. */
interface UsualTraffic {
  /** How many attempts an hour has. */
  perHour: number;
  /** Which share of attempts failed, 0 to 1. */
  share: number;
  p95Ms: number | null;
}

interface Counted extends Total {
  /** How many deliveries took how long, by the bucket. */
  latencies: Map<number, number>;
}

interface Counting extends Counted, Pick<Attempts, 'channel' | 'name' | 'undeliverable' | 'lastAt' | 'firing'> {
  /** In the time that says what is normal. */
  usual: Counted;
  lastHour: number;
  /** Deliveries in the same hour of the days before, all together. */
  sameHours: number;
}

const Place = z.object({ channel: z.string(), name: z.string() });
type Place = z.output<typeof Place>;
const DeliveredRow = Place.extend({
  delivered: Count,
  usual: Count,
  lastAt: z.date().nullable(),
  lastHour: Count,
  sameHours: Count,
});
const LatencyRow = Place.extend({ bucket: z.number(), count: Count, usual: Count });
const FiringRow = Place.extend({ firing: z.array(Count) });
const FailedRow = Place.extend({ verdict: StoredVerdict, count: Count });

/** The last hour is compared with the same one of so many days before, at most. */
const MOST_DAYS_COMPARED = 3;
/** What is normal is what so many days had, at most. */
const USUAL_DAYS = 8;

/** The last hour before `now`, and the same hour of `days` days before, since `from`. */
interface Compared {
  now: Date;
  from: Date;
  days: number;
}

interface Question extends Counts {
  found: Found;
  isByDomain: boolean;
  /** Null: the range doesn't reach now. */
  compared: Compared | null;
}

export const shareOf = ({ delivered, failed }: Total): number => (failed === 0 ? 0 : failed / (delivered + failed));

/** `current` is what is covered up to now, to compare this hour with the usual one, and all with what is normal. */
export async function attemptsIn(
  db: Db,
  grouping: Grouping,
  found: Found,
  current: TimeRange | null,
): Promise<readonly Attempts[]> {
  const isByDomain = grouping === 'domain' || found.filter.domains.length > 0;
  const question: Question = {
    place: PLACES[grouping],
    deliveries: deliveriesSql(found, isByDomain),
    found,
    isByDomain,
    usualRange: current && usualRangeIn(current),
    compared: current && comparedHours(current),
  };
  const rows = new Map<string, Counting>();
  const rowAt = ({ channel, name }: Place): Counting => {
    const key = `${channel} ${name}`;
    const row = rows.get(key) ?? emptyRow(channel, name);
    rows.set(key, row);
    return row;
  };
  await addDeliveries(db, question, rowAt);
  await addFailures(db, question, rowAt);
  const firing = await db.rows(FiringRow, firingSql(question.place, found, isByDomain));
  for (const row of firing) rowAt(row).firing = row.firing;
  return [...rows.values()].filter(isShown).map((row) => attemptsOf(row, question));
}

function emptyRow(channel: string, name: string): Counting {
  return {
    channel,
    name,
    delivered: 0,
    failed: 0,
    undeliverable: 0,
    lastAt: null,
    lastHour: 0,
    sameHours: 0,
    firing: [],
    latencies: new Map(),
    usual: { delivered: 0, failed: 0, latencies: new Map() },
  };
}

/** Less than a day says nothing about what is normal. */
function usualRangeIn({ from, to }: TimeRange): TimeRange | null {
  const range = { from: max([from, subMilliseconds(to, USUAL_DAYS * DAY_MS)]), to };
  return lengthOf(range) < DAY_MS ? null : range;
}

function comparedHours(current: TimeRange): Compared {
  const days = Math.max(0, Math.min(MOST_DAYS_COMPARED, Math.floor((lengthOf(current) - HOUR_MS) / DAY_MS)));
  return { now: current.to, from: subMilliseconds(current.to, days * DAY_MS + HOUR_MS), days };
}

async function addDeliveries(db: Db, question: Question, rowAt: (place: Place) => Counting): Promise<void> {
  const { found, isByDomain, usualRange, compared } = question;
  const shown = { from: min([found.range.from, compared?.from ?? found.range.from]), to: found.range.to };
  // What is normal is read along: it is mostly of the same days.
  for (const day of daysOf(usualRange === null ? shown : spanOf(shown, usualRange))) {
    for (const counted of await db.rows(DeliveredRow, deliveredSql(question, found, { shown, compared }, day)))
      addDelivered(rowAt(counted), counted);
    // Latencies aren't counted by domain.
    for (const counted of isByDomain ? [] : await db.rows(LatencyRow, latencySql(question, found, day)))
      addLatency(rowAt(counted), counted);
  }
}

function addDelivered(row: Counting, counted: z.output<typeof DeliveredRow>): void {
  row.delivered += counted.delivered;
  row.usual.delivered += counted.usual;
  row.sameHours += counted.sameHours;
  row.lastHour += counted.lastHour;
  const times = [row.lastAt, counted.lastAt].filter((at) => at !== null);
  row.lastAt = times.length === 0 ? null : max(times);
}

function addLatency(row: Counting, { bucket, count, usual }: z.output<typeof LatencyRow>): void {
  row.latencies.set(bucket, (row.latencies.get(bucket) ?? 0) + count);
  row.usual.latencies.set(bucket, (row.usual.latencies.get(bucket) ?? 0) + usual);
}

const spanOf = (a: TimeRange, b: TimeRange): TimeRange => ({ from: min([a.from, b.from]), to: max([a.to, b.to]) });

/** Cuts a range into days, from its first minute on: a week at once would block the embedded database for a second. */
function daysOf({ from, to }: TimeRange): readonly TimeRange[] {
  const begin = minuteOf(from).getTime();
  const count = Math.max(0, Math.floor((to.getTime() - begin) / DAY_MS) + 1);
  return Array.from({ length: count }, (_, day): TimeRange => {
    const end = new Date(begin + (day + 1) * DAY_MS - 1);
    return { from: new Date(begin + day * DAY_MS), to: min([end, to]) };
  });
}

async function addFailures(db: Db, question: Question, rowAt: (place: Place) => Counting): Promise<void> {
  const { place, found, usualRange } = question;
  for (const counted of await db.rows(FailedRow, failedSql(place, found))) {
    const { verdict, count } = counted;
    if (isTried(verdict)) rowAt(counted).failed += count;
    if (verdict === 'undeliverable') rowAt(counted).undeliverable += count;
  }
  if (usualRange === null) return;
  for (const counted of await db.rows(FailedRow, failedSql(place, { ...found, range: usualRange })))
    if (isTried(counted.verdict)) rowAt(counted).usual.failed += counted.count;
}

/** What is stuck, or was skipped, wasn't tried. */
const isTried = (verdict: z.output<typeof StoredVerdict>): boolean => isAnnounced(verdict) && verdict !== 'stuck';

/** A place with attempts only in the time that says what is normal isn't shown. */
const isShown = ({ lastAt, failed, undeliverable, firing }: Counting): boolean =>
  lastAt !== null || failed + undeliverable + firing.length > 0;

function attemptsOf(row: Counting, { usualRange, compared }: Question): Attempts {
  const { latencies, sameHours, lastHour, usual, ...shown } = row;
  // Where nothing was delivered at all, the last hour lacks nothing.
  const hours = row.lastAt === null ? null : compared;
  return {
    ...shown,
    lastHour: hours && lastHour,
    usualHour: hours === null || hours.days === 0 ? null : Math.round(sameHours / hours.days),
    usual: usualRange && usualTraffic(usual, usualRange),
    medianMs: quantileOf(latencies, 0.5),
    p95Ms: quantileOf(latencies, 0.95),
  };
}

function usualTraffic({ delivered, failed, latencies }: Counted, range: TimeRange): UsualTraffic | null {
  if (delivered + failed === 0) return null;
  const perHour = (delivered + failed) / (lengthOf(range) / HOUR_MS);
  return { perHour, share: shareOf({ delivered, failed }), p95Ms: quantileOf(latencies, 0.95) };
}

/** All attempts, wherever they were made. */
export async function totalIn(db: Db, found: Found): Promise<Total> {
  const delivered = sql`
    SELECT coalesce(sum(s.successes), 0) AS count
    FROM ${deliveriesSql(found, false)}
    WHERE s.minute BETWEEN ${fromMinute(found)} AND ${found.range.to}
      AND ${isCounted(found)}`;
  // What is stuck wasn't tried.
  const failed = sql`
    SELECT count(*)
    FROM ${failuresSql(found)}
      AND i.verdict_class = 'announced'
      AND f.verdict <> 'stuck'
      AND NOT i.is_test`;
  const [deliveries, failures] = [await db.rows(CountRow, delivered), await db.rows(CountRow, failed)];
  return { delivered: onlyRow(deliveries).count, failed: onlyRow(failures).count };
}
