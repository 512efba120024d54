import type { Sql } from '../database/database.ts';

/** The condition that watch `w` shows changes. */
export const SHOWS_CHANGES = `coalesce((w.settings ->> 'hasChanges')::boolean, false)`;

/** Starts a watch that is asked to show changes at the current position, and clears the position of one that isn't asked anymore. */
export async function beginOrEndChanges(sql: Pick<Sql, 'write'>): Promise<void> {
  await sql.write(`
    UPDATE positions p SET changes_to = CASE WHEN ${SHOWS_CHANGES}
      THEN (SELECT coalesce(max(id), 0) FROM changes c WHERE c.environment = p.environment) END
    FROM watches w WHERE w.id = p.watch_id AND w.ended_at IS NULL AND ${SHOWS_CHANGES} = (p.changes_to IS NULL)`);
}
