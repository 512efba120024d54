import { z } from 'zod';
import type { ThreadContent } from '../../domain/alerting/delivery.ts';
import type { HistoryEvent, IncidentTotal } from '../../domain/incidents/history.ts';
import { jsonOf, type Sql, type SqlRows } from '../database/database.ts';
import { Count } from '../database/row.ts';
import { incidentsNow } from './incidents-now.ts';
import { OUTAGE, OUTAGE_MESSAGES } from './neighbours.ts';

const Event = z.discriminatedUnion('what', [
  z.object({ what: z.enum(['acknowledged', 'unacknowledged', 'unmuted']), by: z.string(), at: z.coerce.date() }),
  z.object({ what: z.literal('assigned'), to: z.string(), by: z.string(), at: z.coerce.date() }),
  z.object({ what: z.literal('noted'), by: z.string(), at: z.coerce.date(), text: z.string() }),
  z.object({ what: z.literal('muted'), by: z.string(), at: z.coerce.date(), until: z.coerce.date() }),
  z.object({ what: z.literal('relapsed'), at: z.coerce.date() }),
  z.object({ what: z.literal('resolved'), by: z.string().nullable(), at: z.coerce.date() }),
]);

const Total = z.object({
  failures: z.number(),
  subscribers: z.number(),
  firstSeen: z.coerce.date(),
  lastSeen: z.coerce.date(),
});

const Details = z.object({
  event: Event,
  episodes: z.array(z.object({ id: z.number(), total: Total.nullable() })),
});
type Details = z.output<typeof Details>;

const ThreadRow = z.object({ watch_id: z.string(), thread_of: z.string(), episode_ids: z.array(Count) });

/**
 * Writes what happened to some episodes to the threads of the messages that announced them, in the same transaction: one message per
 * thread, in the watches that want threads, or only in `watchId`. A message that isn't posted yet shows it in its rows and has no thread.
 */
export async function noteInThreads(
  sql: Sql,
  episodeIds: readonly number[],
  event: HistoryEvent,
  now: Date,
  watchId: string | null = null,
): Promise<void> {
  if (episodeIds.length === 0) return;
  for (const thread of await sql.rows(ThreadRow, THREADS, [jsonOf(episodeIds), watchId])) {
    const details: Details = { event, episodes: await episodesOf(sql, thread, event, now) };
    await sql.write(ADD, [thread.watch_id, thread.thread_of, jsonOf(details), now]);
  }
}

async function episodesOf(
  sql: Sql,
  { watch_id, episode_ids }: z.output<typeof ThreadRow>,
  event: HistoryEvent,
  now: Date,
): Promise<Details['episodes']> {
  if (event.what !== 'resolved') return episode_ids.map((id) => ({ id, total: null }));
  const incidents = await incidentsNow(sql, episode_ids, watch_id, now);
  return episode_ids.map((id) => ({ id, total: totalOf(incidents.get(id)?.tally) }));
}

function totalOf(tally: IncidentTotal | undefined): IncidentTotal | null {
  if (tally === undefined) return null;
  const { failures, subscribers, firstSeen, lastSeen } = tally;
  return { failures, subscribers, firstSeen, lastSeen };
}

/**
 * An episode's thread is under the first message that announced it to a watch and still exists. If there is none, it's under that about
 * another day of its outage, the last one.
 */
const THREADS = `
  SELECT watch_id, thread_of, array_agg(episode_id ORDER BY episode_id) AS episode_ids
  FROM (
    SELECT DISTINCT ON (d.watch_id, s.id) d.watch_id, s.id AS episode_id, d.id AS thread_of
    FROM episodes s CROSS JOIN LATERAL (${OUTAGE}) outage
    JOIN announcements a ON a.episode_id = outage.id JOIN messages d ON d.id = a.message_id JOIN watches w ON w.id = d.watch_id
    WHERE s.id IN (SELECT value::bigint FROM jsonb_array_elements_text($1::jsonb)) AND d.id = ANY (${OUTAGE_MESSAGES})
      AND d.state <> 'gone' AND (d.state = 'posted' OR d.begun_at IS NOT NULL OR d.unresolved_since IS NOT NULL)
      AND w.ended_at IS NULL AND coalesce((w.settings ->> 'hasThread')::boolean, true) AND ($2::text IS NULL OR w.id = $2)
    ORDER BY d.watch_id, s.id, outage.id <> s.id, outage.id DESC, d.created_at, d.id
  ) announced
  GROUP BY 1, 2 ORDER BY 1, 2`;

/** Thread replies cover no time range. */
const ADD = `
  INSERT INTO messages (watch_id, kind, thread_of, details, created_at, covered_from, covered_to)
  VALUES ($1, 'thread', $2, $3::jsonb, $4, $4, $4)`;

interface ThreadRecord {
  readonly id: string;
  readonly watch_id: string;
  readonly destination: string;
  readonly details: unknown;
  readonly thread_ts: string | null;
}

/** Returns a thread reply's content as of `now`, without incidents that aren't kept anymore. */
export async function threadContent(sql: SqlRows, record: ThreadRecord, now: Date): Promise<ThreadContent> {
  const { event, episodes } = Details.parse(record.details);
  const ids = episodes.map(({ id }) => id);
  const incidents = await incidentsNow(sql, ids, record.watch_id, now);
  return {
    kind: 'thread',
    id: record.id,
    channel: record.destination,
    threadTs: record.thread_ts ?? '',
    event,
    incidents: episodes.flatMap(({ id, total }) => {
      const incident = incidents.get(id);
      return incident === undefined ? [] : [{ now: incident, total }];
    }),
  };
}
