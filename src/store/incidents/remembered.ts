import { z } from 'zod';
import { type EarlierEpisode, type Remembered, remembered } from '../../domain/incidents/last-time.ts';
import type { Note } from '../../domain/incidents/note.ts';
import { jsonOf, type SqlRows } from '../database/database.ts';
import { Beginning, Count } from '../database/row.ts';

const EpisodeRow = z.object({
  asked: Count,
  id: Count,
  began_as: Beginning,
  first_seen: z.date(),
  last_seen: z.date(),
  acknowledged_by: z.string().nullable(),
  assigned_to: z.string().nullable(),
  resolved_by: z.string().nullable(),
});
type EpisodeRow = z.output<typeof EpisodeRow>;

const NoteRow = z.object({
  asked: Count,
  episode_id: Count,
  written_by: z.string(),
  written_at: z.date(),
  text: z.string(),
  first_seen: z.date().nullable(),
  last_seen: z.date().nullable(),
});
type NoteRow = z.output<typeof NoteRow>;

/** How many episodes and notes of an incident are examined; older ones help less. */
const MOST_LOOKED_AT = 30;

/** Returns what to remember of some episodes' incidents by episode ID, as of the time when each episode counted. */
export async function rememberedOf(
  sql: SqlRows,
  episodeIds: readonly number[],
): Promise<ReadonlyMap<number, Remembered>> {
  const values = [jsonOf(episodeIds), MOST_LOOKED_AT];
  const episodes = await sql.rows(EpisodeRow, EPISODES, values);
  const notes = await sql.rows(NoteRow, NOTES, values);
  return new Map(
    episodeIds.map((id) => {
      const ofIncident = <Row extends { readonly asked: number }>(rows: readonly Row[]) =>
        rows.filter(({ asked }) => asked === id);
      return [id, remembered(pastOf(ofIncident(episodes), ofIncident(notes)))];
    }),
  );
}

const EPISODES = `
  SELECT asked.id AS asked, past.id, past.began_as, past.first_seen, past.last_seen, past.acknowledged_by, past.assigned_to, past.resolved_by
  FROM episodes asked CROSS JOIN LATERAL (
    SELECT * FROM episodes s WHERE s.incident_key = asked.incident_key AND s.id <= asked.id ORDER BY s.id DESC LIMIT $2
  ) past
  WHERE asked.id IN (SELECT value::bigint FROM jsonb_array_elements_text($1::jsonb))
  ORDER BY asked.id, past.id DESC`;

const NOTES = `
  SELECT asked.id AS asked, past.episode_id, past.written_by, past.written_at, past.text, past.first_seen, past.last_seen
  FROM episodes asked CROSS JOIN LATERAL (
    SELECT * FROM notes n WHERE n.incident_key = asked.incident_key AND n.episode_id <= asked.id ORDER BY n.id DESC LIMIT $2
  ) past
  WHERE asked.id IN (SELECT value::bigint FROM jsonb_array_elements_text($1::jsonb))
  ORDER BY asked.id, past.id DESC`;

/** Combines stored episodes with those that only have notes left, which are older. */
function pastOf(episodes: readonly EpisodeRow[], notes: readonly NoteRow[]): EarlierEpisode[] {
  const kept = new Set(episodes.map(({ id }) => id));
  const gone = [...new Set(notes.map(({ episode_id }) => episode_id))]
    .filter((id) => !kept.has(id))
    .sort((a, b) => b - a);
  const notesOf = (id: number) => notes.filter(({ episode_id }) => episode_id === id);
  return [
    ...episodes.map((row) => ({ ...pastEpisode(row), notes: notesOf(row.id).map(noteOf) })),
    ...gone.flatMap((id) => onlyNotes(notesOf(id))),
  ];
}

function pastEpisode(row: EpisodeRow): Omit<EarlierEpisode, 'notes'> {
  return {
    beganAs: row.began_as,
    firstSeen: row.first_seen,
    lastSeen: row.last_seen,
    taken: { acknowledgedBy: row.acknowledged_by, assignedTo: row.assigned_to, resolvedBy: row.resolved_by },
  };
}

function onlyNotes(notes: readonly NoteRow[]): EarlierEpisode[] {
  const [newest] = notes;
  if (newest === undefined) return [];
  return [
    {
      beganAs: 'new',
      firstSeen: newest.first_seen ?? newest.written_at,
      lastSeen: newest.last_seen ?? newest.written_at,
      taken: { acknowledgedBy: null, assignedTo: null, resolvedBy: null },
      notes: notes.map(noteOf),
    },
  ];
}

function noteOf({ written_by: by, written_at: at, text }: Pick<NoteRow, 'written_by' | 'written_at' | 'text'>): Note {
  return { by, at, text };
}
