import { min, subMilliseconds } from 'date-fns';
import { z } from 'zod';
import { FILTER_NAMES } from '../failures/filter.ts';
import { filterConditions, filterValues } from '../incidents/filter-conditions.ts';
import { groupBy } from '../lib/group-by.ts';
import { idsIn } from '../outbox/messages.ts';
import { Count, type Db, jsonOf } from '../store/db.ts';
import type { Threshold, WatchSettings } from '../watches/settings.ts';

/**
 * The rate is of the window's events, or of those created with the failing ones if more: bounces come later.
 * Both lists are in order of `minute`, in milliseconds. `created` is the event's own minute.
 */
export function isReached(
  { failures, withinMs, rate }: Threshold,
  failed: readonly Omit<z.output<typeof FailedRow>, 'id'>[],
  counted: readonly Omit<z.output<typeof EventsRow>, 'id'>[],
) {
  const eventsOf = new Map(counted.map(({ minute, events }) => [minute, events]));
  const rowsOf = new Map<number, number>();
  let [count, inWindow, createdWith] = [0, 0, 0];
  const slideFailed = sliding(failed, withinMs, ({ created, failures }, sign) => {
    count += sign * failures;
    const rows = (rowsOf.get(created) ?? 0) + sign;
    rowsOf.set(created, rows);
    // A minute's first row enters, or its last one leaves.
    if (rows === Math.max(0, sign)) createdWith += sign * (eventsOf.get(created) ?? 0);
  });
  const slideCounted = sliding(counted, withinMs, ({ events }, sign) => {
    inWindow += sign * events;
  });
  return failed.some(({ minute }) => {
    slideFailed(minute);
    slideCounted(minute);
    return count >= Math.max(failures, (rate ?? 0) * Math.max(inWindow, createdWith));
  });
}

/** Adds the rows that a window up to `last` enters, and removes those that it leaves. */
function sliding<Row extends { minute: number }>(
  rows: readonly Row[],
  withinMs: number,
  change: (row: Row, sign: 1 | -1) => void,
) {
  let [first, next] = [0, 0];
  return (last: number) => {
    for (let row = rows[next]; row !== undefined && row.minute <= last; row = rows[++next]) change(row, 1);
    for (let row = rows[first]; row !== undefined && row.minute <= last - withinMs; row = rows[++first])
      change(row, -1);
  };
}

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
  const failedOf = groupBy(failed, ({ id }) => id);
  const reachedBy = (limit: Threshold, events: readonly z.output<typeof EventsRow>[]) => {
    const eventsOf = groupBy(events, ({ id }) => id);
    return ids.filter((id) => isReached(limit, failedOf.get(id) ?? [], eventsOf.get(id) ?? []));
  };
  // Counting events is slow, so the failures have to suffice.
  const enough = reachedBy({ ...threshold, rate: null }, []);
  if (threshold.rate === null || enough.length === 0) return new Set(enough);
  const earliest = min(failed.flatMap(({ minute, created }) => [minute, created]));
  const workflows = values[FILTER_NAMES.indexOf('workflows')] ?? '[]';
  const parameters = [jsonOf(enough), subMilliseconds(earliest, threshold.withinMs), workflows];
  return new Set(reachedBy(threshold, await db.rows(EventsRow, EVENTS, parameters)));
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
  WHERE i.id IN ${idsIn('$1')} AND ($3::jsonb = '[]' OR $3::jsonb ?| ARRAY[w.workflow, w.workflow_name]) GROUP BY 1, 2 ORDER BY 2`;
