import { min, subMilliseconds } from 'date-fns';
import { z } from 'zod';
import { FILTER_NAMES } from '../failures/filter.ts';
import { filterConditions, filterValues } from '../incidents/filter-conditions.ts';
import { MINUTE_MS } from '../lib/time/durations.ts';
import { idsIn } from '../outbox/messages.ts';
import { Count, type Db, jsonOf } from '../store/db.ts';
import type { Threshold, WatchSettings } from '../watches/settings.ts';

/** Events created in one minute that failed in another. */
type FailedMinute = Omit<z.output<typeof FailedRow>, 'id'>;

/**
 * The rate is of the window's events, or of those created with the failing ones if more: bounces come later.
 * `failed` is in order of its minutes, in milliseconds.
 */
export function isReached(
  { failures, withinMs, rate }: Threshold,
  failed: readonly FailedMinute[],
  events: ReadonlyMap<number, number>,
) {
  const eventsOf = (minutes: Iterable<number>) => sumOf([...minutes].map((minute) => events.get(minute) ?? 0));
  let first = 0;
  return failed.some(({ minute: last }, index) => {
    while ((failed[first]?.minute ?? last) <= last - withinMs) first += 1;
    if (failed[index + 1]?.minute === last) return false;
    const window = failed.slice(first, index + 1);
    const count = sumOf(window.map((minute) => minute.failures));
    if (count < failures || rate === null) return count >= failures;
    const minutes = Array.from({ length: withinMs / MINUTE_MS }, (_, ago) => last - ago * MINUTE_MS);
    const created = new Set(window.map((minute) => minute.created));
    return count >= rate * Math.max(eventsOf(minutes), eventsOf(created));
  });
}

const sumOf = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0);

const Minute = z.date().transform(Number);
const FailedRow = z.object({ id: Count, minute: Minute, created: Minute, failures: Count });
const EventsRow = z.object({ id: Count, minute: Minute, events: Count });

export async function reachedIn(
  db: Db,
  environment: string,
  { ids, from }: { ids: readonly number[]; from: Date },
  { filter, threshold }: Pick<WatchSettings, 'filter' | 'threshold'>,
) {
  if (threshold === null || ids.length === 0) return new Set(ids);
  const values = await filterValues(db, environment, filter);
  const failed = await db.rows(FailedRow, FAILED, [jsonOf(ids), subMilliseconds(from, threshold.withinMs), ...values]);
  const reachedBy = (limit: Threshold, events: readonly z.output<typeof EventsRow>[]) =>
    ids.filter((id) => {
      const counts = events.filter((row) => row.id === id).map((row) => [row.minute, row.events] as const);
      const failures = failed.filter((row) => row.id === id);
      return isReached(limit, failures, new Map(counts));
    });
  const enough = reachedBy({ ...threshold, rate: null }, []);
  if (threshold.rate === null || enough.length === 0) return new Set(enough);
  const begun = min(failed.flatMap(({ minute, created }) => [minute, created]));
  const workflows = values[FILTER_NAMES.indexOf('workflows')] ?? '[]';
  const counted = [jsonOf(enough), subMilliseconds(begun, threshold.withinMs), workflows];
  return new Set(reachedBy(threshold, await db.rows(EventsRow, EVENTS, counted)));
}

const FAILED = `
  SELECT i.id, date_trunc('minute', f.occurred_at, 'UTC') AS minute, date_trunc('minute', f.event_created_at, 'UTC') AS created,
    count(*) AS failures
  FROM incidents i JOIN failures f ON f.incident_id = i.id
  WHERE i.id IN ${idsIn('$1')} AND f.recorded_at > $2 AND ${filterConditions(3)} GROUP BY 1, 2, 3 ORDER BY minute`;

const EVENTS = `
  SELECT i.id, e.minute, sum(e.events) AS events
  FROM incidents i JOIN incident_workflows w ON w.incident_id = i.id
  JOIN event_counts e ON e.environment = i.environment AND e.workflow = w.workflow
    AND e.minute > $2 AND e.minute <= i.last_at
  WHERE i.id IN ${idsIn('$1')} AND ($3::jsonb = '[]' OR $3::jsonb ?| ARRAY[w.workflow, w.workflow_name]) GROUP BY 1, 2`;
