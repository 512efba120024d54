import { z } from 'zod';
import type { Note } from '../../domain/incidents/note.ts';
import { MOST_NOTES } from '../../domain/incidents/past-incident.ts';
import { jsonOf, type SqlRows } from '../database/database.ts';
import { Count } from '../database/row.ts';

const NoteRow = z.object({
  episode_id: Count,
  written_by: z.string(),
  written_at: z.date(),
  text: z.string(),
  total: Count,
});

export interface EpisodeNotes {
  readonly notes: readonly Note[];
  readonly moreNotes: number;
}

/** Returns the newest notes of some episodes by episode ID; episodes without notes are missing. */
export async function notesOf(sql: SqlRows, episodeIds: readonly number[]): Promise<ReadonlyMap<number, EpisodeNotes>> {
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
