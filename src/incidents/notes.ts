import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { groupBy } from '../lib/group-by.ts';
import { Count, type Db, idList } from '../store/db.ts';
import { type Note, NoteRow } from './incident.ts';

/** What people wrote of an incident, and of the last one of its cause. */
export interface Remembered {
  /** The newest. */
  note: Note | null;
  earlierNote: Note | null;
  /** The newest note of the incident of this cause before it, which began then. */
  lastTime: { from: Date; note: Note } | null;
}

/** An incident's notes, the newest first. */
export async function notesOf(db: Db, id: number, limit: number): Promise<Note[]> {
  return db.rows(
    NoteRow,
    sql`
      SELECT actor, at, change ->> 'text' AS text
      FROM audit
      WHERE incident_id = ${id}
        AND change ->> 'action' = 'noted'
        AND change ? 'text'
      ORDER BY id DESC
      LIMIT ${limit}`,
  );
}

const RememberedRow = NoteRow.extend({ forId: Count, id: Count, from: z.date() });

/** What is remembered of each incident: the two newest notes of it, and of earlier incidents with its key. */
export async function earlierNotes(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, Remembered>> {
  const rows = await db.rows(
    RememberedRow,
    sql`
      SELECT i.id AS for_id, n.*
      FROM incidents i
      CROSS JOIN LATERAL (
        SELECT p.id, n.id AS note_id, p.first_at AS "from", n.actor, n.at, n.change ->> 'text' AS text
        FROM incidents p
        JOIN audit n ON n.incident_id = p.id AND n.change ->> 'action' = 'noted' AND n.change ? 'text'
        WHERE p.key = i.key
          AND p.id <= i.id
        ORDER BY p.id DESC, n.id DESC
        LIMIT 2
      ) n
      WHERE i.id IN ${idList(ids)}
      ORDER BY i.id, n.id DESC, n.note_id DESC`,
  );
  const byId = groupBy(rows, ({ forId }) => forId);
  return new Map(ids.map((id) => [id, rememberedIn(id, byId.get(id) ?? [])]));
}

function rememberedIn(id: number, rows: readonly z.output<typeof RememberedRow>[]): Remembered {
  const [note = null, earlierNote = null] = rows.filter((row) => row.id === id).map(noteIn);
  const last = rows.find((row) => row.id !== id);
  return { note, earlierNote, lastTime: last === undefined ? null : { from: last.from, note: noteIn(last) } };
}

const noteIn = ({ actor, at, text }: Note): Note => ({ actor, at, text });
