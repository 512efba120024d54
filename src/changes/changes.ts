import { addMilliseconds, max, min, subMilliseconds } from 'date-fns';
import { and, between, desc, eq, gt, gte, inArray, lt } from 'drizzle-orm';
import { z } from 'zod';
import { type PageQuery, record } from '../audit/audit.ts';
import { redraw } from '../incidents/actions.ts';
import type { Ctx } from '../lib/ctx.ts';
import { boundedId, maskedId } from '../lib/text/shown-id.ts';
import { MINUTE_MS } from '../lib/time/durations.ts';
import { CLOCK_TOLERANCE_MS } from '../lib/time/service-clock.ts';
import type { TimeRange } from '../lib/time/time-range.ts';
import { type Integration, ownEnvironmentId } from '../service/lists.ts';
import type { NotificationService } from '../service/operations.ts';
import type { Call } from '../service/query.ts';
import { type Db, jsonOf } from '../store/db.ts';
import { getValue, lockKey, putValue } from '../store/kv.ts';
import { incidents, changes as log } from '../store/schema.ts';
import {
  changedBefore,
  type EnvironmentChange,
  type Explained,
  type IntegrationChange,
  MAY_EXPLAIN_MS,
  NOTICED_AFTER_MS,
  RENAMED,
} from './change.ts';

const StoredReading = z.object({
  serviceEnvironmentId: z.string(),
  integrations: z.custom<readonly IntegrationState[]>(),
  since: z.coerce.date(),
  readAt: z.coerce.date(),
});

const readingKey = (environment: string) => `integrations:${environment}`;

export function lastReading(tx: Db, environment: string) {
  return getValue(tx, readingKey(environment), StoredReading);
}

/** A first reading, and one older than the last, records no changes. */
export async function noteIntegrations(
  tx: Db,
  environment: string,
  { serviceEnvironmentId, ...reading }: IntegrationsReading & { serviceEnvironmentId: string },
  { from, to }: TimeRange,
): Promise<readonly EnvironmentChange[]> {
  const key = readingKey(environment);
  await lockKey(tx, key);
  const before = await lastReading(tx, environment);
  // A key for another environment: nothing has changed in it.
  if (before?.serviceEnvironmentId !== serviceEnvironmentId) {
    await putValue(tx, key, { serviceEnvironmentId, integrations: reading.integrations, since: from, readAt: from });
    return [];
  }
  if (before.readAt >= from) return [];
  const changes = compareReadings(before.integrations, reading);
  await putValue(tx, key, { ...before, integrations: reading.integrations, readAt: from });
  const noted = changes.map((what) => ({ environment, at: to, after: before.readAt, what }));
  return noted.length === 0 ? [] : addChanges(tx, noted, to);
}

/** A pipeline that lost the response retries within this time. */
const SAME_DEPLOY_MS = 10 * MINUTE_MS;

export interface ReportedDeploy {
  environment: string;
  name: string;
  by: { userId: string; channel: string | null } | null;
}

export async function noteDeploy(
  { db, now, logger, wakeAnnouncing }: Ctx & { wakeAnnouncing: () => Promise<void> },
  deploy: ReportedDeploy,
) {
  const { environment, name, by } = deploy;
  const what = { kind: 'deploy', name, by: by?.userId ?? null } as const;
  const at = now();
  const isNew = await db.transaction(async (tx) => {
    await lockChanges(tx, [environment]);
    const isRecent = and(eq(log.environment, environment), gt(log.at, subMilliseconds(at, SAME_DEPLOY_MS)));
    const recent = await tx.select().from(log).where(isRecent);
    if (recent.some(({ what: known }) => known.kind === 'deploy' && known.name === name && known.by === what.by))
      return false;
    await addChanges(tx, [{ environment, at, after: null, what }], at);
    const change = { action: 'deployed' } as const;
    if (by !== null) await record(tx, { by: by.userId, now: at }, { channel: by.channel, environment, change });
    return true;
  });
  logger.info({ environment, by: what.by, isNew }, 'deploy reported');
  if (isNew) await wakeAnnouncing();
  return isNew;
}

export type ChangesPage = Awaited<ReturnType<typeof changesSince>>;

export async function changesSince(db: Db, query: PageQuery) {
  const { since, environments, olderThan, limit } = query;
  const isOlder = olderThan === null ? undefined : lt(log.id, olderThan);
  const found = await db
    .select()
    .from(log)
    .where(and(gte(log.at, since), inArray(log.environment, [...environments]), isOlder))
    .orderBy(desc(log.id))
    .limit(limit + 1);
  const readings = environments.map(async (name) => [name, await lastReading(db, name)] as const);
  return {
    changes: found.slice(0, limit),
    hasOlder: found.length > limit,
    readings: new Map(await Promise.all(readings)),
  };
}

export async function changesBefore(
  db: Db,
  explained: readonly (Explained & { id: number })[],
): Promise<ReadonlyMap<number, EnvironmentChange>> {
  if (explained.length === 0) return new Map();
  const places = explained.map(({ environment }) => environment);
  const times = explained.map(({ firstFailureAt }) => firstFailureAt);
  const [from, to] = [subMilliseconds(min(times), MAY_EXPLAIN_MS), addMilliseconds(max(times), NOTICED_AFTER_MS)];
  const isNear = and(inArray(log.environment, places), between(log.at, from, to));
  const near = await db.select().from(log).where(isNear);
  return new Map(
    explained.flatMap((incident) => {
      const change = changedBefore(near, incident);
      return change === null ? [] : [[incident.id, change]];
    }),
  );
}

/** Their IDs ascend in commit order. */
export async function addChanges(tx: Db, changes: readonly Omit<EnvironmentChange, 'id'>[], now: Date) {
  const places = changes.map(({ environment }) => environment);
  await lockChanges(tx, places);
  const added = await tx
    .insert(log)
    .values([...changes])
    .returning();
  for (const { environment, at, after } of added) {
    // A service's clock may be off.
    const from = subMilliseconds(at, NOTICED_AFTER_MS + CLOCK_TOLERANCE_MS);
    const isNear = between(incidents.startedAt, from, addMilliseconds(after ?? at, MAY_EXPLAIN_MS));
    const isThere = eq(incidents.environment, environment);
    const explained = await tx.select({ id: incidents.id }).from(incidents).where(and(isThere, isNear));
    const ids = explained.map(({ id }) => id);
    await redraw(tx, ids, now);
  }
  return added;
}

/** In the order of a poll: environments before the table. */
async function lockChanges(tx: Db, environments: readonly string[]): Promise<void> {
  await tx.write('UPDATE environments SET news = news + 1 WHERE $1::jsonb ? environment', [jsonOf(environments)]);
  await tx.write('LOCK TABLE changes IN SHARE ROW EXCLUSIVE MODE');
}

/** Only if it is known which are the environment's. */
export async function readIntegrations(
  { db, serviceOf, logger, now }: Ctx & { serviceOf: (environment: string) => NotificationService },
  environment: string,
  signal: AbortSignal,
): Promise<readonly EnvironmentChange[]> {
  const service = serviceOf(environment);
  const call: Call = { who: 'poller', signal };
  const from = now();
  const { items, unreadable } = await service.listIntegrations(call);
  const range = { from, to: now() };
  const known = (await lastReading(db, environment))?.serviceEnvironmentId ?? null;
  const isListed = items.some((item) => item.serviceEnvironmentId === known);
  const serviceEnvironmentId = isListed ? known : ownEnvironmentId(items, await namedByEvent(service, call));
  const integrations = items.filter((item) => item.serviceEnvironmentId === serviceEnvironmentId).map(stateOf);
  if (serviceEnvironmentId === null || integrations.length === 0) return [];
  const reading = { serviceEnvironmentId, integrations, isWhole: unreadable.length === 0 };
  const changes = await db.transaction((tx) => noteIntegrations(tx, environment, reading, range));
  logger.debug({ environment, integrations: integrations.length, changes: changes.length }, 'integrations read');
  for (const { id, what } of changes) logger.info({ environment, id, kind: what.kind }, 'change noticed');
  return changes;
}

export async function namedByEvent(service: NotificationService, call: Call): Promise<string | null> {
  const { items } = await service.listEvents({ limit: 1 }, call);
  return items[0]?.serviceEnvironmentId ?? null;
}

export type IntegrationState = ReturnType<typeof stateOf>;

export function stateOf(integration: Integration) {
  const { id, identifier, name, channel, provider, active, primary, deleted } = integration;
  return {
    ...{ channel, provider, active, primary, deleted },
    key: boundedId(id ?? identifier),
    name: maskedId(name),
    conditions: integration.hasConditions ? integration.conditionFields.map(String).sort() : null,
    inboundWebhook: integration.inboundWebhook ?? false,
  };
}

export interface IntegrationsReading {
  integrations: readonly IntegrationState[];
  isWhole: boolean;
}

/** A missing one may be unreadable, unless the list is whole. */
export function compareReadings(
  before: readonly IntegrationState[],
  { integrations: after, isWhole }: IntegrationsReading,
): IntegrationChange[] {
  const known = new Map(before.map((integration) => [integration.key, integration]));
  const missing = before.filter(({ key }) => isWhole && after.every((listed) => listed.key !== key));
  const changes = [
    ...after.map((now) => changeOf(now, aspectsOf(known.get(now.key), now))),
    ...missing.map((integration) => changeOf(integration, ['removed'])),
  ];
  return changes.filter(({ aspects }) => aspects.length > 0);
}

function changeOf({ name, channel, provider }: IntegrationState, aspects: readonly string[]): IntegrationChange {
  return { kind: 'integration', name, channel, provider, aspects };
}

function aspectsOf(was: IntegrationState | undefined, now: IntegrationState): string[] {
  if (was === undefined) return ['added'];
  const turned = (name: 'deleted' | 'active' | 'primary' | 'inboundWebhook', on: string, off: string) =>
    was[name] === now[name] ? null : now[name] ? on : off;
  return [
    turned('deleted', 'deleted', 'restored'),
    turned('active', 'activated', 'deactivated'),
    turned('primary', 'made primary', 'no longer primary'),
    was.provider === now.provider && was.channel === now.channel ? null : 'provider changed',
    JSON.stringify(was.conditions) === JSON.stringify(now.conditions) ? null : 'conditions changed',
    turned('inboundWebhook', 'webhook on', 'webhook off'),
    was.name === now.name ? null : `${RENAMED} from ${was.name}`,
  ].filter((aspect) => aspect !== null);
}
