import type { Candidate } from '../../domain/alerting/alert-decision.ts';
import type { Plan } from '../../domain/alerting/digest.ts';
import { jsonOf, type SqlValue, type SqlWrite } from '../database/database.ts';

/**
 * Stores which candidates a watch is to be alerted to later, and drops the others with those of their outage's episodes that are held
 * (`heldEpisodes`). One stored already keeps its time and reason, until a mute or quiet hours hold it instead.
 */
export async function keepHeld(
  sql: SqlWrite,
  watchId: string,
  candidates: readonly (Pick<Candidate, 'episodeId' | 'held'> & { readonly heldEpisodes: readonly number[] })[],
  held: Plan['held'],
  now: Date,
): Promise<void> {
  const kept = new Set(held.map(({ episodeId }) => episodeId));
  const over = candidates.flatMap(({ episodeId, heldEpisodes }) => (kept.has(episodeId) ? [] : heldEpisodes));
  const known = new Map(
    candidates.flatMap(({ episodeId, heldEpisodes, held: before }) =>
      before !== null && heldEpisodes.includes(episodeId) ? [[episodeId, before.why]] : [],
    ),
  );
  if (over.length > 0) await sql.write(FORGET, [watchId, jsonOf(over)]);
  const changed = held.filter(({ episodeId, why }) => {
    const before = known.get(episodeId);
    return before === undefined || (why !== 'pace' && why !== before);
  });
  if (changed.length > 0) await sql.write(KEEP, [watchId, now, jsonOf(changed)]);
}

const FORGET = `
  DELETE FROM held_back WHERE watch_id = $1 AND episode_id IN (SELECT value::bigint FROM jsonb_array_elements_text($2::jsonb))`;

const KEEP = `
  INSERT INTO held_back (watch_id, episode_id, since, why)
  SELECT $1, "episodeId", $2, why FROM jsonb_to_recordset($3::jsonb) AS item ("episodeId" bigint, why text)
  ON CONFLICT (watch_id, episode_id) DO UPDATE SET since = EXCLUDED.since, why = EXCLUDED.why`;

/** Keeps what the rows of posted messages `d` that can't be drawn anymore counted but never showed, to be announced again. */
export async function keepUnseen(sql: SqlWrite, condition: string, values: readonly SqlValue[]): Promise<void> {
  await sql.write(
    `WITH ended AS (
       UPDATE announcements a SET announced_to = d.shown_to FROM messages d
       WHERE a.message_id = d.id AND d.state = 'posted' AND ${condition}
       RETURNING d.watch_id, a.episode_id, a.announced_to
     )
     INSERT INTO held_back (watch_id, episode_id, since, why)
     SELECT DISTINCT e.watch_id, e.episode_id, s.last_recorded_at, 'gone'
     FROM ended e JOIN episodes s ON s.id = e.episode_id WHERE s.last_recorded_at >= e.announced_to
     ON CONFLICT DO NOTHING`,
    values,
  );
}
