import { min, subMilliseconds } from 'date-fns';
import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { IS_OF_OUTBREAK } from '../incidents/count.ts';
import { isCovered, spelledFilter } from '../incidents/filter-conditions.ts';
import { groupBy } from '../lib/group-by.ts';
import { Count, type Db, idList, textList } from '../store/db.ts';
import type { Threshold, WatchSettings } from '../watches/settings.ts';

/**
 * The rate is of the window's events, or of those created with the failing ones if more: bounces come later.
 * Both lists are in order of `minute`, in milliseconds. `created` is the event's own minute.
 */
export function isReached(
  { failures, withinMs, rate }: Threshold,
  failed: readonly Omit<z.output<typeof FailedRow>, 'id'>[],
  counted: readonly Omit<z.output<typeof EventsRow>, 'id'>[],
): boolean {
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

/** Which incidents reach a watch's threshold in their newest outbreak. */
export async function reachedIn(
  db: Db,
  environment: string,
  ids: readonly number[],
  { filter, threshold }: Pick<WatchSettings, 'filter' | 'threshold'>,
): Promise<ReadonlySet<number>> {
  if (threshold === null || ids.length === 0) return new Set(ids);
  const spelled = await spelledFilter(db, environment, filter);
  const failed = await db.rows(
    FailedRow,
    sql`
      SELECT
        i.id,
        date_trunc('minute', f.occurred_at, 'UTC') AS minute,
        date_trunc('minute', f.event_created_at, 'UTC') AS created,
        count(*) AS failures
      FROM incidents i
      JOIN outbreaks o ON o.incident_id = i.id AND o.number = i.outbreak
      JOIN failures f ON ${IS_OF_OUTBREAK}
      WHERE i.id IN ${idList(ids)}
        AND ${isCovered(spelled)}
      GROUP BY 1, 2, 3
      ORDER BY minute`,
  );
  const failedOf = groupBy(failed, ({ id }) => id);
  const reachedBy = (limit: Threshold, events: readonly z.output<typeof EventsRow>[]) => {
    const eventsOf = groupBy(events, ({ id }) => id);
    return ids.filter((id) => isReached(limit, failedOf.get(id) ?? [], eventsOf.get(id) ?? []));
  };
  // Counting events is slow, so the failures have to suffice.
  const enough = reachedBy({ ...threshold, rate: null }, []);
  if (threshold.rate === null || enough.length === 0) return new Set(enough);
  const earliest = min(failed.flatMap(({ minute, created }) => [minute, created]));
  const { workflows } = spelled;
  const isWanted =
    workflows.length === 0 ? sql`true` : sql`ARRAY[w.workflow, w.workflow_name] && ARRAY${textList(workflows)}`;
  const events = await db.rows(
    EventsRow,
    sql`
      SELECT i.id, e.minute, sum(e.events) AS events
      FROM incidents i
      JOIN outbreak_workflows w ON w.incident_id = i.id AND w.outbreak = i.outbreak
      JOIN event_counts e ON e.environment = i.environment
        AND e.workflow = w.workflow
        AND e.minute > ${subMilliseconds(earliest, threshold.withinMs)}
        AND e.minute <= i.last_at
      WHERE i.id IN ${idList(enough)}
        AND ${isWanted}
      GROUP BY 1, 2
      ORDER BY 2`,
  );
  return new Set(reachedBy(threshold, events));
}
