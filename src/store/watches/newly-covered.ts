import { z } from 'zod';
import { isAbout, type WatchFilter } from '../../domain/watches/watch.ts';
import { jsonOf, type Sql } from '../database/database.ts';
import { NEWEST_CHANGE } from './shown-changes.ts';
import { SUMMED_TO_NOW } from './summary-positions.ts';

type Environments = Pick<WatchFilter, 'environments'>;

/** Starts a watch at the present where it covers more since a change of its filter: the past is news to no summary and to no notice. */
export async function beginNewlyCovered(
  sql: Sql,
  watchId: string,
  { before, after }: { readonly before: Environments; readonly after: Environments },
  now: Date,
): Promise<void> {
  const known = await sql.rows(EnvironmentRow, 'SELECT environment FROM positions WHERE watch_id = $1', [watchId]);
  const names = known.map(({ environment }) => environment);
  const covered = names.filter((name) => isAbout(after, name) && !isAbout(before, name));
  if (covered.length > 0) await sql.write(BEGIN, [watchId, jsonOf(covered), now]);
}

const EnvironmentRow = z.object({ environment: z.string() });

const BEGIN = `
  UPDATE positions p SET covered_since = $3, ${SUMMED_TO_NOW},
    changes_to = CASE WHEN p.changes_to IS NOT NULL THEN ${NEWEST_CHANGE} END
  FROM environments c WHERE p.watch_id = $1 AND c.environment = p.environment
    AND p.environment IN (SELECT jsonb_array_elements_text($2::jsonb))`;
