import { z } from 'zod';
import { asSpelled, filterConditions, filterValues } from '../lookups/filter-conditions.ts';
import type { Db } from '../store/db.ts';
import { Count } from '../store/row.ts';
import { jsonOf } from '../store/values.ts';
import { failureFilterOf, type WatchSettings } from '../watches/settings.ts';
import { isReached, type Minutes } from './threshold.ts';

const FailedRow = z.object({ id: Count, minute: z.date(), created: z.date(), failures: Count });
const EventsRow = z.object({ id: Count, minute: z.date(), events: Count });

/** Returns which incidents of an environment reached a watch's threshold, by the failures that it covers. */
export async function reachedIn(
  sql: Db,
  environment: string,
  ids: readonly number[],
  { filter, threshold }: Pick<WatchSettings, 'filter' | 'threshold'>,
): Promise<ReadonlySet<number>> {
  if (threshold === null || ids.length === 0) return new Set(ids);
  const spelled = await asSpelled(sql, environment, failureFilterOf(filter));
  const failed = await sql.rows(FailedRow, FAILED, [jsonOf(ids), ...filterValues(spelled)]);
  const events =
    threshold.rate === null ? [] : await sql.rows(EventsRow, EVENTS, [jsonOf(ids), threshold.withinMs / 1_000]);
  return new Set(ids.filter((id) => isReached(threshold, minutesOf(id, failed, events))));
}

function minutesOf(
  id: number,
  failed: readonly z.output<typeof FailedRow>[],
  counted: readonly z.output<typeof EventsRow>[],
): Minutes {
  const failures = new Map<number, number>();
  const created = new Map<number, number[]>();
  for (const row of failed.filter((one) => one.id === id)) {
    const [minute, from] = [row.minute.getTime(), row.created.getTime()];
    failures.set(minute, (failures.get(minute) ?? 0) + row.failures);
    if (from < minute) created.set(minute, [...(created.get(minute) ?? []), from]);
  }
  const events = new Map(
    counted.filter((one) => one.id === id).map(({ minute, events: count }) => [minute.getTime(), count]),
  );
  return { failures, events, created };
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
