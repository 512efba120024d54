import { and, eq, gte } from 'drizzle-orm';
import { z } from 'zod';
import { filterConditions, filterValues } from '../incidents/filter-conditions.ts';
import type { IncidentRow } from '../incidents/incident.ts';
import { incidents } from '../incidents/tables.ts';
import { Count, type Db } from '../store/db.ts';
import { mayCover, type WatchFilter } from '../watches/settings.ts';

const CountedRow = z.object({ id: Count, failures: Count, critical: z.boolean(), severities: z.array(z.string()) });

const COUNTED = `
  SELECT i.id, count(*) AS failures, bool_or(f.critical) AS critical,
    coalesce(array_agg(DISTINCT f.severity) FILTER (WHERE f.severity IS NOT NULL), '{}') AS severities
  FROM failures f JOIN incidents i ON i.id = f.incident_id
  WHERE f.environment = $1 AND f.recorded_at >= $2 AND ${filterConditions(3)} GROUP BY 1`;

/** Incidents with the counts of the failures recorded since that the filter covers. */
export async function failedSince(db: Db, environment: string, filter: WatchFilter, since: Date) {
  const values = await filterValues(db, environment, filter);
  const counted = await db.rows(CountedRow, COUNTED, [environment, since, ...values]);
  const countsById = new Map(counted.map(({ id, ...counts }) => [id, counts]));
  const isRecent = and(eq(incidents.environment, environment), gte(incidents.lastRecordedAt, since));
  const recent = await db.select().from(incidents).where(isRecent).orderBy(incidents.id);
  return recent.flatMap((row): IncidentRow[] => {
    const counts = countsById.get(row.id);
    return counts === undefined || !mayCover(filter, row) ? [] : [{ ...row, ...counts }];
  });
}
