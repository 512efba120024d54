import { z } from 'zod';
import { messages } from '../outbox/tables.ts';
import { Count, type Db, jsonOf } from '../store/db.ts';
import type { IncidentEvent } from './actions.ts';
import { idsIn } from './incident.ts';

export async function redraw(tx: Db, incidentIds: readonly number[], now: Date): Promise<void> {
  await tx.write(REDRAW, [jsonOf(incidentIds), now]);
}

const REDRAW = `
  UPDATE messages m SET next_at = $2 WHERE m.state IN ('posting', 'posted') AND NOT m.is_frozen AND m.id IN (
    SELECT message_id FROM alerts WHERE incident_id IN ${idsIn('$1')})`;

const ThreadRow = z.object({
  watchId: z.string(),
  threadOf: z.string(),
  environment: z.string(),
  incidents: z.array(Count),
});

/** One reply a thread. A message that isn't posted yet shows it in its rows. */
export async function noteInThreads(
  tx: Db,
  incidentIds: readonly number[],
  event: IncidentEvent,
  watchId: string | null = null,
): Promise<void> {
  for (const { incidents, ...place } of await tx.rows(ThreadRow, THREADS, [jsonOf(incidentIds), watchId]))
    await tx.insert(messages).values({ ...place, kind: 'thread', content: { event, incidents }, createdAt: event.at });
}

const THREADS = `
  SELECT watch_id, thread_of, environment, array_agg(incident_id ORDER BY incident_id) AS incidents FROM (
    SELECT DISTINCT ON (a.watch_id, a.incident_id) a.watch_id, a.incident_id, m.id AS thread_of, m.environment, m.state, m.unresolved_since
    FROM alerts a JOIN messages m ON m.id = a.message_id JOIN watches w ON w.id = a.watch_id
    WHERE a.incident_id IN ${idsIn('$1')} AND m.state <> 'gone' AND a.reason <> 'single'
      AND w.ended_at IS NULL AND coalesce((w.settings ->> 'hasThread')::boolean, true) AND ($2::text IS NULL OR w.id = $2)
    ORDER BY a.watch_id, a.incident_id, a.at DESC
  ) told WHERE state = 'posted' OR unresolved_since IS NOT NULL GROUP BY 1, 2, 3 ORDER BY 1, 2`;
