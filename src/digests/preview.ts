import { compareDesc, max, min, subDays } from 'date-fns';
import { and, eq, gte } from 'drizzle-orm';
import { z } from 'zod';
import { environments } from '../coverage/tables.ts';
import { filterConditions, filterValues } from '../incidents/filter-conditions.ts';
import type { IncidentRow } from '../incidents/incident.ts';
import { incidents } from '../incidents/tables.ts';
import type { Environment } from '../lib/environment.ts';
import { Count, type Db } from '../store/db.ts';
import { isAbout, mayCover, type WatchFilter, type WatchSettings } from '../watches/settings.ts';
import { reachedIn } from './threshold.ts';

interface PreviewCtx {
  db: Db;
  environments: readonly Environment[];
  retentionDays: number;
  now: () => Date;
}

export type Preview = Awaited<ReturnType<typeof previewWatch>>;

const MOST_DAYS = 7;

export async function previewWatch(ctx: PreviewCtx, settings: WatchSettings) {
  const { db, retentionDays } = ctx;
  const to = ctx.now();
  const since = subDays(to, Math.min(MOST_DAYS, retentionDays));
  const names = ctx.environments.map(({ name }) => name).filter((name) => isAbout(settings.filter, name));
  const about = (await db.select().from(environments))
    .filter(({ environment, checkedTo, coveredFrom }) => names.includes(environment) && checkedTo > coveredFrom)
    .map(({ environment, coveredFrom }) => ({ environment, from: max([since, coveredFrom]) }));
  const environmentsCovered = about.map(async ({ environment, from }) => {
    const covered = await failedSince(db, environment, settings.filter, from);
    const ids = covered.map(({ id }) => id);
    const reached = await reachedIn(db, environment, { ids, from }, settings);
    return covered.map((incident) => ({ ...incident, isReached: reached.has(incident.id) }));
  });
  const covered = (await Promise.all(environmentsCovered)).flat();
  const reached = covered.filter(({ isReached }) => isReached);
  const incidents = reached.map(({ id, channel, provider, causeText: cause, failures, firstAt }) => {
    return { id, channel, provider, cause, failures, firstAt };
  });
  return {
    range: { from: min([to, ...about.map(({ from }) => from)]), to },
    incidents: incidents.toSorted((a, b) => compareDesc(a.firstAt, b.firstAt)),
    below: covered.length - reached.length,
  };
}

const CountedRow = z.object({ id: Count, failures: Count, critical: z.boolean(), severities: z.array(z.string()) });

const COUNTED = `
  SELECT i.id, count(*) AS failures, bool_or(f.critical) AS critical,
    coalesce(array_agg(DISTINCT f.severity) FILTER (WHERE f.severity IS NOT NULL), '{}') AS severities
  FROM failures f JOIN incidents i ON i.id = f.incident_id
  WHERE f.environment = $1 AND f.recorded_at >= $2 AND ${filterConditions(3)} GROUP BY 1`;

/** Counts are of what was recorded since and the filter covers. */
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
