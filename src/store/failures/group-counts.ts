import { z } from 'zod';
import type { Minutes } from '../../domain/alerting/threshold.ts';
import { jsonOf, type SqlRows, type SqlWrite } from '../database/database.ts';
import { Count } from '../database/row.ts';
import type { AddedFailure } from './added-failures.ts';

export async function countByMinute(sql: SqlWrite, announced: readonly AddedFailure[]): Promise<void> {
  if (announced.length === 0) return;
  const items = announced.map(({ group, occurredAt }) => ({ group_key: group.key, occurred_at: occurredAt }));
  await sql.write(COUNT, [jsonOf(items)]);
}

const COUNT = `
  INSERT INTO group_counts (group_key, minute, failures)
  SELECT group_key, date_trunc('minute', occurred_at, 'UTC'), count(*)
  FROM jsonb_to_recordset($1::jsonb) AS item (group_key text, occurred_at timestamptz)
  GROUP BY 1, 2
  ON CONFLICT (group_key, minute) DO UPDATE SET failures = group_counts.failures + EXCLUDED.failures`;

export interface EpisodeParts {
  readonly id: number;
  readonly groupKeys: readonly string[];
}

const MinuteRow = z.object({ episode_id: Count, minute: z.date(), failures: Count, events: Count });

/** Returns some groups' counts by minute, from an episode's first to its last failure; their workflows' events from `withinMs` earlier. */
export async function minutesOf(
  sql: SqlRows,
  episodes: readonly EpisodeParts[],
  withinMs: number,
): Promise<ReadonlyMap<number, Minutes>> {
  if (episodes.length === 0) return new Map();
  const asked = episodes.flatMap(({ id, groupKeys }) => groupKeys.map((group_key) => ({ id, group_key })));
  const rows = await sql.rows(MinuteRow, MINUTES, [jsonOf(asked), withinMs / 1000]);
  const minutes = new Map(
    episodes.map(({ id }) => [id, { failures: new Map<number, number>(), events: new Map<number, number>() }]),
  );
  for (const { episode_id, minute, failures, events } of rows) {
    const known = minutes.get(episode_id);
    if (failures > 0) known?.failures.set(minute.getTime(), failures);
    if (events > 0) known?.events.set(minute.getTime(), events);
  }
  return minutes;
}

/** OFFSET 0: the planner overestimates what is asked, and would read all counts to join them. */
const MINUTES = `
  WITH asked AS (
    SELECT s.id, g.key AS group_key, g.environment, coalesce(g.workflow, '') AS workflow,
      date_trunc('minute', s.first_seen, 'UTC') AS first, s.last_seen AS last
    FROM jsonb_to_recordset($1::jsonb) AS item (id bigint, group_key text)
    JOIN episodes s ON s.id = item.id JOIN groups g ON g.key = item.group_key
  )
  SELECT a.id AS episode_id, c.minute, sum(c.failures) AS failures, 0 AS events
  FROM asked a JOIN group_counts c ON c.group_key = a.group_key AND c.minute BETWEEN a.first AND a.last GROUP BY a.id, c.minute
  UNION ALL
  SELECT a.id, c.minute, 0, sum(c.events)
  FROM (SELECT DISTINCT id, environment, workflow, first, last FROM asked) a
  CROSS JOIN LATERAL (
    SELECT minute, events FROM event_counts e WHERE e.environment = a.environment AND e.workflow = a.workflow
      AND e.minute > a.first - make_interval(secs => $2) AND e.minute <= a.last OFFSET 0
  ) c GROUP BY a.id, c.minute`;
