import { z } from 'zod';
import type { Database } from '../database/database.ts';
import { POSTS_DUE } from './deliveries.ts';
import { EDITS_DUE } from './edits.ts';

export interface NextDelivery {
  /**
   * Returns when the next message is to be posted or edited, by the clock of `now` and never before it; null if none is. A replica may have
   * claimed it meanwhile.
   */
  nextDeliveryAt(now: Date): Promise<Date | null>;
}

const DueRow = z.object({ due_at: z.date().nullable() });

export function nextDelivery(database: Database): NextDelivery {
  return {
    nextDeliveryAt: async (now) => (await database.rows(DueRow, NEXT, [now]))[0]?.due_at ?? null,
  };
}

const NEXT = `
  SELECT min(due_at) AS due_at
  FROM (${POSTS_DUE} UNION ALL (${EDITS_DUE})) due`;
