import { z } from 'zod';
import type { Database } from '../database/database.ts';
import { POSTS_DUE } from './deliveries.ts';
import { EDITS_DUE } from './edits.ts';

const DueRow = z.object({ due_at: z.date().nullable() });

export function nextDelivery(database: Database) {
  return {
    /** Returns when to post or edit the next message, by the clock of `now`; null if there is none. A replica may have claimed it since. */
    nextDeliveryAt: async (now: Date): Promise<Date | null> =>
      (await database.rows(DueRow, NEXT, [now]))[0]?.due_at ?? null,
  };
}

const NEXT = `
  SELECT min(due_at) AS due_at
  FROM (${POSTS_DUE} UNION ALL (${EDITS_DUE})) due`;
