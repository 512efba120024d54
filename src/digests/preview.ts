import { max, min, subDays } from 'date-fns';
import { environments } from '../coverage/tables.ts';
import type { Environment } from '../lib/environment.ts';
import type { Db } from '../store/db.ts';
import { isAbout, type WatchSettings } from '../watches/settings.ts';
import { failedSince } from './failed-since.ts';
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
    incidents: incidents.toSorted((a, b) => b.firstAt.getTime() - a.firstAt.getTime()),
    below: covered.length - reached.length,
  };
}
