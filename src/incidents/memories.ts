import { z } from 'zod';
import type { Note } from '../lib/input/typed-values.ts';
import type { Db } from '../store/db.ts';
import { Count, rowWith } from '../store/row.ts';
import { jsonOf } from '../store/values.ts';
import type { LastTime } from './incident.ts';
import { idsIn } from './rows.ts';

/** Notes are entries of the audit trail. */
const NOTES = `audit n WHERE n.change ->> 'action' = 'noted'`;

const NoteRow = rowWith({ incidentId: Count, by: z.string(), at: z.date(), text: z.string() });
const COLUMNS = `n.incident_id, n.actor AS by, n.at, n.change ->> 'text' AS text`;

/** An incident's notes, the newest first. */
export function notesOf(db: Db, id: number, limit: number): Promise<Note[]> {
  return db.rows(NoteRow, `SELECT ${COLUMNS} FROM ${NOTES} AND n.incident_id = $1 ORDER BY n.id DESC LIMIT $2`, [
    id,
    limit,
  ]);
}

const NEWEST = `SELECT DISTINCT ON (n.incident_id) ${COLUMNS} FROM ${NOTES} AND n.incident_id IN ${idsIn('$1')} ORDER BY n.incident_id, n.id DESC`;

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
  const newest = await db.rows(NoteRow, NEWEST, [jsonOf([...ids, ...before.map(({ id }) => id)])]);
  const noteOf = (id: number): Note | null => newest.find(({ incidentId }) => incidentId === id) ?? null;
  return new Map(
    ids.map((id) => {
      const last = before.find(({ forId }) => forId === id);
      return [id, { note: noteOf(id), lastTime: last === undefined ? null : { ...last, note: noteOf(last.id) } }];
    }),
  );
}

const LAST_TIME = `
  SELECT i.id AS for_id, before.* FROM incidents i CROSS JOIN LATERAL (
    SELECT id, first_at AS "from", last_at AS "to", acknowledged_by, assigned_to, resolved_by FROM incidents p
    WHERE p.key = i.key AND p.id < i.id AND (acknowledged_by IS NOT NULL OR assigned_to IS NOT NULL OR resolved_by IS NOT NULL
      OR EXISTS (SELECT FROM ${NOTES} AND n.incident_id = p.id))
    ORDER BY p.id DESC LIMIT 1
  ) before WHERE i.id IN ${idsIn('$1')}`;
