import { z } from 'zod';
import type { Note } from '../lib/input/typed-values.ts';
import type { Db } from '../store/db.ts';
import { Count, rowWith } from '../store/row.ts';
import { jsonOf } from '../store/values.ts';
import type { LastTime } from './incident.ts';
import { idsIn } from './rows.ts';

/** Notes are entries of the audit trail. */
const NOTES = `audit n WHERE n.change ->> 'action' = 'noted'`;

const NoteRow = rowWith({ incidentId: Count, by: z.string(), at: z.date(), text: z.string(), total: Count });

export interface IncidentNotes {
  /** The newest first. */
  readonly notes: readonly Note[];
  readonly moreNotes: number;
}

/** Returns the newest notes of some incidents; those without any are missing. */
export async function notesOf(
  db: Db,
  ids: readonly number[],
  most: number,
): Promise<ReadonlyMap<number, IncidentNotes>> {
  const found = new Map<number, IncidentNotes>();
  for (const { incidentId, total, ...note } of await db.rows(NoteRow, NEWEST, [jsonOf(ids), most])) {
    const notes = [...(found.get(incidentId)?.notes ?? []), note];
    found.set(incidentId, { notes, moreNotes: total - notes.length });
  }
  return found;
}

const NEWEST = `
  SELECT * FROM (
    SELECT n.incident_id, n.actor AS by, n.at, n.change ->> 'text' AS text,
      row_number() OVER (PARTITION BY n.incident_id ORDER BY n.id DESC) AS place, count(*) OVER (PARTITION BY n.incident_id) AS total
    FROM ${NOTES} AND n.incident_id IN ${idsIn('$1')}
  ) numbered WHERE place <= $2 ORDER BY incident_id, place`;

const LastTimeRow = rowWith({
  forId: Count,
  id: Count,
  from: z.date(),
  to: z.date(),
  acknowledgedBy: z.string().nullable(),
  assignedTo: z.string().nullable(),
  resolvedBy: z.string().nullable(),
});

/** What is remembered of each incident: its newest note, and the last time that somebody handled its cause. */
export async function memoriesOf(
  db: Db,
  ids: readonly number[],
): Promise<ReadonlyMap<number, { readonly note: Note | null; readonly lastTime: LastTime | null }>> {
  const before = await db.rows(LastTimeRow, LAST_TIME, [jsonOf(ids)]);
  const notes = await notesOf(db, [...ids, ...before.map(({ id }) => id)], 1);
  const noteOf = (id: number) => notes.get(id)?.notes[0] ?? null;
  const lastTimes = new Map(
    before.map(({ forId, id, ...last }): [number, LastTime] => [forId, { ...last, note: noteOf(id) }]),
  );
  return new Map(ids.map((id) => [id, { note: noteOf(id), lastTime: lastTimes.get(id) ?? null }]));
}

const LAST_TIME = `
  SELECT i.id AS for_id, before.* FROM incidents i CROSS JOIN LATERAL (
    SELECT id, first_at AS "from", last_at AS "to", acknowledged_by, assigned_to, resolved_by FROM incidents p
    WHERE p.key = i.key AND p.id < i.id AND (acknowledged_by IS NOT NULL OR assigned_to IS NOT NULL OR resolved_by IS NOT NULL
      OR EXISTS (SELECT FROM ${NOTES} AND n.incident_id = p.id))
    ORDER BY p.id DESC LIMIT 1
  ) before WHERE i.id IN ${idsIn('$1')}`;
