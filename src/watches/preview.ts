import { max, min, subDays } from 'date-fns';
import { and, eq, gte } from 'drizzle-orm';
import { reachedIn } from '../digests/alerts.ts';
import type { Environment } from '../lib/environment.ts';
import type { TimeRange } from '../lib/time/time-range.ts';
import type { Db } from '../store/db.ts';
import { incidents, environments as readEnvironments } from '../store/schema.ts';
import { coveredOf } from './covered.ts';
import { isAbout, type WatchSettings } from './settings.ts';

/** An incident that a watch with some settings would have told of. */
export type PreviewedIncident = Pick<typeof incidents.$inferSelect, 'id' | 'channel' | 'provider' | 'firstAt'> & {
  readonly cause: string;
  readonly failures: number;
};

export interface Preview {
  readonly range: TimeRange;
  /** The newest first. */
  readonly incidents: readonly PreviewedIncident[];
  /** How many it covers that stayed below its threshold. */
  readonly below: number;
}

export interface PreviewCtx {
  readonly db: Db;
  readonly environments: readonly Environment[];
  readonly retentionDays: number;
  readonly now: () => Date;
}

const MOST_DAYS = 7;

/** The incidents of the last days that match and reach the threshold: neither pace, quiet hours nor mutes are part of it. */
export async function previewWatch(
  { db, environments, retentionDays, now }: PreviewCtx,
  settings: WatchSettings,
): Promise<Preview> {
  const to = now();
  const since = subDays(to, Math.min(MOST_DAYS, retentionDays));
  const names = environments.map(({ name }) => name).filter((name) => isAbout(settings.filter, name));
  const about = (await db.select().from(readEnvironments))
    .filter(({ environment, checkedTo, coveredFrom }) => names.includes(environment) && checkedTo > coveredFrom)
    .map(({ environment, coveredFrom }) => ({ environment, from: max([since, coveredFrom]) }));
  const covered = await Promise.all(
    about.map(({ environment, from }) => coveredSince(db, environment, settings, from)),
  );
  const newestFirst = covered.flat().toSorted((a, b) => b.firstAt.getTime() - a.firstAt.getTime());
  const reached = newestFirst.filter(({ isReached }) => isReached);
  const range = { from: min([to, ...about.map(({ from }) => from)]), to };
  return { range, incidents: reached, below: newestFirst.length - reached.length };
}

async function coveredSince(db: Db, environment: string, settings: WatchSettings, since: Date) {
  const isRecent = and(eq(incidents.environment, environment), gte(incidents.lastRecordedAt, since));
  const recent = await db.select().from(incidents).where(isRecent).orderBy(incidents.id);
  const covered = await coveredOf(db, settings.filter, environment, recent);
  const ids = covered.map(({ id }) => id);
  const reached = await reachedIn(db, environment, ids, settings);
  return covered.map(({ id, channel, provider, causeText: cause, recorded, firstAt, matched }) => {
    const failures = matched === null ? recorded : matched.failures;
    return { id, channel, provider, cause, failures, firstAt, isReached: reached.has(id) };
  });
}
