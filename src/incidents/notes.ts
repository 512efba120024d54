import { z } from 'zod';
import { idsIn } from '../outbox/messages.ts';
import { Count, type Db, jsonOf } from '../store/db.ts';
import { type IncidentNow, type Note, NoteRow } from './incident.ts';

const COLUMNS = `n.actor AS by, n.at, n.change ->> 'text' AS text`;
const IS_NOTE = `n.change ->> 'action' = 'noted'`;

export function notesOf(db: Db, id: number, limit: number): Promise<Note[]> {
  const notes = `SELECT ${COLUMNS} FROM audit n WHERE ${IS_NOTE} AND n.incident_id = $1 ORDER BY n.id DESC LIMIT $2`;
  return db.rows(NoteRow, notes, [id, limit]);
}

const RememberedRow = NoteRow.extend({ forId: Count, id: Count, from: z.date() });
const FormerRow = z.object({ id: Count, by: z.string(), at: z.date() });

export async function formerlyAcknowledged(
  db: Db,
  ids: readonly number[],
): Promise<ReadonlyMap<number, IncidentNow['formerly']>> {
  const rows = await db.rows(FormerRow, FORMERLY, [jsonOf(ids)]);
  return new Map(rows.map(({ id, ...former }) => [id, former]));
}

const FORMERLY = `
  SELECT i.id, last.actor AS by, last.at FROM incidents i CROSS JOIN LATERAL (
    SELECT * FROM audit a WHERE a.incident_id = i.id AND a.change ->> 'action' IN ('acknowledged', 'unacknowledged', 'reopened')
    ORDER BY a.id DESC LIMIT 1
  ) last
  WHERE i.id IN ${idsIn('$1')} AND i.relapses > 0 AND i.acknowledged_by IS NULL AND last.change ->> 'action' = 'acknowledged'`;

type Memory = Pick<IncidentNow, 'note' | 'earlierNote' | 'lastTime'>;

export async function memoriesOf(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, Memory>> {
  const rows = await db.rows(RememberedRow, REMEMBERED, [jsonOf(ids)]);
  return new Map(
    ids.map((forId) => {
      const remembered = rows.filter((row) => row.forId === forId);
      const [note = null, earlierNote = null] = remembered.filter(({ id }) => id === forId).map(noteIn);
      const [last] = remembered.filter(({ id }) => id !== forId);
      return [forId, { note, earlierNote, lastTime: last ? { from: last.from, note: noteIn(last) } : null }];
    }),
  );
}

const noteIn = ({ by, at, text }: Note): Note => ({ by, at, text });

const REMEMBERED = `
  SELECT i.id AS for_id, n.* FROM incidents i CROSS JOIN LATERAL (
    SELECT p.id, n.id AS note_id, p.first_at AS "from", ${COLUMNS} FROM incidents p JOIN audit n ON n.incident_id = p.id AND ${IS_NOTE}
    WHERE p.key = i.key AND p.id <= i.id ORDER BY p.id DESC, n.id DESC LIMIT 2
  ) n WHERE i.id IN ${idsIn('$1')} ORDER BY i.id, n.id DESC, n.note_id DESC`;
