import { followRenamed, type RenamedWorkflow } from '../domain/watches/renamed-workflows.ts';
import { jsonOf, type Sql } from '../store/database/database.ts';
import { WATCH_COLUMNS, WatchRow } from './watches.ts';

export async function keepOnRenamed(sql: Sql, environment: string, renamed: readonly RenamedWorkflow[]): Promise<void> {
  if (renamed.length === 0) return;
  for (const { id, settings } of await sql.rows(WatchRow, NAMING_WORKFLOWS)) {
    const filter = followRenamed(settings.filter, environment, renamed);
    if (filter === null) continue;
    await sql.write(CHANGE, [id, jsonOf({ ...settings, filter })]);
  }
}

/** No person has changed it. */
const CHANGE = 'UPDATE watches SET settings = $2::jsonb, changed_by = NULL WHERE id = $1';

/** Somebody who changes one at the same time comes before or after. */
const NAMING_WORKFLOWS = `
  SELECT ${WATCH_COLUMNS} FROM watches w
  WHERE ended_at IS NULL AND jsonb_array_length(settings->'filter'->'workflows') > 0 ORDER BY id FOR UPDATE`;
