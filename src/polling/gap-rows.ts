import { z } from 'zod';
import type { Gap, GapCause } from '../domain/polling/gap.ts';
import { joinedRanges } from '../domain/time/coverage.ts';
import type { SqlRows, SqlValue } from '../store/database/database.ts';
import { PROBLEM_KINDS } from '../store/database/problems.ts';
import { Count, rowWith } from '../store/database/row.ts';

export const GAP_CAUSES = [...PROBLEM_KINDS, 'not-running'] as const satisfies readonly GapCause[];

const StoredWindow = z.object({ from: z.coerce.date(), to: z.coerce.date() });

const GapRow = rowWith({
  id: z.string(),
  environment: z.string(),
  beginsAt: z.date(),
  endsAt: z.date().nullable(),
  cause: z.enum(GAP_CAUSES),
  openedAt: z.date(),
  closedAt: z.date().nullable(),
  unchecked: z.array(StoredWindow).transform(joinedRanges),
  givenUp: z.array(StoredWindow).transform(joinedRanges),
  events: Count,
  failures: Count,
}).transform(({ beginsAt: from, endsAt: to, ...row }): Gap => ({ ...row, from, to }));

/** Returns the gaps, named `g`, that meet a condition, in chronological order. */
export function gapRows(sql: SqlRows, condition: string, values: readonly SqlValue[]): Promise<Gap[]> {
  return sql.rows(
    GapRow,
    `SELECT g.*, w.unchecked, w.given_up
     FROM gaps g CROSS JOIN LATERAL (
       SELECT coalesce(jsonb_agg(stretch ORDER BY begins_at) FILTER (WHERE given_up_at IS NULL), '[]') AS unchecked,
         coalesce(jsonb_agg(stretch ORDER BY begins_at) FILTER (WHERE given_up_at IS NOT NULL), '[]') AS given_up
       FROM (SELECT *, jsonb_build_object('from', begins_at, 'to', ends_at) AS stretch FROM gap_windows WHERE gap_id = g.id) one
     ) w
     WHERE ${condition} ORDER BY g.begins_at, g.id`,
    values,
  );
}
