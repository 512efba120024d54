import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { Count, type Db, onlyRow, textList } from '../store/db.ts';

/** What waits for the end of quiet hours and mutes. */
export interface OwedLater {
  incidents: number;
  /** When the first of them is told; null: none waits. */
  until: Date | null;
}

const OwedRow: z.ZodType<OwedLater> = z.object({ incidents: Count, until: z.date().nullable() });

export async function owedLater(db: Db, environments: readonly string[]): Promise<OwedLater> {
  return onlyRow(
    await db.rows(
      OwedRow,
      sql`
        SELECT count(DISTINCT a.incident_id) AS incidents, min(a.due_at) AS until
        FROM watch_alerts a
        JOIN watches w ON w.id = a.watch_id
        WHERE a.environment IN ${textList(environments)}
          AND a.owed_since IS NOT NULL
          AND a.held_by IS NOT NULL
          AND w.ended_at IS NULL`,
    ),
  );
}
