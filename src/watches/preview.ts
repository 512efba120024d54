import { max, min, subDays } from 'date-fns';
import { z } from 'zod';
import { reachedIn } from '../digests/minutes.ts';
import type { Environment } from '../domain/environment.ts';
import type { TimeRange } from '../domain/time/time-range.ts';
import { coversAll, matchedIn, sumOf } from '../incidents/matched.ts';
import { IncidentRow } from '../incidents/rows.ts';
import type { Db } from '../store/db.ts';
import { isAbout, mayCover, type WatchSettings } from './settings.ts';

/** An incident that a watch with some settings would have told of. */
export type PreviewedIncident = Pick<IncidentRow, 'id' | 'channel' | 'provider' | 'firstAt'> & {
  readonly cause: string;
  readonly failures: number;
};

export interface Preview {
  readonly range: TimeRange;
  /** The newest first. */
  readonly incidents: readonly PreviewedIncident[];
  /** Those that it covers and that stayed below its threshold. */
  readonly below: readonly PreviewedIncident[];
}

export interface PreviewCtx {
  readonly db: Db;
  readonly environments: readonly Environment[];
  readonly retentionDays: number;
  readonly now: () => Date;
}

const MOST_DAYS = 7;

const CoverageRow = z.object({ environment: z.string(), covered_from: z.date() });
const COVERAGE = 'SELECT environment, covered_from FROM environments WHERE checked_to > covered_from';

/** The incidents of the last days that match and reach the threshold: neither pace, quiet hours nor mutes are part of it. */
export async function previewWatch(
  { db, environments, retentionDays, now }: PreviewCtx,
  settings: WatchSettings,
): Promise<Preview> {
  const to = now();
  const since = subDays(to, Math.min(MOST_DAYS, retentionDays));
  const about = (await db.rows(CoverageRow, COVERAGE))
    .filter(({ environment }) => environments.some(({ name }) => name === environment))
    .filter(({ environment }) => isAbout(settings.filter, environment))
    .map(({ environment, covered_from }) => ({ environment, from: max([since, covered_from]) }));
  const found: Awaited<ReturnType<typeof previewed>> = [];
  for (const { environment, from } of about) found.push(...(await previewed(db, environment, settings, from)));
  const newestFirst = found.toSorted((a, b) => b.firstAt.getTime() - a.firstAt.getTime());
  return {
    range: { from: min([to, ...about.map(({ from }) => from)]), to },
    incidents: newestFirst.filter(({ isReached }) => isReached),
    below: newestFirst.filter(({ isReached }) => !isReached),
  };
}

async function previewed(sql: Db, environment: string, settings: WatchSettings, since: Date) {
  const { filter } = settings;
  const recent = 'SELECT * FROM incidents WHERE environment = $1 AND last_recorded_at >= $2 ORDER BY id';
  const rows = (await sql.rows(IncidentRow, recent, [environment, since])).filter((row) => mayCover(filter, row));
  const all = rows.map(({ id }) => ({ id, afterSeq: 0 }));
  const matched = coversAll(filter) ? null : await matchedIn(sql, environment, all, filter);
  const covered = rows.filter(({ id }) => matched === null || matched.has(id));
  const ids = covered.map(({ id }) => id);
  const reached = await reachedIn(sql, environment, ids, settings);
  return covered.map(({ id, channel, provider, causeText, recorded, firstAt }) => {
    const failures = matched === null ? recorded : (sumOf(matched.get(id) ?? [])?.failures ?? 0);
    return { id, channel, provider, cause: causeText, failures, firstAt, isReached: reached.has(id) };
  });
}
