import { subMilliseconds } from 'date-fns';
import { z } from 'zod';
import { quantileOf } from '../coverage/minutes.ts';
import type { FailureFilter } from '../failures/filter.ts';
import { isAnnounced } from '../failures/verdict.ts';
import { StoredVerdict } from '../incidents/incident.ts';
import { DAY_MS, HOUR_MS, lengthOf, type TimeRange } from '../lib/time/durations.ts';
import { silentNow } from '../outbox/messages.ts';
import { Count, type Db, type SqlValue } from '../store/db.ts';
import {
  type CheckedCtx,
  checkedIn,
  countedValues,
  FAILURES,
  FROM_MINUTE,
  failureValues,
  IS_COUNTED,
  reachesNow,
} from './failures.ts';

export const GROUPINGS = ['provider', 'channel', 'workflow'] as const;
export type Grouping = (typeof GROUPINGS)[number];

export type Stats = Awaited<ReturnType<typeof statsIn>>;
export type StatsRow = Stats['rows'][number];

export async function statsIn(
  ctx: CheckedCtx,
  range: TimeRange,
  { grouping, filter }: { grouping: Grouping; filter: FailureFilter },
) {
  const { checked, scope } = await checkedIn(ctx, range);
  const values = await failureValues(ctx.db, ctx.environment.name, scope, filter);
  const isCurrent = reachesNow(range, ctx.now());
  const silences = await silentNow(ctx.db, isCurrent ? [ctx.environment.name] : []);
  const counted = await rowsOf(ctx.db, PLACES[grouping], values, isCurrent ? scope.coverage : null);
  const rows = counted.map((row) => {
    const isReported = grouping === 'workflow' && silences.some(({ content }) => content.workflow === row.name);
    return { ...row, isSilent: isReported || (row.lastHour === 0 && (row.usually ?? 0) >= FEWEST_USUAL) };
  });
  rows.sort((a, b) => Number(b.isSilent) - Number(a.isSilent) || shareOf(b) - shareOf(a) || b.delivered - a.delivered);
  return { ...checked, silences, rows };
}

const FEWEST_USUAL = 5;

export const shareOf = ({ delivered, failed }: { delivered: number; failed: number }) =>
  failed === 0 ? 0 : failed / (delivered + failed);

/** A row `s` is a count or a failure. */
const PLACES = {
  provider: 's.channel, s.provider AS name',
  channel: "s.channel, '' AS name",
  workflow: "'' AS channel, s.workflow AS name",
};

const Place = z.object({ channel: z.string(), name: z.string() });
const DeliveredRow = Place.extend({
  delivered: Count,
  lastAt: z.date().nullable(),
  lastHour: Count,
  before: Count,
});
const LatencyRow = Place.extend({ bucket: z.number(), count: Count });
const FiringRow = Place.extend({ firing: z.array(Count) });
const FailedRow = Place.extend({ verdict: StoredVerdict, count: Count });

const MOST_DAYS = 3;

async function rowsOf(db: Db, place: string, values: readonly SqlValue[], current: TimeRange | null) {
  const lengthMs = current === null ? 0 : lengthOf(current) - HOUR_MS;
  const days = Math.max(0, Math.min(MOST_DAYS, Math.floor(lengthMs / DAY_MS)));
  const times = current ? [current.to, subMilliseconds(current.to, days * DAY_MS + HOUR_MS)] : [null, null];
  const counted = countedValues(values);
  const rows = new Map<string, ReturnType<typeof emptyRow>>();
  const rowAt = ({ channel, name }: z.output<typeof Place>) => {
    const key = `${channel} ${name}`;
    const row = rows.get(key) ?? emptyRow(channel, name);
    rows.set(key, row);
    return row;
  };
  for (const { before, lastHour, ...row } of await db.rows(DeliveredRow, deliveredSql(place), [...counted, ...times])) {
    const usually = days > 0 ? Math.round(before / days) : null;
    Object.assign(rowAt(row), row, { usually, lastHour: current && lastHour });
  }
  for (const row of await db.rows(LatencyRow, latencySql(place), counted))
    rowAt(row).latencies.set(row.bucket, row.count);
  for (const { verdict, count, ...where } of await db.rows(FailedRow, failedSql(place), values)) {
    const row = rowAt(where);
    if (isAnnounced(verdict)) row.failed += count;
    if (verdict === 'undeliverable') row.undeliverable += count;
  }
  for (const row of await db.rows(FiringRow, firingSql(place), counted)) rowAt(row).firing = row.firing;
  return [...rows.values()].map(({ latencies, ...row }) => {
    return { ...row, medianMs: quantileOf(latencies, 0.5), p95Ms: quantileOf(latencies, 0.95) };
  });
}

function emptyRow(channel: string, name: string) {
  return {
    channel,
    name,
    delivered: 0,
    failed: 0,
    undeliverable: 0,
    lastAt: null as Date | null,
    /** Deliveries in the last hour, and usually in this hour of the day. */
    lastHour: null as number | null,
    usually: null as number | null,
    /** IDs of firing incidents. */
    firing: [] as number[],
    latencies: new Map<number, number>(),
  };
}

/** The same hour of the days before is at a whole number of days before now. */
const deliveredSql = (place: string) => `
  SELECT ${place}, max(s.last_at) AS last_at,
    coalesce(sum(s.successes) FILTER (WHERE s.minute BETWEEN ${FROM_MINUTE} AND $3), 0) AS delivered,
    coalesce(sum(s.successes) FILTER (WHERE s.minute >= $7::timestamptz - interval '1 hour'), 0) AS last_hour,
    coalesce(sum(s.successes) FILTER (WHERE s.minute BETWEEN $8 AND $7 - interval '1 hour'
      AND extract(epoch FROM $7 - s.minute)::bigint % 86400 < 3600), 0) AS before
  FROM success_counts s WHERE s.minute BETWEEN LEAST(${FROM_MINUTE}, $8::timestamptz) AND $3 AND ${IS_COUNTED} GROUP BY 1, 2`;

const latencySql = (place: string) => `
  SELECT ${place}, l.key::integer AS bucket, sum(l.value::integer) AS count
  FROM success_counts s, jsonb_each_text(CASE jsonb_typeof(s.latencies) WHEN 'object' THEN s.latencies ELSE '{}' END) l
  WHERE l.key ~ '^\\d+$' AND l.value ~ '^\\d+$' AND s.minute BETWEEN ${FROM_MINUTE} AND $3 AND ${IS_COUNTED} GROUP BY 1, 2, 3`;

const failedSql = (place: string) => `
  SELECT ${place}, s.verdict, count(*) FROM (
    SELECT i.channel, f.provider, coalesce(f.workflow, '') AS workflow, f.verdict FROM ${FAILURES} AND NOT i.is_test
  ) s GROUP BY 1, 2, 3`;

const firingSql = (place: string) => `
  SELECT ${place}, array_agg(DISTINCT s.id) AS firing FROM (
    SELECT i.id, i.environment, i.channel, coalesce(i.provider, '') AS provider, w.workflow
    FROM incidents i JOIN incident_workflows w ON w.incident_id = i.id AND w.failures > 0
    WHERE i.state = 'firing' AND i.announcement = 'announced' AND NOT i.is_test
      AND (i.started_at, 'infinity'::timestamptz) OVERLAPS ($2, $3)
  ) s WHERE ${IS_COUNTED} GROUP BY 1, 2`;
