import { min, subMilliseconds } from 'date-fns';
import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { IS_OF_OUTBREAK } from '../incidents/count.ts';
import { isCovered, type SpelledFilter, spelledFilter } from '../incidents/filter-conditions.ts';
import { groupBy } from '../lib/group-by.ts';
import { Count, type Db, idList, textList } from '../store/db.ts';
import type { Threshold, WatchSettings } from '../watches/settings.ts';

/** In milliseconds. */
const Minute = z.date().transform(Number);
const FailedRow = z.object({ id: Count, minute: Minute, created: Minute, failures: Count });
const EventsRow = z.object({ id: Count, minute: Minute, events: Count });

/** Failures of a minute whose events were created in another minute. */
type FailedMinute = Omit<z.output<typeof FailedRow>, 'id'>;
type EventsMinute = Omit<z.output<typeof EventsRow>, 'id'>;

/**
 * Whether a window of the threshold's length has enough failures. The rate is of the window's events, or of those created with the failing ones if
 * more: bounces come later. Both lists are in order of `minute`.
 */
export function isReached(
  { failures: fewest, withinMs, rate }: Threshold,
  failed: readonly FailedMinute[],
  counted: readonly EventsMinute[],
): boolean {
  const failuresUpTo = slidingSum(failed, withinMs, ({ failures }) => failures);
  const eventsUpTo = slidingSum(counted, withinMs, ({ events }) => events);
  const createdUpTo = slidingSum(failed, withinMs, oncePerMinute(counted));
  return failed.some(({ minute }) => {
    const events = Math.max(eventsUpTo(minute), createdUpTo(minute));
    return failuresUpTo(minute) >= Math.max(fewest, (rate ?? 0) * events);
  });
}

/** What a row adds to a window that it enters, or takes from one that it leaves. */
type Weigh<Weighed> = (row: Weighed, isEntering: boolean) => number;

/** Returns the sum of a window up to a minute, which only moves on. */
function slidingSum<Weighed extends { minute: number }>(
  rows: readonly Weighed[],
  withinMs: number,
  weigh: Weigh<Weighed>,
): (upTo: number) => number {
  let [sum, first, next] = [0, 0, 0];
  return (upTo) => {
    for (let row = rows[next]; row !== undefined && row.minute <= upTo; row = rows[++next]) sum += weigh(row, true);
    for (let row = rows[first]; row !== undefined && row.minute <= upTo - withinMs; row = rows[++first])
      sum -= weigh(row, false);
    return sum;
  };
}

/** The events of each minute in which failing ones were created count once, with the first row of that minute. */
function oncePerMinute(counted: readonly EventsMinute[]): Weigh<{ created: number }> {
  const eventsOf = new Map(counted.map(({ minute, events }) => [minute, events]));
  const rowsIn = new Map<number, number>();
  return ({ created }, isEntering) => {
    const before = rowsIn.get(created) ?? 0;
    const after = before + (isEntering ? 1 : -1);
    rowsIn.set(created, after);
    return Math.min(before, after) === 0 ? (eventsOf.get(created) ?? 0) : 0;
  };
}

/** Which incidents reach a watch's threshold in their newest outbreak. */
export async function incidentsAtThreshold(
  db: Db,
  environment: string,
  ids: readonly number[],
  { filter, threshold }: Pick<WatchSettings, 'filter' | 'threshold'>,
): Promise<ReadonlySet<number>> {
  if (threshold === null || ids.length === 0) return new Set(ids);
  const spelled = await spelledFilter(db, environment, filter);
  const failed = await failedIn(db, ids, spelled);
  const reachedBy = (limit: Threshold, events: readonly z.output<typeof EventsRow>[]): readonly number[] => {
    const failedOf = groupBy(failed, ({ id }) => id);
    const eventsOf = groupBy(events, ({ id }) => id);
    return ids.filter((id) => isReached(limit, failedOf.get(id) ?? [], eventsOf.get(id) ?? []));
  };
  // Counting events is slow, so the failures have to suffice.
  const enough = reachedBy({ ...threshold, rate: null }, []);
  if (threshold.rate === null || enough.length === 0) return new Set(enough);
  const earliest = min(failed.flatMap(({ minute, created }) => [minute, created]));
  const events = await eventsIn(db, enough, spelled, subMilliseconds(earliest, threshold.withinMs));
  return new Set(reachedBy(threshold, events));
}

/** The failures of each incident's newest outbreak that the filter covers, by their minute and their events'. */
function failedIn(db: Db, ids: readonly number[], filter: SpelledFilter): Promise<z.output<typeof FailedRow>[]> {
  return db.rows(
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
        AND ${isCovered(filter)}
      GROUP BY 1, 2, 3
      ORDER BY minute`,
  );
}

/** All events of the workflows that fail, as far as the filter names them. */
function eventsIn(
  db: Db,
  ids: readonly number[],
  { workflows }: SpelledFilter,
  since: Date,
): Promise<z.output<typeof EventsRow>[]> {
  const isWanted =
    workflows.length === 0 ? sql`true` : sql`ARRAY[w.workflow, w.workflow_name] && ARRAY${textList(workflows)}`;
  return db.rows(
    EventsRow,
    sql`
      SELECT i.id, e.minute, sum(e.events) AS events
      FROM incidents i
      JOIN outbreak_workflows w ON w.incident_id = i.id AND w.outbreak = i.outbreak
      JOIN event_counts e ON e.environment = i.environment
        AND e.workflow = w.workflow
        AND e.minute > ${since}
        AND e.minute <= i.last_at
      WHERE i.id IN ${idList(ids)}
        AND ${isWanted}
      GROUP BY 1, 2
      ORDER BY 2`,
  );
}
