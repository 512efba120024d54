import { addMilliseconds, max, min, subMilliseconds } from 'date-fns';
import { z } from 'zod';
import { quantileOf } from '../coverage/latency.ts';
import type { FailureFilter } from '../failures/filter.ts';
import { isAnnounced } from '../failures/verdict.ts';
import { filterValues } from '../incidents/filter-conditions.ts';
import { StoredVerdict } from '../incidents/incident.ts';
import { DAY_MS, HOUR_MS } from '../lib/time/durations.ts';
import type { TimeRange } from '../lib/time/time-range.ts';
import { Count, type Db, type SqlValue } from '../store/db.ts';
import { countedValues, IS_COUNTED } from './counted.ts';
import { type Checked, type CheckedCtx, checkedIn, eventsIn, FAILURES } from './failures.ts';

export const GROUPINGS = ['provider', 'channel', 'workflow'] as const;
export type Grouping = (typeof GROUPINGS)[number];

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
  { by, filter }: { by: Grouping; filter: FailureFilter },
): Promise<Stats> {
  const { db, environment } = ctx;
  const { checked, coverage, serviceRange } = await checkedIn(ctx, range);
  const events = await eventsIn(db, environment.name, serviceRange, coverage);
  const wanted = await filterValues(db, environment.name, filter);
  const from = max([serviceRange.from, coverage.from]);
  const to = addMilliseconds(min([serviceRange.to, coverage.to]), 1);
  const { from: begin, to: end } = serviceRange;
  const rows = await rowsOf(db, PLACES[by], {
    counted: [environment.name, from, to, ...countedValues(wanted)],
    failed: [environment.name, begin, end, coverage.from, coverage.to, ...wanted],
    hour: { now: coverage.to, days: daysBefore(coverage) },
  });
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

interface Place {
  channel: string;
  name: string;
}

/** Expressions of a counted row `s` and of a failure `f` of an incident `i`. */
const PLACES: Readonly<Record<Grouping, { counted: Place; failed: Place }>> = {
  provider: {
    counted: { channel: 's.channel', name: 's.provider' },
    failed: { channel: 'i.channel', name: "coalesce(i.provider, '')" },
  },
  channel: { counted: { channel: 's.channel', name: "''" }, failed: { channel: 'i.channel', name: "''" } },
  workflow: {
    counted: { channel: "''", name: 's.workflow' },
    failed: { channel: "''", name: "coalesce(f.workflow, '')" },
  },
};

const place = { channel: z.string(), name: z.string() };
const DeliveredRow = z.object({
  ...place,
  delivered: Count,
  lastAt: z.date().nullable(),
  lastHour: Count,
  before: Count,
});
const LatencyRow = z.object({ ...place, bucket: z.number(), count: Count });
const FailedRow = z.object({ ...place, verdict: StoredVerdict, count: Count });

interface StatsValues {
  counted: readonly SqlValue[];
  failed: readonly SqlValue[];
  hour: { now: Date; days: number };
}

async function rowsOf(db: Db, { counted, failed }: (typeof PLACES)[Grouping], values: StatsValues) {
  const { now, days } = values.hour;
  const rows = new Map<string, StatsRow & { latencies: Map<number, number> }>();
  const rowAt = ({ channel, name }: Place) => {
    const key = `${channel} ${name}`;
    const none = { delivered: 0, failed: 0, undeliverable: 0, medianMs: null, p95Ms: null, lastAt: null };
    const row = rows.get(key) ?? { channel, name, ...none, lastHour: 0, usually: null, latencies: new Map() };
    rows.set(key, row);
    return row;
  };
  const since = subMilliseconds(now, Math.max(0, days) * DAY_MS + HOUR_MS);
  const delivered = await db.rows(DeliveredRow, deliveredSql(counted), [...values.counted, now, since]);
  for (const { before, channel, name, ...row } of delivered)
    Object.assign(rowAt({ channel, name }), { ...row, usually: days > 0 ? Math.round(before / days) : null });
  for (const { bucket, count, ...place } of await db.rows(LatencyRow, latencySql(counted), values.counted))
    rowAt(place).latencies.set(bucket, count);
  for (const { verdict, count, ...place } of await db.rows(FailedRow, failedSql(failed), values.failed)) {
    const row = rowAt(place);
    if (isAnnounced(verdict)) row.failed += count;
    if (verdict === 'undeliverable') row.undeliverable += count;
  }
  return [...rows.values()].map(({ latencies, ...row }): StatsRow => {
    return { ...row, medianMs: quantileOf(latencies, 0.5), p95Ms: quantileOf(latencies, 0.95) };
  });
}

const columnsOf = ({ channel, name }: Place) => `${channel} AS channel, ${name} AS name`;

/** The same hour of the days before is at a whole number of days before now. */
const deliveredSql = (place: Place) => `
  SELECT ${columnsOf(place)},
    coalesce(sum(s.successes) FILTER (WHERE s.minute >= $2::timestamptz AND s.minute < $3::timestamptz), 0) AS delivered, max(s.last_at) AS last_at,
    coalesce(sum(s.successes) FILTER (WHERE s.minute >= $7::timestamptz - interval '1 hour'), 0) AS last_hour,
    coalesce(sum(s.successes) FILTER (WHERE s.minute < $7::timestamptz - interval '1 hour' AND s.minute >= $8::timestamptz
      AND extract(epoch FROM $7::timestamptz - s.minute)::bigint % 86400 < 3600), 0) AS before
  FROM success_counts s WHERE s.environment = $1 AND s.minute >= LEAST($2::timestamptz, $8::timestamptz) AND ${IS_COUNTED} GROUP BY 1, 2`;

const latencySql = (place: Place) => `
  SELECT ${columnsOf(place)}, l.key::integer AS bucket, sum(l.value::integer) AS count
  FROM success_counts s, jsonb_each_text(s.latencies) l
  WHERE s.environment = $1 AND s.minute >= $2::timestamptz AND s.minute < $3::timestamptz AND ${IS_COUNTED} GROUP BY 1, 2, 3`;

const failedSql = (place: Place) => `
  SELECT ${columnsOf(place)}, f.verdict, count(*) AS count
  FROM ${FAILURES} AND NOT i.is_test
  GROUP BY 1, 2, 3`;
