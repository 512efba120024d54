import { subDays, subMilliseconds } from 'date-fns';
import { z } from 'zod';
import { filterConditions, filterValues } from '../failures/filter-conditions.ts';
import { idsIn } from '../incidents/incident.ts';
import { Count, type Db, jsonOf } from '../store/db.ts';
import type { Threshold, WatchSettings } from '../watches/settings.ts';
import { NEWS_DAYS } from './alerts.ts';

/** By a minute's first millisecond. */
interface Minutes {
  failures: Map<number, number>;
  events: Map<number, number>;
  created: Map<number, number[]>;
}

/** Its time is whole minutes. A rate is of their events or, if more, of those of the minutes that the failed ones were created in: a bounce comes later. */
export function isReached({ failures, withinMs, rate }: Threshold, minutes: Minutes): boolean {
  let [failed, tried, begun, place] = [0, 0, 0, 0];
  const uses = new Map<number, number>();
  const changes: [at: number, make: () => void][] = [];
  const add = (at: number, change: (sign: 1 | -1) => void) =>
    changes.push([at, () => change(1)], [at + withinMs, () => change(-1)]);
  for (const [at, count] of minutes.failures) add(at, (sign) => (failed += sign * count));
  for (const [at, count] of minutes.events) add(at, (sign) => (tried += sign * count));
  for (const [at, created] of [...minutes.created].flatMap(([at, all]) => all.map((minute) => [at, minute] as const)))
    add(at, (sign) => {
      const before = uses.get(created) ?? 0;
      uses.set(created, before + sign);
      if (before === 0 || before + sign === 0) begun += sign * (minutes.events.get(created) ?? 0);
    });
  changes.sort(([a], [b]) => a - b);
  const failing = [...minutes.failures.keys()].sort((a, b) => a - b);
  return failing.some((last) => {
    for (let next = changes[place]; next !== undefined && next[0] <= last; next = changes[++place]) next[1]();
    return failed >= failures && (rate === null || failed >= rate * Math.max(tried, begun));
  });
}

const FailedRow = z.object({ id: Count, minute: z.date(), created: z.date(), failures: Count });
const EventsRow = z.object({ id: Count, minute: z.date(), events: Count });

export async function reachedIn(
  db: Db,
  environment: string,
  ids: readonly number[],
  { filter, threshold }: Pick<WatchSettings, 'filter' | 'threshold'>,
  now: Date,
): Promise<ReadonlySet<number>> {
  if (threshold === null || ids.length === 0) return new Set(ids);
  const values = await filterValues(db, environment, filter);
  const since = subMilliseconds(subDays(now, NEWS_DAYS), threshold.withinMs);
  const minutesOf = new Map<number, Minutes>();
  for (const { id, minute, created, failures } of await db.rows(FailedRow, FAILED, [jsonOf(ids), since, ...values])) {
    const minutes = minutesOf.get(id) ?? { failures: new Map(), events: new Map(), created: new Map() };
    const at = minute.getTime();
    minutes.failures.set(at, (minutes.failures.get(at) ?? 0) + failures);
    minutes.created.set(at, [...(minutes.created.get(at) ?? []), created.getTime()]);
    minutesOf.set(id, minutes);
  }
  const reachedOf = (limit: Threshold) =>
    [...minutesOf].flatMap(([id, minutes]) => (isReached(limit, minutes) ? [id] : []));
  const enough = reachedOf({ ...threshold, rate: null });
  if (threshold.rate === null || enough.length === 0) return new Set(enough);
  const counted = [jsonOf(enough), threshold.withinMs / 1_000, values[0] ?? '[]', since];
  for (const { id, minute, events } of await db.rows(EventsRow, EVENTS, counted))
    minutesOf.get(id)?.events.set(minute.getTime(), events);
  return new Set(reachedOf(threshold));
}

const FAILED = `
  SELECT i.id, date_trunc('minute', f.occurred_at, 'UTC') AS minute, date_trunc('minute', f.event_created_at, 'UTC') AS created,
    count(*) AS failures
  FROM incidents i JOIN failures f ON f.incident_id = i.id
  WHERE i.id IN ${idsIn('$1')} AND f.recorded_at > $2 AND ${filterConditions(3)} GROUP BY 1, 2, 3`;

const EVENTS = `
  SELECT i.id, e.minute, sum(e.events) AS events
  FROM incidents i JOIN incident_workflows w ON w.incident_id = i.id
  JOIN event_counts e ON e.environment = i.environment AND e.workflow = w.workflow
    AND e.minute > (SELECT min(LEAST(occurred_at, event_created_at)) FROM failures WHERE incident_id = i.id AND recorded_at > $4) - make_interval(secs => $2)
    AND e.minute <= i.last_at
  WHERE i.id IN ${idsIn('$1')} AND ($3::jsonb = '[]' OR $3::jsonb ?| ARRAY[w.workflow, w.workflow_name]) GROUP BY 1, 2`;
