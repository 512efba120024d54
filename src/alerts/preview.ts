import { compareDesc, max, min, subDays } from 'date-fns';
import { and, eq, gte } from 'drizzle-orm';
import { environments } from '../coverage/tables.ts';
import { withOutbreaks } from '../incidents/incident-rows.ts';
import { matchedIn } from '../incidents/matched.ts';
import { type IncidentRow, incidents } from '../incidents/tables.ts';
import type { Environment } from '../lib/environment.ts';
import type { TimeRange } from '../lib/time/durations.ts';
import type { Db } from '../store/db.ts';
import { isAbout, mayCover } from '../watches/covers.ts';
import type { WatchFilter, WatchSettings } from '../watches/settings.ts';
import { happenedTo, messagesOf, type PreviewedMessage } from './preview-messages.ts';
import { incidentsAtThreshold } from './threshold.ts';

interface PreviewCtx {
  db: Db;
  environments: readonly Environment[];
  retentionDays: number;
  now: () => Date;
}

/** An incident that a watch would have told. */
interface PreviewedIncident {
  id: number;
  code: string;
  channel: string;
  provider: string | null;
  cause: string;
  failures: number;
  firstAt: Date;
}

/** What a watch would have been about. */
export interface Preview {
  range: TimeRange;
  incidents: readonly PreviewedIncident[];
  /** So many other incidents wouldn't have reached its threshold. */
  belowThreshold: number;
  messages: readonly PreviewedMessage[];
  /** Without a mention, what rings is a message like any other. */
  hasMention: boolean;
}

/** A preview looks back so far, as far as failures are kept. */
const MOST_DAYS = 7;

export async function previewWatch(ctx: PreviewCtx, settings: WatchSettings): Promise<Preview> {
  const { db, retentionDays } = ctx;
  const to = ctx.now();
  const since = subDays(to, Math.min(MOST_DAYS, retentionDays));
  const names = ctx.environments.map(({ name }) => name).filter((name) => isAbout(settings.filter, name));
  const ranges = (await db.select().from(environments))
    .filter(({ environment, checkedTo, coveredFrom }) => names.includes(environment) && checkedTo > coveredFrom)
    .map(({ environment, coveredFrom }) => ({ environment, from: max([since, coveredFrom]) }));
  const reached: CoveredIncident[] = [];
  let belowThreshold = 0;
  for (const { environment, from } of ranges) {
    const failed = await incidentsSince(db, environment, settings.filter, from);
    const ids = failed.map(({ id }) => id);
    const reachedIds = await incidentsAtThreshold(db, environment, ids, settings);
    reached.push(...failed.filter(({ id }) => reachedIds.has(id)));
    belowThreshold += failed.length - reachedIds.size;
  }
  const newestFirst = reached.toSorted((a, b) => compareDesc(a.firstAt, b.firstAt));
  const range = { from: min([to, ...ranges.map(({ from }) => from)]), to };
  const ids = reached.map(({ id }) => id);
  return {
    range,
    messages: messagesOf(await happenedTo(db, ids, range), settings).filter(({ at }) => at <= to),
    incidents: newestFirst.map(({ id, code, channel, provider, headline, causeText, failures, firstAt }) => {
      return { id, code, channel, provider, cause: headline ?? causeText, failures, firstAt };
    }),
    belowThreshold,
    hasMention: settings.mention !== null,
  };
}

/** An incident with what a filter covers of it. */
export interface CoveredIncident extends IncidentRow {
  failures: number;
  critical: boolean;
}

/** The incidents of which failures were recorded since that the filter covers; what isn't known by failures is covered as a whole. */
export async function incidentsSince(
  db: Db,
  environment: string,
  filter: WatchFilter,
  since: Date,
): Promise<readonly CoveredIncident[]> {
  const isRecent = and(eq(incidents.environment, environment), gte(incidents.lastRecordedAt, since));
  const recent = (await withOutbreaks(db, isRecent)).filter(({ incident }) => mayCover(filter, incident));
  const ranges = recent.map(({ incident: { id } }) => ({ id, from: null, to: null, recordedSince: since }));
  const matched = await matchedIn(db, environment, ranges, filter);
  return recent.flatMap(({ incident, outbreak }): CoveredIncident[] => {
    const whole = { failures: outbreak.failures, critical: outbreak.criticalSince !== null };
    const covered = incident.kind === 'failures' ? matched.get(incident.id)?.total : whole;
    return covered === undefined ? [] : [{ ...incident, failures: covered.failures, critical: covered.critical }];
  });
}
