import type { Sql } from '../database/database.ts';

/** Whether watch `w` shows changes. */
export const SHOWS_CHANGES = `coalesce((w.settings ->> 'hasChanges')::boolean, false)`;

/** A watch that is asked to show changes shows those that come after that; one that isn't any longer forgets where it was. */
export async function beginOrEndChanges(sql: Pick<Sql, 'write'>): Promise<void> {
  await sql.write(`
    UPDATE positions p SET changes_to = CASE WHEN ${SHOWS_CHANGES}
      THEN (SELECT coalesce(max(id), 0) FROM changes c WHERE c.environment = p.environment) END
    FROM watches w WHERE w.id = p.watch_id AND w.ended_at IS NULL AND ${SHOWS_CHANGES} = (p.changes_to IS NULL)`);
}
