import { z } from 'zod';
import { type FailureFilter, FILTER_NAMES } from '../../domain/failures/failure-filter.ts';
import { MOST_NOTES } from '../../domain/incidents/history.ts';
import type { Note } from '../../domain/incidents/note.ts';
import type { HistoryStore } from '../../use-cases/incidents/list-history.ts';
import { BY_ITSELF, type Database, jsonOf, type SqlRows, type SqlValue } from '../database/database.ts';
import { Beginning, Count } from '../database/row.ts';
import { asSpelled, filterConditions, filterValues } from '../failures/filter-conditions.ts';
import { incidentsNow } from './incidents-now.ts';
import { AFTER_SEQ } from './neighbours.ts';

const EpisodeRow = z.object({
  id: Count,
  next_id: Count.nullable(),
  next_began_as: Beginning.nullable(),
});

export function history(database: Database): Pick<HistoryStore, 'history'> {
  return {
    history: async ({ environment, filter, since, olderThan, limit }, now) => {
      const { condition, values } = await filtered(database, environment, filter);
      const asked = [environment, since, olderThan, limit + 1, ...values];
      const episodes = `${EPISODES} AND ${filter.verdicts.includes('warning') ? WITH_WARNINGS : ALERTED}`;
      const rows = await database.rows(EpisodeRow, `${episodes} ${condition} ORDER BY s.id DESC LIMIT $4`, asked);
      const shown = rows.slice(0, limit);
      const ids = shown.map(({ id }) => id);
      const known = await incidentsNow(database, ids, null, now);
      const notes = await notesOf(database, ids);
      const incidents = shown.flatMap(({ id, next_id: episodeId, next_began_as: beganAs }) => {
        const episode = known.get(id);
        const next = episodeId === null || beganAs === null ? null : { episodeId, beganAs };
        return episode === undefined ? [] : [{ now: episode, next, ...(notes.get(id) ?? NO_NOTES) }];
      });
      return { incidents, hasOlder: rows.length > limit };
    },
  };
}

const NO_NOTES = { notes: [], moreNotes: 0 };

/** Without a filter it doesn't search failures, since an episode outlives its first ones. */
async function filtered(
  sql: SqlRows,
  environment: string,
  filter: FailureFilter,
): Promise<{ readonly condition: string; readonly values: readonly SqlValue[] }> {
  if (FILTER_NAMES.every((name) => filter[name].length === 0)) return { condition: '', values: [] };
  return { condition: HAS_FAILURE, values: filterValues(await asSpelled(sql, environment, filter)) };
}

const EPISODES = `
  SELECT s.id, later.id AS next_id, later.began_as AS next_began_as
  FROM episodes s JOIN groups g ON g.key = s.group_key
  LEFT JOIN LATERAL (
    SELECT id, began_as FROM episodes l WHERE l.incident_key = s.incident_key AND l.id > s.id ORDER BY l.id LIMIT 1
  ) later ON true
  WHERE g.environment = $1 AND s.last_recorded_at >= $2 AND ($3::bigint IS NULL OR s.id < $3)`;

const ALERTED = "g.announcement = 'announced'";
/** Watches that ask for warnings are alerted to them. */
const WITH_WARNINGS = "g.announcement IN ('announced', 'warning')";

/** An episode's failures are those of its groups after the previous episode's last. */
const HAS_FAILURE = `
  AND EXISTS (
    SELECT 1 FROM episode_parts part JOIN groups asked ON asked.key = part.group_key
    CROSS JOIN LATERAL (
      SELECT ${AFTER_SEQ} AS after_seq
    ) before
    CROSS JOIN LATERAL (
      SELECT * FROM failures WHERE group_key = part.group_key AND seq > before.after_seq AND seq <= s.newest_seq ${BY_ITSELF}
    ) f
    WHERE part.episode_id = s.id AND ${filterConditions(5)}
  )`;

const NoteRow = z.object({
  episode_id: Count,
  written_by: z.string(),
  written_at: z.date(),
  text: z.string(),
  total: Count,
});

interface EpisodeNotes {
  readonly notes: readonly Note[];
  readonly moreNotes: number;
}

/** Returns the newest notes of some episodes by episode ID; episodes without notes are missing. */
async function notesOf(sql: SqlRows, episodeIds: readonly number[]): Promise<ReadonlyMap<number, EpisodeNotes>> {
  const found = new Map<number, { notes: Note[]; moreNotes: number }>();
  for (const row of await sql.rows(NoteRow, NOTES, [jsonOf(episodeIds), MOST_NOTES])) {
    const one = found.get(row.episode_id) ?? { notes: [], moreNotes: row.total };
    one.notes.push({ by: row.written_by, at: row.written_at, text: row.text });
    found.set(row.episode_id, { ...one, moreNotes: row.total - one.notes.length });
  }
  return found;
}

const NOTES = `
  SELECT * FROM (
    SELECT n.*, row_number() OVER (PARTITION BY episode_id ORDER BY id DESC) AS place, count(*) OVER (PARTITION BY episode_id) AS total
    FROM notes n WHERE episode_id IN (SELECT value::bigint FROM jsonb_array_elements_text($1::jsonb))
  ) numbered WHERE place <= $2 ORDER BY episode_id, place`;
