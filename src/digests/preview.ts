import { compareDesc, max, min, subDays } from 'date-fns';
import { and, eq, gte } from 'drizzle-orm';
import { environments } from '../coverage/tables.ts';
import { matchedIn } from '../incidents/counts.ts';
import type { IncidentRow } from '../incidents/incident.ts';
import { incidents } from '../incidents/tables.ts';
import type { Environment } from '../lib/environment.ts';
import type { Db } from '../store/db.ts';
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
  const ranges = (await db.select().from(environments))
    .filter(({ environment, checkedTo, coveredFrom }) => names.includes(environment) && checkedTo > coveredFrom)
    .map(({ environment, coveredFrom }) => ({ environment, from: max([since, coveredFrom]) }));
  const reached: IncidentRow[] = [];
  let belowThreshold = 0;
  for (const { environment, from } of ranges) {
    const failed = await incidentsSince(db, environment, settings.filter, from);
    const ids = await reachedIn(db, environment, { ids: failed.map(({ id }) => id), from }, settings);
    reached.push(...failed.filter(({ id }) => ids.has(id)));
    belowThreshold += failed.length - ids.size;
  }
  const newestFirst = reached.toSorted((a, b) => compareDesc(a.firstAt, b.firstAt));
  return {
    range: { from: min([to, ...ranges.map(({ from }) => from)]), to },
    incidents: newestFirst.map(({ id, code, channel, provider, causeText: cause, failures, firstAt }) => {
      return { id, code, channel, provider, cause, failures, firstAt };
    }),
    belowThreshold,
  };
}

export async function incidentsSince(db: Db, environment: string, filter: WatchFilter, since: Date) {
  const isRecent = and(eq(incidents.environment, environment), gte(incidents.lastRecordedAt, since));
  const rows = await db.select().from(incidents).where(isRecent).orderBy(incidents.id);
  const recent = rows.filter((row) => mayCover(filter, row));
  const matching = recent.map(({ id }) => ({ id, afterSeq: 0, since }));
  const matched = await matchedIn(db, environment, matching, filter);
  return recent.flatMap((row): IncidentRow[] => {
    const total = matched.get(row.id)?.total;
    return total ? [{ ...row, failures: total.failures, critical: total.critical }] : [];
  });
}
