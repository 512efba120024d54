import { z } from 'zod';
import { filterConditions, filterValues } from '../failures/filter-conditions.ts';
import { idsIn } from '../incidents/incident.ts';
import { MINUTE_MS } from '../lib/time/durations.ts';
import { Count, type Db, jsonOf } from '../store/db.ts';
import type { Threshold, WatchSettings } from '../watches/settings.ts';

/** By a minute's first millisecond. */
interface Minutes {
  failures: Map<number, number>;
  events: Map<number, number>;
  created: Map<number, number[]>;
}

/** Its time is whole minutes. */
export function isReached({ failures, withinMs, rate }: Threshold, minutes: Minutes): boolean {
  const byTime = [...minutes.failures].sort(([a], [b]) => a - b);
  let [failed, oldest] = [0, 0];
  return byTime.some(([last, count]) => {
    failed += count;
    for (let next = byTime[oldest]; next !== undefined && next[0] <= last - withinMs; next = byTime[oldest]) {
      failed -= next[1];
      oldest += 1;
    }
    return failed >= failures && (rate === null || failed >= rate * eventsTo(last, withinMs, minutes));
  });
}

/** The events of these minutes or, if more, of those that the failed ones were created in: a bounce comes later. */
function eventsTo(last: number, withinMs: number, { events, created }: Minutes): number {
  const window = Array.from({ length: withinMs / MINUTE_MS }, (_, ago) => last - ago * MINUTE_MS);
  const beginnings = new Set(window.flatMap((minute) => created.get(minute) ?? []));
  const sum = (all: readonly number[]) => all.reduce((total, minute) => total + (events.get(minute) ?? 0), 0);
  return Math.max(sum(window), sum([...beginnings]));
}

const FailedRow = z.object({ id: Count, minute: z.date(), created: z.date(), failures: Count });
const EventsRow = z.object({ id: Count, minute: z.date(), events: Count });

export async function reachedIn(
  db: Db,
  environment: string,
  ids: readonly number[],
  { filter, threshold }: Pick<WatchSettings, 'filter' | 'threshold'>,
): Promise<ReadonlySet<number>> {
  if (threshold === null || ids.length === 0) return new Set(ids);
  const values = await filterValues(db, environment, filter);
  const [workflows = '[]'] = values;
  const failed = await db.rows(FailedRow, FAILED, [jsonOf(ids), ...values]);
  const { rate, withinMs } = threshold;
  const counted = rate === null ? [] : await db.rows(EventsRow, EVENTS, [jsonOf(ids), withinMs / 1_000, workflows]);
  const reached = ids.filter((incidentId) => {
    const minutes: Minutes = { failures: new Map(), events: new Map(), created: new Map() };
    for (const { minute, created, failures } of failed.filter(({ id }) => id === incidentId)) {
      const [at, from] = [minute.getTime(), created.getTime()];
      minutes.failures.set(at, (minutes.failures.get(at) ?? 0) + failures);
      minutes.created.set(at, [...(minutes.created.get(at) ?? []), from]);
    }
    for (const { id, minute, events } of counted) if (id === incidentId) minutes.events.set(minute.getTime(), events);
    return isReached(threshold, minutes);
  });
  return new Set(reached);
}

const FAILED = `
  SELECT i.id, date_trunc('minute', f.occurred_at, 'UTC') AS minute, date_trunc('minute', f.event_created_at, 'UTC') AS created,
    count(*) AS failures
  FROM incidents i JOIN failures f ON f.incident_id = i.id
  WHERE i.id IN ${idsIn('$1')} AND ${filterConditions(2)} GROUP BY 1, 2, 3`;

const EVENTS = `
  SELECT i.id, e.minute, sum(e.events) AS events
  FROM incidents i JOIN incident_workflows w ON w.incident_id = i.id
  JOIN event_counts e ON e.environment = i.environment AND e.workflow = w.workflow
    AND e.minute > LEAST(i.first_at, (SELECT min(event_created_at) FROM failures WHERE incident_id = i.id)) - make_interval(secs => $2)
    AND e.minute <= i.last_at
  WHERE i.id IN ${idsIn('$1')} AND ($3::jsonb = '[]' OR $3::jsonb ?| ARRAY[w.workflow, w.workflow_name]) GROUP BY 1, 2`;
