import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { type StoreTrouble, StoreTroubleError } from '../lib/errors.ts';
import { SECOND_MS } from '../lib/time/durations.ts';
import { inTime } from '../lib/time/waiting.ts';
import type { Db } from './db.ts';

const ReadOnlyRow = z.object({ isReadOnly: z.boolean() });

/** A database without an answer by then isn't answering. */
export const ANSWERS_WITHIN_MS = 3 * SECOND_MS;

export function storeTrouble(db: Db): Promise<StoreTrouble | null> {
  // It reads a table, too, since tables can be gone.
  const isReadOnly = sql`
    SELECT pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on' AS is_read_only
    FROM kv
    WHERE key = 'migrations'`;
  const answer = db.rows(ReadOnlyRow, isReadOnly).then(
    ([row]) => (row?.isReadOnly === true || db.isFull() ? 'read-only' : null),
    (error: unknown): StoreTrouble => (error instanceof StoreTroubleError ? error.trouble : 'refused'),
  );
  return inTime(answer, ANSWERS_WITHIN_MS, 'not-answering');
}
