import { addMilliseconds, max, min, subMilliseconds } from 'date-fns';
import { z } from 'zod';
import { quantileOf } from '../coverage/latency.ts';
import { isAnnounced } from '../failures/verdict.ts';
import { StoredVerdict } from '../incidents/incident.ts';
import { DAY_MS, HOUR_MS } from '../lib/time/durations.ts';
import type { TimeRange } from '../lib/time/time-range.ts';
import { Count, type Db, jsonOf, type SqlValue } from '../store/db.ts';
import { type Checked, type CheckedCtx, checkedIn, eventsIn } from './failures.ts';

export const GROUPINGS = ['provider', 'channel', 'workflow'] as const;
export type Grouping = (typeof GROUPINGS)[number];

export interface StatsFilter {
  workflows: readonly string[];
  channels: readonly string[];
  providers: readonly string[];
}

export interface StatsRow {
  /** A provider's channel, a channel; '' of workflows. */
  channel: string;
  /** A provider or a workflow; '' of channels. */
  name: string;
  delivered: number;
  failed: number;
  undeliverable: number;
  medianMs: number | null;
  p95Ms: number | null;
  lastAt: Date | null;
  /** Deliveries in the last hour, and usually in this hour of the day. */
  lastHour: number;
  usually: number | null;
}

export interface Stats extends Checked, Awaited<ReturnType<typeof eventsIn>> {
  rows: readonly StatsRow[];
}

/** The silent first, then the worst share. */
export async function statsIn(
  ctx: CheckedCtx,
  range: TimeRange,
  { by, filter }: { by: Grouping; filter: StatsFilter },
): Promise<Stats> {
  const { db, environment } = ctx;
  const { checked, coverage, serviceRange } = await checkedIn(ctx, range);
  const events = await eventsIn(db, environment.name, serviceRange, coverage);
  const wanted = [filter.workflows, filter.channels, filter.providers].map(jsonOf);
  const read = {
    from: max([serviceRange.from, coverage.from]),
    to: addMilliseconds(min([serviceRange.to, coverage.to]), 1),
  };
  const values = [environment.name, read.from, read.to, ...wanted];
  const hour = { now: coverage.to, days: daysBefore(coverage) };
  const rows = await rowsOf(db, PLACES[by], values, hour);
  return {
    ...checked,
    ...events,
    rows: rows.sort(
      (a, b) => Number(isSilent(b)) - Number(isSilent(a)) || shareOf(b) - shareOf(a) || b.delivered - a.delivered,
    ),
  };
}

const FEWEST_USUAL = 5;

export function isSilent({ lastHour, usually }: StatsRow): boolean {
  return lastHour === 0 && usually !== null && usually >= FEWEST_USUAL;
}

export function shareOf({ delivered, failed }: StatsRow): number {
  return failed === 0 ? 0 : failed / (delivered + failed);
}

const MOST_DAYS = 3;

function daysBefore({ from, to }: TimeRange): number {
  return Math.min(MOST_DAYS, Math.floor((to.getTime() - HOUR_MS - from.getTime()) / DAY_MS));
}

/** Expressions of a counted row `s` and of a failure `f` of an incident `i`. */
const PLACES: Readonly<Record<Grouping, { counted: string; failed: string }>> = {
  provider: { counted: 's.channel, s.provider', failed: "i.channel, coalesce(i.provider, '')" },
  channel: { counted: "s.channel, ''", failed: "i.channel, ''" },
  workflow: { counted: "'', s.workflow", failed: "'', coalesce(f.workflow, '')" },
};

const Place = { channel: z.string(), name: z.string() };
const DeliveredRow = z.object({
  ...Place,
  delivered: Count,
  lastAt: z.date().nullable(),
  lastHour: Count,
  before: Count,
});
const LatencyRow = z.object({ ...Place, bucket: z.number(), count: Count });
const FailedRow = z.object({ ...Place, verdict: StoredVerdict, count: Count });

type Places = (typeof PLACES)[Grouping];

async function rowsOf(
  db: Db,
  { counted, failed }: Places,
  values: readonly SqlValue[],
  { now, days }: { now: Date; days: number },
) {
  const rows = new Map<string, StatsRow & { latencies: Map<number, number> }>();
  const rowAt = ({ channel, name }: { channel: string; name: string }) => {
    const key = `${channel} ${name}`;
    const none = { delivered: 0, failed: 0, undeliverable: 0, medianMs: null, p95Ms: null, lastAt: null };
    const row = rows.get(key) ?? { channel, name, ...none, lastHour: 0, usually: null, latencies: new Map() };
    rows.set(key, row);
    return row;
  };
  const since = subMilliseconds(now, Math.max(0, days) * DAY_MS + HOUR_MS);
  for (const { lastAt, delivered, lastHour, before, ...place } of await db.rows(DeliveredRow, deliveredSql(counted), [
    ...values,
    now,
    since,
  ]))
    Object.assign(rowAt(place), { delivered, lastAt, lastHour, usually: days > 0 ? Math.round(before / days) : null });
  for (const { bucket, count, ...place } of await db.rows(LatencyRow, latencySql(counted), values))
    rowAt(place).latencies.set(bucket, count);
  for (const { verdict, count, ...place } of await db.rows(FailedRow, failedSql(failed), values)) {
    const row = rowAt(place);
    if (isAnnounced(verdict)) row.failed += count;
    if (verdict === 'undeliverable') row.undeliverable += count;
  }
  return [...rows.values()].map(({ latencies, ...row }): StatsRow => {
    return { ...row, medianMs: quantileOf(latencies, 0.5), p95Ms: quantileOf(latencies, 0.95) };
  });
}

/** Of a counted row `s`: workflows, channels and providers are $4, $5 and $6. */
export const IS_COUNTED = `($4::jsonb = '[]' OR $4::jsonb ? s.workflow) AND ($5::jsonb = '[]' OR $5::jsonb ? s.channel)
    AND ($6::jsonb = '[]' OR $6::jsonb ? s.provider)`;

/** The same hour of the days before is at a whole number of days before now. */
const deliveredSql = (place: string) => `
  SELECT ${place.replace(', ', ' AS channel, ')} AS name,
    coalesce(sum(s.successes) FILTER (WHERE s.minute >= $2::timestamptz AND s.minute < $3::timestamptz), 0) AS delivered, max(s.last_at) AS last_at,
    coalesce(sum(s.successes) FILTER (WHERE s.minute >= $7::timestamptz - interval '1 hour'), 0) AS last_hour,
    coalesce(sum(s.successes) FILTER (WHERE s.minute < $7::timestamptz - interval '1 hour' AND s.minute >= $8::timestamptz
      AND extract(epoch FROM $7::timestamptz - s.minute)::bigint % 86400 < 3600), 0) AS before
  FROM success_counts s WHERE s.environment = $1 AND s.minute >= LEAST($2::timestamptz, $8::timestamptz) AND ${IS_COUNTED} GROUP BY 1, 2`;

const latencySql = (place: string) => `
  SELECT ${place.replace(', ', ' AS channel, ')} AS name, l.key::integer AS bucket, sum(l.value::integer) AS count
  FROM success_counts s, jsonb_each_text(s.latencies) l
  WHERE s.environment = $1 AND s.minute >= $2::timestamptz AND s.minute < $3::timestamptz AND ${IS_COUNTED} GROUP BY 1, 2, 3`;

const failedSql = (place: string) => `
  SELECT ${place.replace(', ', ' AS channel, ')} AS name, f.verdict, count(*) AS count
  FROM failures f JOIN incidents i ON i.id = f.incident_id
  WHERE f.environment = $1 AND f.occurred_at >= $2::timestamptz AND f.occurred_at < $3::timestamptz AND NOT i.is_test
    AND ${IS_COUNTED.replaceAll('s.workflow', "coalesce(f.workflow, '')").replaceAll('s.channel', 'i.channel').replaceAll('s.provider', "coalesce(i.provider, '')")}
  GROUP BY 1, 2, 3`;
