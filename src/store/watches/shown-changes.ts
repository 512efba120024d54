import type { SqlWrite } from '../database/database.ts';

export const SHOWS_CHANGES = `coalesce((w.settings ->> 'hasChanges')::boolean, false)`;

export const NEWEST_CHANGE = '(SELECT coalesce(max(id), 0) FROM changes WHERE changes.environment = p.environment)';

/** Starts a watch that is asked to show changes at the current position, and clears the position of one that isn't asked anymore. */
export async function beginOrEndChanges(sql: SqlWrite): Promise<void> {
  await sql.write(`
    UPDATE positions p SET changes_to = CASE WHEN ${SHOWS_CHANGES}
      THEN ${NEWEST_CHANGE} END
    FROM watches w WHERE w.id = p.watch_id AND w.ended_at IS NULL AND ${SHOWS_CHANGES} = (p.changes_to IS NULL)`);
}
