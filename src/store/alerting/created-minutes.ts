import { z } from 'zod';
import type { Minutes } from '../../domain/alerting/threshold.ts';
import type { WatchFilter } from '../../domain/watches/watch.ts';
import { BY_ITSELF, jsonOf, type SqlRows } from '../database/database.ts';
import { Count } from '../database/row.ts';
import type { EpisodeParts } from '../failures/group-counts.ts';
import { isOwn, ownValues } from '../incidents/incident-parts.ts';
import { AFTER_SEQ } from '../incidents/neighbours.ts';

const CreatedRow = z.object({ id: Count, minute: z.date(), created: z.date(), events: Count });

/** `Minutes.created`, and the events of the workflows in those minutes: a bounce comes long after its event. */
export async function withCreated(
  sql: SqlRows,
  minutes: ReadonlyMap<number, Minutes>,
  asked: readonly EpisodeParts[],
  filter: WatchFilter,
): Promise<ReadonlyMap<number, Minutes>> {
  if (asked.length === 0) return minutes;
  const own = await ownValues(sql, jsonOf(asked.map(({ id }) => id)), filter);
  if (own === null) return minutes;
  const rows = await sql.rows(CreatedRow, CREATED, [jsonOf(asked), ...own]);
  const created = new Map(asked.map(({ id }) => [id, new Map<number, number[]>()]));
  const events = new Map(asked.map(({ id }) => [id, new Map(minutes.get(id)?.events)]));
  for (const row of rows) {
    const [minute, from] = [row.minute.getTime(), row.created.getTime()];
    const known = created.get(row.id);
    known?.set(minute, [...(known.get(minute) ?? []), from]);
    events.get(row.id)?.set(from, row.events);
  }
  return new Map(
    [...minutes].map(([id, of]) => [
      id,
      { ...of, events: events.get(id) ?? of.events, created: created.get(id) ?? new Map() },
    ]),
  );
}

/** Only of failures whose event was created in an earlier minute. */
const CREATED = `
  WITH part AS MATERIALIZED (
    SELECT s.id, g.key, g.environment, coalesce(g.workflow, '') AS workflow, s.newest_seq,
      ${AFTER_SEQ} AS after_seq
    FROM jsonb_to_recordset($1::jsonb) AS asked (id bigint, "groupKeys" jsonb) JOIN episodes s ON s.id = asked.id
    JOIN groups g ON g.key IN (SELECT jsonb_array_elements_text(asked."groupKeys"))
  ), dated AS MATERIALIZED (
    SELECT DISTINCT part.id, f.minute, f.created FROM part CROSS JOIN LATERAL (
      SELECT date_trunc('minute', f.occurred_at, 'UTC') AS minute, date_trunc('minute', f.event_created_at, 'UTC') AS created
      FROM failures f WHERE f.group_key = part.key AND f.seq > part.after_seq AND f.seq <= part.newest_seq AND ${isOwn(2)} ${BY_ITSELF}
    ) f WHERE f.created < f.minute
  )
  SELECT dated.id, dated.minute, dated.created, coalesce((
    SELECT sum(c.events) FROM (SELECT DISTINCT environment, workflow FROM part WHERE part.id = dated.id) of
    JOIN event_counts c ON c.environment = of.environment AND c.workflow = of.workflow AND c.minute = dated.created
  ), 0) AS events
  FROM dated`;
