import { z } from 'zod';
import { MINUTE_MS } from '../lib/time/durations.ts';
import { asSpelled, filterConditions, filterValues } from '../lookups/filter-conditions.ts';
import type { Db } from '../store/db.ts';
import { Count } from '../store/row.ts';
import { jsonOf } from '../store/values.ts';
import { failureFilterOf, type Threshold, type WatchSettings } from '../watches/settings.ts';

/** Counts by the first millisecond of a minute: failures when they occurred, their workflows' events when they were created. */
interface Minutes {
  readonly failures: Map<number, number>;
  readonly events: Map<number, number>;
  /** By the minute of failures, the earlier minutes in which their events were created. */
  readonly created: Map<number, number[]>;
}

/**
 * Returns whether a window of `withinMs` that ends with a minute of failures has as many of them as the threshold requires and, with a
 * rate, at least that share of their workflows' events: those of these minutes or, if there are more, those of the minutes in which the
 * failed events were created. Otherwise one bounce of a newsletter would be all of its events in the hour after.
 * Minutes count whole; a window has at least one.
 */
function isReached({ failures, withinMs, rate }: Threshold, minutes: Minutes): boolean {
  const length = Math.max(1, Math.ceil(withinMs / MINUTE_MS));
  return [...minutes.failures.keys()].some((last) => {
    const window = Array.from({ length }, (_, ago) => last - ago * MINUTE_MS);
    const failed = sumIn(window, minutes.failures);
    if (failed < failures || rate === null) return failed >= failures;
    const created = new Set(window.flatMap((minute) => minutes.created.get(minute) ?? []));
    return failed >= rate * Math.max(sumIn(window, minutes.events), sumIn([...created], minutes.events));
  });
}

function sumIn(minutes: readonly number[], counts: Minutes['events']): number {
  return minutes.reduce((sum, minute) => sum + (counts.get(minute) ?? 0), 0);
}

const FailedRow = z.object({ id: Count, minute: z.date(), created: z.date(), failures: Count });
const EventsRow = z.object({ id: Count, minute: z.date(), events: Count });

/** Returns which incidents of an environment reached a watch's threshold, by the failures that it covers. */
export async function reachedIn(
  db: Db,
  environment: string,
  ids: readonly number[],
  { filter, threshold }: Pick<WatchSettings, 'filter' | 'threshold'>,
): Promise<ReadonlySet<number>> {
  if (threshold === null || ids.length === 0) return new Set(ids);
  const spelled = await asSpelled(db, environment, failureFilterOf(filter));
  const failed = await db.rows(FailedRow, FAILED, [jsonOf(ids), ...filterValues(spelled)]);
  const { rate, withinMs } = threshold;
  const counted = rate === null ? [] : await db.rows(EventsRow, EVENTS, [jsonOf(ids), withinMs / 1_000]);
  const reached = ids.filter((incidentId) => {
    const minutes: Minutes = { failures: new Map(), events: new Map(), created: new Map() };
    for (const { minute, created, failures } of failed.filter(({ id }) => id === incidentId)) {
      const [at, from] = [minute.getTime(), created.getTime()];
      minutes.failures.set(at, (minutes.failures.get(at) ?? 0) + failures);
      if (from < at) minutes.created.set(at, [...(minutes.created.get(at) ?? []), from]);
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
  WHERE i.id IN (SELECT value::bigint FROM jsonb_array_elements_text($1::jsonb)) AND ${filterConditions(2)} GROUP BY 1, 2, 3`;

/** Of its workflows, from some time before its first failure, and when its events were created, to the last. */
const EVENTS = `
  SELECT i.id, e.minute, sum(e.events) AS events
  FROM incidents i JOIN incident_workflows w ON w.incident_id = i.id
  JOIN event_counts e ON e.environment = i.environment AND e.workflow = w.workflow
    AND e.minute > LEAST(i.first_at, (SELECT min(event_created_at) FROM failures WHERE incident_id = i.id)) - make_interval(secs => $2)
    AND e.minute <= i.last_at
  WHERE i.id IN (SELECT value::bigint FROM jsonb_array_elements_text($1::jsonb)) GROUP BY 1, 2`;
