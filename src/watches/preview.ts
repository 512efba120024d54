import { max, min, subDays } from 'date-fns';
import { and, eq, gte } from 'drizzle-orm';
import { coveredOf, reachedIn } from '../digests/alerts.ts';
import type { Environment } from '../lib/environment.ts';
import type { Db } from '../store/db.ts';
import * as tables from '../store/schema.ts';
import { isAbout, type WatchSettings } from './settings.ts';

interface PreviewCtx {
  readonly db: Db;
  readonly environments: readonly Environment[];
  readonly retentionDays: number;
  readonly now: () => Date;
}

export type Preview = Awaited<ReturnType<typeof previewWatch>>;

const MOST_DAYS = 7;

export async function previewWatch({ db, environments, retentionDays, now }: PreviewCtx, settings: WatchSettings) {
  const to = now();
  const since = subDays(to, Math.min(MOST_DAYS, retentionDays));
  const names = environments.map(({ name }) => name).filter((name) => isAbout(settings.filter, name));
  const about = (await db.select().from(tables.environments))
    .filter(({ environment, checkedTo, coveredFrom }) => names.includes(environment) && checkedTo > coveredFrom)
    .map(({ environment, coveredFrom }) => ({ environment, from: max([since, coveredFrom]) }));
  const found = await Promise.all(about.map(({ environment, from }) => coveredSince(db, environment, settings, from)));
  const told = found.flatMap(({ incidents }) => incidents);
  return {
    range: { from: min([to, ...about.map(({ from }) => from)]), to },
    incidents: told.toSorted((a, b) => b.firstAt.getTime() - a.firstAt.getTime()),
    below: found.reduce((sum, { below }) => sum + below, 0),
  };
}

async function coveredSince(db: Db, environment: string, settings: WatchSettings, since: Date) {
  const isRecent = and(eq(tables.incidents.environment, environment), gte(tables.incidents.lastRecordedAt, since));
  const recent = await db.select().from(tables.incidents).where(isRecent).orderBy(tables.incidents.id);
  const covered = await coveredOf(db, settings.filter, environment, recent);
  const ids = covered.map(({ id }) => id);
  const reached = await reachedIn(db, environment, ids, settings);
  const incidents = covered
    .filter(({ id }) => reached.has(id))
    .map(({ id, channel, provider, causeText: cause, recorded, firstAt, matched }) => {
      return { id, channel, provider, cause, failures: matched?.failures ?? recorded, firstAt };
    });
  return { incidents, below: covered.length - incidents.length };
}
