import { z } from 'zod';
import type { FilterName } from '../../domain/failures/failure-filter.ts';
import type { SqlRows } from '../database/database.ts';

/**
 * The names that failures themselves have, with the column of each. They are noted when failures are recorded, since finding them among a
 * month's failures would mean reading all of them.
 */
const NAMES_IN = { severities: 'ARRAY[severity]', topics: 'topics', contexts: 'contexts', tags: 'tags' } as const;

export type NotedName = keyof typeof NAMES_IN & FilterName;

export function isNoted(name: FilterName): name is NotedName {
  return name in NAMES_IN;
}

/** How far `last_seen_at` can lag behind, so that a continuous failure isn't noted with each page. */
export const NOTED_EVERY_MS = 3_600_000;

/** Notes the names of the failures `item` of environment $1 at $3. */
export const NOTE_NAMES = `
    INSERT INTO failure_names (environment, kind, name, last_seen_at)
    SELECT $1, kind, name, $3 FROM (
      ${Object.entries(NAMES_IN)
        .map(([kind, names]) => `SELECT '${kind}' AS kind, unnest(${names}) AS name FROM item`)
        .join('\n      UNION ')}
    ) seen
    WHERE name IS NOT NULL AND NOT EXISTS (
      SELECT 1 FROM failure_names known WHERE known.environment = $1 AND known.kind = seen.kind AND known.name = seen.name
        AND known.last_seen_at > $3::timestamptz - interval '${NOTED_EVERY_MS} milliseconds')
    ON CONFLICT (environment, kind, name) DO UPDATE SET last_seen_at = EXCLUDED.last_seen_at`;

const NameRow = z.object({ name: z.string() });

export async function notedNames(sql: SqlRows, environment: string, kind: NotedName): Promise<readonly string[]> {
  const names = 'SELECT name FROM failure_names WHERE environment = $1 AND kind = $2';
  return (await sql.rows(NameRow, names, [environment, kind])).map(({ name }) => name);
}
