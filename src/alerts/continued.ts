import { sql } from 'drizzle-orm';
import type { Db } from '../store/db.ts';

/**
 * An incident that turned out to be an older one goes on as that: what the watch told of it counts as told of the older, which takes the greater of
 * both. What is owed of the older stays owed.
 */
export async function noteContinued(tx: Db, watchId: string, environment: string, after: number): Promise<void> {
  await tx.write(sql`
    INSERT INTO watch_alerts AS known (
      watch_id, incident_id, environment, outbreak, badness, critical, failures, failures_in_line, line_at, is_single, entry_id, message_id,
      is_message_gone, posted_at, rang_at, escalated_at, due_at)
    SELECT DISTINCT ON (older.id)
      told.watch_id, older.id, older.environment, older.outbreak, told.badness, told.critical, told.failures, told.failures_in_line, told.line_at,
      told.is_single, told.entry_id, told.message_id, told.is_message_gone, told.posted_at, told.rang_at, told.escalated_at, told.due_at
    FROM incidents younger
    JOIN incidents older ON older.id = younger.continued_as
    JOIN watch_alerts told ON told.incident_id = younger.id
    WHERE told.watch_id = ${watchId}
      AND younger.environment = ${environment}
      AND younger.version > ${after}
      AND told.outbreak = younger.outbreak
    ORDER BY older.id, told.posted_at DESC
    ON CONFLICT (watch_id, incident_id) DO UPDATE
    SET
      outbreak = EXCLUDED.outbreak,
      critical = known.critical OR EXCLUDED.critical,
      failures = GREATEST(known.failures, EXCLUDED.failures),
      message_id = coalesce(known.message_id, EXCLUDED.message_id),
      posted_at = GREATEST(known.posted_at, EXCLUDED.posted_at),
      rang_at = GREATEST(known.rang_at, EXCLUDED.rang_at)
    WHERE known.owed_since IS NULL`);
}
