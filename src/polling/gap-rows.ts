import { z } from 'zod';
import type { Gap, GapCause, GapPart } from '../domain/polling/gap.ts';
import { joinedRanges } from '../domain/time/coverage.ts';
import type { Db, SqlValue } from '../store/db.ts';
import { PROBLEM_KINDS } from '../store/problems.ts';
import { Count, rowWith } from '../store/row.ts';

const GAP_CAUSES = [...PROBLEM_KINDS, 'not-running'] as const satisfies readonly GapCause[];

export const StoredParts = z.array(
  z.object({
    from: z.coerce.date(),
    to: z.coerce.date(),
    tries: z.number(),
    nextTryAt: z.coerce.date().nullable(),
  }),
);

/** The columns of what of gap `g` isn't checked, as `u`. */
export const UNCHECKED_PARTS =
  'jsonb_to_recordset(g.unchecked) AS u ("from" timestamptz, "to" timestamptz, tries integer, "nextTryAt" timestamptz)';

const GapRow = rowWith({
  id: z.string(),
  environment: z.string(),
  beginsAt: z.date(),
  endsAt: z.date().nullable(),
  cause: z.enum(GAP_CAUSES),
  openedAt: z.date(),
  closedAt: z.date().nullable(),
  unchecked: StoredParts,
  events: Count,
  failures: Count,
}).transform(({ beginsAt: from, endsAt: to, unchecked, ...row }): Gap => {
  const windows = (some: readonly GapPart[]) => joinedRanges(some.map((part) => ({ from: part.from, to: part.to })));
  return {
    ...row,
    from,
    to,
    unchecked: windows(unchecked.filter(({ nextTryAt }) => nextTryAt !== null)),
    givenUp: windows(unchecked.filter(({ nextTryAt }) => nextTryAt === null)),
  };
});

/** Returns the gaps, named `g`, that meet a condition, in chronological order. */
export function gapRows(sql: Db, condition: string, values: readonly SqlValue[]): Promise<Gap[]> {
  return sql.rows(GapRow, `SELECT * FROM gaps g WHERE ${condition} ORDER BY g.begins_at, g.id`, values);
}
