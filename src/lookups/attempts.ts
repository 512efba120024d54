import { max, min, subMilliseconds } from 'date-fns';
import { type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { quantileOf } from '../coverage/minute-counts.ts';
import { StoredVerdict } from '../incidents/incident.ts';
import { isAnnounced } from '../judging/verdict.ts';
import { DAY_MS, HOUR_MS, lengthOf, minuteOf, type TimeRange } from '../lib/time/durations.ts';
import { Count, CountRow, type Db, onlyRow } from '../store/db.ts';
import { deliveriesSql, type Found, failuresSql, fromMinute, isCounted } from './found.ts';

export const GROUPINGS = ['provider', 'channel', 'workflow', 'domain'] as const;
export type Grouping = (typeof GROUPINGS)[number];

export interface Total {
  delivered: number;
  failed: number;
}

/** What was attempted at a provider, by a channel or in a workflow. */
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
  usually: number | null;
  /** IDs of firing incidents. */
  firing: readonly number[];
  /** Between an event's creation and its delivery, without planned waits; null by domain. */
  medianMs: number | null;
  p95Ms: number | null;
}

interface Counting extends Omit<Attempts, 'usually' | 'medianMs' | 'p95Ms'> {
  latencies: Map<number, number>;
  /** Deliveries in this hour of the days before. */
  before: number;
}

export const keyOf = ({ channel, name }: z.output<typeof Place>): string => `${channel} ${name}`;

export const shareOf = ({ delivered, failed }: Total): number => (failed === 0 ? 0 : failed / (delivered + failed));

/** A row `s` is a count or a failure. */
const PLACES: Record<Grouping, SQL> = {
  provider: sql`s.channel, s.provider AS name`,
  channel: sql`s.channel, '' AS name`,
  workflow: sql`'' AS channel, s.workflow AS name`,
  domain: sql`s.channel, s.domain AS name`,
};

const Place = z.object({ channel: z.string(), name: z.string() });
const DeliveredRow = Place.extend({
  delivered: Count,
  lastAt: z.date(),
  lastHour: Count,
  before: Count,
});
const LatencyRow = Place.extend({ bucket: z.number(), count: Count });
const FiringRow = Place.extend({ firing: z.array(Count) });
const FailedRow = Place.extend({ verdict: StoredVerdict, count: Count });

/** This hour is compared with the same one of so many days before. */
const MOST_DAYS = 3;

/** By what attempts are counted. */
interface Counts {
  place: SQL;
  deliveries: SQL;
}

/** `current` is what is covered up to now, to compare this hour with the usual one. */
export async function attemptsIn(
  db: Db,
  grouping: Grouping,
  found: Found,
  current: TimeRange | null,
): Promise<readonly Attempts[]> {
  const place = PLACES[grouping];
  const isByDomain = grouping === 'domain' || found.filter.domains.length > 0;
  const counts = { place, deliveries: deliveriesSql(found, isByDomain) };
  const lengthMs = current === null ? 0 : lengthOf(current) - HOUR_MS;
  const days = Math.max(0, Math.min(MOST_DAYS, Math.floor(lengthMs / DAY_MS)));
  const compared = current && { now: current.to, from: subMilliseconds(current.to, days * DAY_MS + HOUR_MS) };
  const rows = new Map<string, Counting>();
  const rowAt = ({ channel, name }: z.output<typeof Place>): Counting => {
    const key = keyOf({ channel, name });
    const row = rows.get(key) ?? emptyRow(channel, name);
    rows.set(key, row);
    return row;
  };
  const from = min([found.range.from, compared?.from ?? found.range.from]);
  for (const day of daysOf({ from, to: found.range.to }))
    for (const counted of await db.rows(DeliveredRow, deliveredSql(counts, found, compared, day))) {
      const row = rowAt(counted);
      row.delivered += counted.delivered;
      row.before += counted.before;
      row.lastAt = max([row.lastAt ?? counted.lastAt, counted.lastAt]);
      row.lastHour = current && (row.lastHour ?? 0) + counted.lastHour;
    }
  // Latencies aren't counted by domain.
  for (const day of isByDomain ? [] : daysOf(found.range))
    for (const counted of await db.rows(LatencyRow, latencySql(counts, found, day))) {
      const { latencies } = rowAt(counted);
      latencies.set(counted.bucket, (latencies.get(counted.bucket) ?? 0) + counted.count);
    }
  for (const counted of await db.rows(FailedRow, failedSql(place, found))) {
    const { verdict, count } = counted;
    // What is stuck, or was skipped, wasn't tried.
    if (isAnnounced(verdict) && verdict !== 'stuck') rowAt(counted).failed += count;
    if (verdict === 'undeliverable') rowAt(counted).undeliverable += count;
  }
  for (const row of await db.rows(FiringRow, firingSql(place, found, isByDomain))) rowAt(row).firing = row.firing;
  return [...rows.values()].map(({ latencies, before, ...row }) => {
    const usually = days > 0 && row.lastAt !== null ? Math.round(before / days) : null;
    return { ...row, usually, medianMs: quantileOf(latencies, 0.5), p95Ms: quantileOf(latencies, 0.95) };
  });
}

/** Cuts a range into days, from its first minute on: a week at once would block the embedded database for a second. */
function daysOf({ from, to }: TimeRange): readonly TimeRange[] {
  const begin = minuteOf(from).getTime();
  const count = Math.max(0, Math.floor((to.getTime() - begin) / DAY_MS) + 1);
  return Array.from({ length: count }, (_, day): TimeRange => {
    const end = new Date(begin + (day + 1) * DAY_MS - 1);
    return { from: new Date(begin + day * DAY_MS), to: min([end, to]) };
  });
}

function emptyRow(channel: string, name: string): Counting {
  return {
    channel,
    name,
    delivered: 0,
    failed: 0,
    undeliverable: 0,
    lastAt: null,
    lastHour: null,
    before: 0,
    firing: [],
    latencies: new Map(),
  };
}

/** The same hour of the days before is at a whole number of days before now. */
function deliveredSql(
  { place, deliveries }: Counts,
  found: Found,
  compared: { now: Date; from: Date } | null,
  day: TimeRange,
): SQL {
  const now = sql`${compared?.now ?? null}::timestamptz`;
  const from = sql`${compared?.from ?? null}::timestamptz`;
  return sql`
    SELECT
      ${place},
      max(s.last_at) AS last_at,
      coalesce(sum(s.successes) FILTER (WHERE s.minute BETWEEN ${fromMinute(found)} AND ${found.range.to}), 0) AS delivered,
      coalesce(sum(s.successes) FILTER (WHERE s.minute >= ${now} - interval '1 hour'), 0) AS last_hour,
      coalesce(
        sum(s.successes) FILTER (
          WHERE s.minute BETWEEN ${from} AND ${now} - interval '1 hour'
            AND extract(epoch FROM ${now} - s.minute)::bigint % 86400 < 3600),
        0) AS before
    FROM ${deliveries}
    WHERE s.minute BETWEEN ${day.from} AND ${day.to}
      AND ${isCounted(found)}
    GROUP BY 1, 2`;
}

const latencySql = ({ place, deliveries }: Counts, found: Found, day: TimeRange): SQL => sql`
  SELECT ${place}, l.key::integer AS bucket, sum(l.value::integer) AS count
  FROM ${deliveries}, jsonb_each_text(CASE jsonb_typeof(s.latencies) WHEN 'object' THEN s.latencies ELSE '{}' END) l
  WHERE l.key ~ '^\\d+$'
    AND l.value ~ '^\\d+$'
    AND s.minute BETWEEN ${day.from} AND ${day.to}
    AND ${isCounted(found)}
  GROUP BY 1, 2, 3`;

const failedSql = (place: SQL, found: Found): SQL => sql`
  SELECT ${place}, s.verdict, count(*)
  FROM (
    SELECT i.channel, f.provider, coalesce(f.workflow, '') AS workflow, coalesce(f.domain, '') AS domain, f.verdict
    FROM ${failuresSql(found)}
      AND NOT i.is_test
  ) s
  GROUP BY 1, 2, 3`;

/** Domains `d` at which a workflow `w` of an incident `i` failed. */
const domainsSql = ({ range }: Found): SQL => sql`
  CROSS JOIN LATERAL (
    SELECT DISTINCT coalesce(f.domain, '') AS domain
    FROM failures f
    WHERE f.incident_id = i.id
      AND coalesce(f.workflow, '') = w.workflow
      AND f.occurred_at BETWEEN GREATEST(o.began_at, ${range.from}) AND ${range.to}
  ) d`;

/** Incidents that fired in the range, and still do. */
const firingSql = (place: SQL, found: Found, isByDomain: boolean): SQL => sql`
  SELECT ${place}, array_agg(DISTINCT s.id) AS firing
  FROM (
    SELECT
      i.id,
      i.environment,
      i.channel,
      coalesce(i.provider, '') AS provider,
      w.workflow,
      ${isByDomain ? sql`d.domain` : sql`'' AS domain`}
    FROM incidents i
    JOIN outbreaks o ON o.incident_id = i.id AND o.number = i.outbreak
    JOIN outbreak_workflows w ON w.incident_id = i.id AND w.outbreak = i.outbreak AND w.failures > 0
    ${isByDomain ? domainsSql(found) : sql``}
    WHERE i.state = 'firing'
      AND i.verdict_class = 'announced'
      AND NOT i.is_test
      AND (o.began_at, 'infinity'::timestamptz) OVERLAPS (${found.range.from}, ${found.range.to})
  ) s
  WHERE ${isCounted(found)}
  GROUP BY 1, 2`;

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
