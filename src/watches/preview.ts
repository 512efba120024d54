import { max, subDays } from 'date-fns';
import { z } from 'zod';
import { reachedIn } from '../digests/minutes.ts';
import type { Environment } from '../domain/environment.ts';
import type { TimeRange } from '../domain/time/time-range.ts';
import { isAbout, mayCover, type WatchSettings } from '../domain/watches/watch.ts';
import { coversAll, matchedIn, sumOf } from '../incidents/matched.ts';
import { IncidentRow } from '../incidents/rows.ts';
import type { Database, SqlRows } from '../store/database/database.ts';

/** An incident that a watch with some settings would have told of. */
export interface PreviewedIncident {
  readonly id: number;
  readonly channel: string;
  readonly provider: string | null;
  readonly cause: string;
  readonly failures: number;
  readonly firstAt: Date;
}

export interface Preview {
  readonly range: TimeRange;
  /** The newest first. */
  readonly incidents: readonly PreviewedIncident[];
  /** Those that it covers and that stayed below its threshold. */
  readonly below: readonly PreviewedIncident[];
}

export interface PreviewParts {
  readonly db: Database;
  readonly environments: readonly Environment[];
  readonly retentionDays: number;
  readonly now: () => Date;
}

const MOST_DAYS = 7;

const CoverageRow = z.object({ environment: z.string(), covered_from: z.date() });

/** The incidents of the last days that match and reach the threshold: neither pace, quiet hours nor mutes are part of it. */
export async function previewWatch(
  settings: WatchSettings,
  { db, environments, retentionDays, now }: PreviewParts,
): Promise<Preview> {
  const to = now();
  const since = subDays(to, Math.min(MOST_DAYS, retentionDays));
  const known = await db.rows(
    CoverageRow,
    'SELECT environment, covered_from FROM environments WHERE checked_to > covered_from',
  );
  const about = known.filter(({ environment }) => {
    return environments.some(({ name }) => name === environment) && isAbout(settings.filter, environment);
  });
  const found: (PreviewedIncident & { readonly isReached: boolean })[] = [];
  for (const { environment, covered_from } of about)
    found.push(...(await previewed(db, environment, settings, max([since, covered_from]))));
  const begins = about.map(({ covered_from }) => max([since, covered_from]).getTime());
  const newestFirst = found.toSorted((a, b) => b.firstAt.getTime() - a.firstAt.getTime());
  return {
    range: { from: new Date(Math.min(to.getTime(), ...begins)), to },
    incidents: newestFirst.filter(({ isReached }) => isReached),
    below: newestFirst.filter(({ isReached }) => !isReached),
  };
}

async function previewed(sql: SqlRows, environment: string, settings: WatchSettings, since: Date) {
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
