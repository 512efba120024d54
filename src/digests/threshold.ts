import { subMilliseconds } from 'date-fns';
import { z } from 'zod';
import { FILTER_NAMES } from '../failures/filter.ts';
import { filterConditions, filterValues } from '../incidents/filter-conditions.ts';
import { idsIn } from '../outbox/messages.ts';
import { Count, type Db, jsonOf } from '../store/db.ts';
import type { Threshold, WatchSettings } from '../watches/settings.ts';

interface Minutes {
  failures: Map<number, number>;
  events: Map<number, number>;
  created: Map<number, number[]>;
}

/** The rate is of the window's events, or of those created with the failing ones if more: a bounce comes later. */
export function isReached({ failures, withinMs, rate }: Threshold, minutes: Minutes): boolean {
  const eventsAt = (minute: number) => minutes.events.get(minute) ?? 0;
  const [sums, begun] = [{ failed: 0, events: 0, created: 0 }, new Map<number, number>()];
  const count = (minute: number, sign: 1 | -1) => {
    sums.failed += sign * (minutes.failures.get(minute) ?? 0);
    sums.events += sign * eventsAt(minute);
    for (const created of new Set(minutes.created.get(minute))) {
      const times = (begun.get(created) ?? 0) + sign;
      begun.set(created, times);
      // Its events count once, even if they failed in several minutes of the window.
      if (times === Math.max(0, sign)) sums.created += sign * eventsAt(created);
    }
  };
  const window: number[] = [];
  return [...new Set([...minutes.failures.keys(), ...minutes.events.keys()])]
    .sort((a, b) => a - b)
    .some((last) => {
      count(last, 1);
      window.push(last);
      for (let [first = last] = window; first <= last - withinMs; [first = last] = window) {
        count(first, -1);
        window.shift();
      }
      const { failed, events, created } = sums;
      const isEnough = failed >= failures && (rate === null || failed >= rate * Math.max(events, created));
      return isEnough && minutes.failures.has(last);
    });
}

const FailedRow = z.object({ id: Count, minute: z.date(), created: z.date(), failures: Count });
const EventsRow = z.object({ id: Count, minute: z.date(), events: Count });

export async function reachedIn(
  db: Db,
  environment: string,
  { ids, from }: { ids: readonly number[]; from: Date },
  { filter, threshold }: Pick<WatchSettings, 'filter' | 'threshold'>,
): Promise<ReadonlySet<number>> {
  if (threshold === null || ids.length === 0) return new Set(ids);
  const values = await filterValues(db, environment, filter);
  const since = subMilliseconds(from, threshold.withinMs);
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
  const workflows = values[FILTER_NAMES.indexOf('workflows')] ?? '[]';
  const counted = [jsonOf(enough), threshold.withinMs / 1_000, workflows, since];
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
