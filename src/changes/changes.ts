import { subMilliseconds } from 'date-fns';
import { and, desc, eq, gt, gte, inArray, lt } from 'drizzle-orm';
import { z } from 'zod';
import { record } from '../audit/audit.ts';
import { redraw } from '../incidents/publish.ts';
import type { Logger } from '../lib/logger.ts';
import { MINUTE_MS } from '../lib/time/durations.ts';
import { CLOCK_TOLERANCE_MS } from '../lib/time/service-clock.ts';
import type { TimeRange } from '../lib/time/time-range.ts';
import type { TriggeredEvent } from '../service/event.ts';
import { type Integration, ownEnvironmentId } from '../service/integration.ts';
import type { Call, EventQuery, Page } from '../service/query.ts';
import { Count, type Db, jsonOf } from '../store/db.ts';
import { getValue, lockKey, putValue } from '../store/kv.ts';
import { changes as log } from '../store/schema.ts';
import { type EnvironmentChange, MAY_EXPLAIN_MS, NOTICED_AFTER_MS } from './change.ts';
import { compareReadings, type IntegrationState, type IntegrationsReading, stateOf } from './readings.ts';

const StoredReading = z.object({
  serviceEnvironmentId: z.string(),
  integrations: z.custom<readonly IntegrationState[]>(),
  since: z.coerce.date(),
  readAt: z.coerce.date(),
});

const readingKey = (environment: string) => `integrations:${environment}`;

function lastReading(tx: Db, environment: string) {
  return getValue(tx, readingKey(environment), StoredReading);
}

/** Returns the service's own ID of an environment as of its last reading; null before there is one. */
export async function serviceEnvironmentIdOf(tx: Db, environment: string): Promise<string | null> {
  return (await lastReading(tx, environment))?.serviceEnvironmentId ?? null;
}

/**
 * Replicas take turns. An environment's first reading, and one older than the last, records no changes; `from` and `to` are those of the
 * request.
 */
export async function noteIntegrations(
  tx: Db,
  environment: string,
  reading: IntegrationsReading & { readonly serviceEnvironmentId: string },
  { from, to }: TimeRange,
): Promise<readonly EnvironmentChange[]> {
  const { serviceEnvironmentId } = reading;
  const key = readingKey(environment);
  await lockKey(tx, key);
  const before = await lastReading(tx, environment);
  // A key for another environment means another environment, so nothing has changed in it.
  if (before?.serviceEnvironmentId !== serviceEnvironmentId) {
    await putValue(tx, key, { serviceEnvironmentId, integrations: reading.integrations, since: from, readAt: from });
    return [];
  }
  if (before.readAt >= from) return [];
  const { changes, integrations } = compareReadings(before.integrations, reading);
  await putValue(tx, key, { ...before, integrations, readAt: from });
  if (changes.length === 0) return [];
  return addChanges(
    tx,
    changes.map((what) => ({ environment, at: to, after: before.readAt, what })),
    to,
  );
}

export function changeOf({ notBefore: after, ...row }: typeof log.$inferSelect): EnvironmentChange {
  return { ...row, after };
}

/** A pipeline that lost the response retries within this time. */
const SAME_DEPLOY_MS = 10 * MINUTE_MS;

export interface ReportedDeploy {
  readonly environment: string;
  /** As returned by `deployName`. */
  readonly name: string;
  readonly by: { readonly userId: string; readonly channel: string | null } | null;
}

export interface DeployCtx {
  readonly db: Db;
  readonly wakeAnnouncing: () => Promise<void>;
  readonly logger: Logger;
  readonly now: () => Date;
}

/** False if it was recorded within the last minutes, so a pipeline's retries report one deploy. */
export async function noteDeploy(ctx: DeployCtx, deploy: ReportedDeploy): Promise<boolean> {
  const isNew = await ctx.db.transaction((tx) => recordDeploy(tx, deploy, ctx.now()));
  const { environment, by } = deploy;
  ctx.logger.info({ environment, by: by?.userId ?? null, isNew }, 'deploy reported');
  if (isNew) await ctx.wakeAnnouncing();
  return isNew;
}

/** With its audit entry. Two simultaneous reports take turns. */
async function recordDeploy(tx: Db, { environment, name, by }: ReportedDeploy, now: Date): Promise<boolean> {
  await noteNews(tx, [environment]);
  await tx.write('LOCK TABLE changes IN SHARE ROW EXCLUSIVE MODE');
  const what = { kind: 'deploy', name, by: by?.userId ?? null } as const;
  const isRecent = and(eq(log.environment, environment), gt(log.at, subMilliseconds(now, SAME_DEPLOY_MS)));
  const recent = await tx.select().from(log).where(isRecent);
  if (recent.some(({ what: known }) => known.kind === 'deploy' && known.name === name && known.by === what.by))
    return false;
  await addChanges(tx, [{ environment, at: now, after: null, what }], now);
  if (by === null) return true;
  await record(tx, { by: by.userId, now }, { channel: by.channel, environment, change: { action: 'deployed' } });
  return true;
}

export interface ChangesQuery {
  readonly since: Date;
  readonly environments: readonly string[];
  /** Limits the page to changes with a lower ID, to continue after the previous page. Null for the first page. */
  readonly olderThan: number | null;
  readonly limit: number;
}

interface Compared {
  readonly environment: string;
  readonly since: Date;
  readonly lastAt: Date;
}

export interface ChangesPage {
  readonly changes: readonly EnvironmentChange[];
  readonly hasOlder: boolean;
  /** An environment whose integrations haven't been read yet is missing. */
  readonly compared: readonly Compared[];
}

export async function changesSince(db: Db, query: ChangesQuery): Promise<ChangesPage> {
  const { since, environments, olderThan, limit } = query;
  const isOlder = olderThan === null ? undefined : lt(log.id, olderThan);
  const found = await db
    .select()
    .from(log)
    .where(and(gte(log.at, since), inArray(log.environment, [...environments]), isOlder))
    .orderBy(desc(log.id))
    .limit(limit + 1);
  const compared: Compared[] = [];
  for (const environment of environments.toSorted()) {
    const reading = await lastReading(db, environment);
    if (reading !== null) compared.push({ environment, since: reading.since, lastAt: reading.readAt });
  }
  return { changes: found.slice(0, limit).map(changeOf), hasOlder: found.length > limit, compared };
}

/** Records changes, with IDs that ascend in commit order, and redraws the posted messages whose rows they may explain. */
export async function addChanges(
  tx: Db,
  changes: readonly Omit<EnvironmentChange, 'id'>[],
  now: Date,
): Promise<readonly EnvironmentChange[]> {
  await noteNews(
    tx,
    changes.map(({ environment }) => environment),
  );
  await tx.write('LOCK TABLE changes IN SHARE ROW EXCLUSIVE MODE');
  const rows = changes.map(({ after: notBefore, ...change }) => ({ ...change, notBefore }));
  const added = (await tx.insert(log).values(rows).returning()).map(changeOf);
  for (const { environment, at, after } of added) {
    const from = subMilliseconds(at, NOTICED_AFTER_MS);
    const to = new Date((after ?? at).getTime() + MAY_EXPLAIN_MS);
    const explained = await tx.rows(IncidentRow, EXPLAINED, [environment, from, to]);
    await redraw(
      tx,
      explained.map(({ id }) => id),
      now,
    );
  }
  return added;
}

/** Locks the environments before the table of changes, in the same order as a poll that records changes. */
async function noteNews(tx: Db, environments: readonly string[]): Promise<void> {
  await tx.write('UPDATE environments SET news = news + 1 WHERE $1::jsonb ? environment', [jsonOf(environments)]);
}

const IncidentRow = z.object({ id: Count });

/** `datedAheadMs` in SQL. */
const AHEAD = `greatest(-${CLOCK_TOLERANCE_MS}, least(0, coalesce(c.clock_ahead_ms, 0))) * interval '1 millisecond'`;

/** The incidents that a change between $2 and $3, by our clock, may explain. */
const EXPLAINED = `
  SELECT i.id FROM incidents i JOIN environments c ON c.environment = i.environment
  WHERE i.environment = $1 AND i.started_at - ${AHEAD} BETWEEN $2 AND $3`;

export interface IntegrationReader {
  listIntegrations(call: Call): Promise<Page<Integration>>;
  listEvents(query: EventQuery, call: Call): Promise<Page<TriggeredEvent>>;
}

export interface ReadIntegrationsCtx {
  readonly db: Db;
  readonly service: IntegrationReader;
  readonly logger: Logger;
  readonly now: () => Date;
  readonly signal: AbortSignal;
}

/** If it isn't known which ones are the environment's, the newest event names it. Throws `ServiceError`. */
export async function readIntegrations(
  environment: string,
  { db, service, logger, now, signal }: ReadIntegrationsCtx,
): Promise<readonly EnvironmentChange[]> {
  const call: Call = { who: 'poller', signal };
  const from = now();
  const { items, unreadable } = await service.listIntegrations(call);
  const asked = { from, to: now() };
  const known = await serviceEnvironmentIdOf(db, environment);
  const isListed = items.some((item) => item.serviceEnvironmentId === known);
  const serviceEnvironmentId = isListed ? known : ownEnvironmentId(items, await namedByEvent(service, call));
  if (serviceEnvironmentId === null || items.length === 0) {
    logger.debug(
      { environment },
      'integrations not compared: none is listed, or no event says which are of this environment',
    );
    return [];
  }
  const integrations = items.filter((item) => item.serviceEnvironmentId === serviceEnvironmentId).map(stateOf);
  const reading = { serviceEnvironmentId, integrations, isWhole: unreadable.length === 0 };
  const changes = await db.transaction((tx) => noteIntegrations(tx, environment, reading, asked));
  logger.debug({ environment, integrations: integrations.length, changes: changes.length }, 'integrations read');
  for (const { id, what } of changes) logger.info({ environment, id, kind: what.kind }, 'change noticed');
  return changes;
}

/** Returns the service's ID of an environment, as its newest event names it; null if it has none. Throws `ServiceError`. */
export async function namedByEvent(service: Pick<IntegrationReader, 'listEvents'>, call: Call): Promise<string | null> {
  const { items } = await service.listEvents({ limit: 1 }, call);
  return items[0]?.serviceEnvironmentId ?? null;
}
