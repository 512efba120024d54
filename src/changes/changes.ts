import { addMilliseconds, max, min, subMilliseconds } from 'date-fns';
import { and, between, desc, eq, gt, gte, inArray, lt, sql } from 'drizzle-orm';
import { z } from 'zod';
import { type PageQuery, record } from '../audit/audit.ts';
import { nextVersion } from '../coverage/environment-lock.ts';
import {
  boundedId,
  maskedId,
  maybeBoundedId,
  type Storable,
  type StorableJson,
  storableText,
  stored,
} from '../lib/text/shown-id.ts';
import { MINUTE_MS, type TimeRange } from '../lib/time/durations.ts';
import { type Integration, serviceEnvironmentIdIn } from '../service/lists.ts';
import type { NotificationService } from '../service/operations.ts';
import type { Call } from '../service/query.ts';
import { fields } from '../service/schema.ts';
import { StoredText, StoredTime } from '../store/columns.ts';
import { type Ctx, type Db, textList } from '../store/db.ts';
import { getValue, lockKey, putValue, renameKey } from '../store/kv.ts';
import {
  changedBefore,
  type EnvironmentChange,
  type ExplainedIncident,
  type IntegrationChange,
  MAY_EXPLAIN_MS,
  NOTICED_AFTER_MS,
} from './change.ts';
import { type ChangeRow, changes as table } from './tables.ts';

const IntegrationState = z.object({
  ...fields(StoredText, 'key', 'name', 'channel', 'provider'),
  ...fields(z.boolean(), 'active', 'primary', 'deleted'),
  conditions: z.array(StoredText).nullable(),
  inboundWebhook: z.boolean().default(false),
  /** Older snapshots have none. */
  identifier: StoredText.exactOptional(),
  credentialsMark: StoredText.nullable().default(null),
});
export type IntegrationState = z.output<typeof IntegrationState>;

export const StoredSnapshot = z.object({
  serviceEnvironmentId: z.string(),
  integrations: z.array(IntegrationState),
  since: StoredTime,
  readAt: StoredTime,
});

const snapshotKey = (environment: string) => `integrations:${environment}` as const;
export type LastSnapshot = z.output<typeof StoredSnapshot>;

export async function renameSnapshot(tx: Db, from: string, to: string): Promise<void> {
  await renameKey(tx, snapshotKey(from), snapshotKey(to));
}

export const lastSnapshot = (tx: Db, environment: string): Promise<LastSnapshot | null> =>
  getValue(tx, snapshotKey(environment), StoredSnapshot);

/** A pipeline that lost the response retries within this time. */
const SAME_DEPLOY_MS = 10 * MINUTE_MS;

export interface ReportedDeploy {
  environment: string;
  name: Storable;
  actor: { userId: string; channel: string | null } | null;
}

/** Returns false if it was reported before. */
export async function noteDeploy(
  { db, now, logger, wakeAnnouncing }: Ctx & { wakeAnnouncing: () => Promise<void> },
  { environment, name, actor }: ReportedDeploy,
): Promise<boolean> {
  const what = { kind: 'deploy', name, actor: actor?.userId ?? null } as const;
  const at = now();
  const isNew = await db.transaction(async (tx) => {
    await lockChanges(tx, [environment]);
    const isRecent = gt(table.at, subMilliseconds(at, SAME_DEPLOY_MS));
    const isSame = and(eq(table.environment, environment), eq(table.what, what), isRecent);
    if ((await tx.select().from(table).where(isSame)).length > 0) return false;
    await addChanges(tx, [{ environment, at, notBefore: null, what }]);
    const change = stored({ action: 'deployed', name });
    if (actor !== null)
      await record(tx, { actor: actor.userId, now: at }, { channel: actor.channel, environment, change });
    return true;
  });
  logger.info({ environment, actor: what.actor, isNew }, 'Deploy reported');
  if (isNew) await wakeAnnouncing();
  return isNew;
}

export const readable = (rows: readonly ChangeRow[]): EnvironmentChange[] =>
  rows.flatMap(({ what, ...row }) => (what === null ? [] : [{ ...row, what }]));

export interface ChangesPage {
  items: readonly EnvironmentChange[];
  hasOlder: boolean;
  /** By environment; null: its integrations weren't read yet. */
  snapshots: ReadonlyMap<string, LastSnapshot | null>;
}

export async function changesSince(db: Db, { since, environments, olderThan, limit }: PageQuery): Promise<ChangesPage> {
  const isOlder = lt(table.id, olderThan ?? Number.MAX_SAFE_INTEGER);
  const isListed = and(gte(table.at, since), inArray(table.environment, [...environments]), isOlder);
  const newestFirst = db.select().from(table).where(isListed).orderBy(desc(table.id));
  const listed = await newestFirst.limit(limit + 1);
  const snapshots = environments.map(async (name) => [name, await lastSnapshot(db, name)] as const);
  return {
    items: readable(listed.slice(0, limit)),
    hasOlder: listed.length > limit,
    snapshots: new Map(await Promise.all(snapshots)),
  };
}

export async function changesBefore(
  db: Db,
  explained: readonly (ExplainedIncident & { id: number })[],
): Promise<ReadonlyMap<number, readonly EnvironmentChange[]>> {
  if (explained.length === 0) return new Map();
  const places = explained.map(({ environment }) => environment);
  const times = explained.map(({ firstFailureAt }) => firstFailureAt);
  const [from, to] = [subMilliseconds(min(times), MAY_EXPLAIN_MS), addMilliseconds(max(times), NOTICED_AFTER_MS)];
  const isNear = and(inArray(table.environment, places), between(table.at, from, to));
  const near = readable(await db.select().from(table).where(isNear));
  return new Map(explained.map((incident) => [incident.id, changedBefore(near, incident)]));
}

export async function changesWithIds(db: Db, ids: readonly number[]): Promise<readonly EnvironmentChange[]> {
  const isNamed = inArray(table.id, [...ids]);
  return readable(await db.select().from(table).where(isNamed));
}

const WorkflowChangedRow = z.object({ identifier: z.string(), at: z.date() });

/** When each workflow was last seen changed, by its identifier. */
export async function workflowsChanged(db: Db, environment: string): Promise<ReadonlyMap<string, Date>> {
  const rows = await db.rows(
    WorkflowChangedRow,
    sql`
      SELECT what ->> 'identifier' AS identifier, max(at) AS at
      FROM changes
      WHERE environment = ${environment}
        AND what ->> 'kind' = 'workflow'
      GROUP BY 1`,
  );
  return new Map(rows.map(({ identifier, at }) => [identifier, at]));
}

/** Changes' IDs ascend in commit order. */
export async function addChanges(tx: Db, changes: readonly Omit<ChangeRow, 'id'>[]): Promise<EnvironmentChange[]> {
  const places = changes.map(({ environment }) => environment);
  await lockChanges(tx, places);
  const added = await tx
    .insert(table)
    .values([...changes])
    .returning();
  for (const environment of new Set(places)) await nextVersion(tx, environment);
  return readable(added);
}

/** Locks environments before the table, as a poll does, against deadlocks. */
async function lockChanges(tx: Db, environments: readonly string[]): Promise<void> {
  await tx.write(sql`SELECT FROM environments WHERE environment IN ${textList(environments)} FOR UPDATE`);
  await tx.write(sql`LOCK TABLE changes IN SHARE ROW EXCLUSIVE MODE`);
}

/** Does nothing until it is known which integrations are the environment's. */
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
  const known = (await lastSnapshot(db, environment))?.serviceEnvironmentId ?? null;
  const isListed = items.some((item) => item.serviceEnvironmentId === known);
  const serviceEnvironmentId = isListed
    ? known
    : serviceEnvironmentIdIn(items, await environmentIdOfNewestEvent(service, call));
  const integrations = items.filter((item) => item.serviceEnvironmentId === serviceEnvironmentId).map(stateOf);
  if (serviceEnvironmentId === null) return [];
  // Only a known environment can have lost its last integration.
  if (integrations.length === 0 && serviceEnvironmentId !== known) return [];
  const snapshot = { serviceEnvironmentId, integrations, isWhole: unreadable.length === 0 };
  const changes = await db.transaction((tx) => noteIntegrations(tx, environment, snapshot, range));
  logger.debug({ environment, integrations: integrations.length, changes: changes.length }, 'Integrations read');
  for (const { id, what } of changes) logger.info({ environment, id, kind: what.kind }, 'Change noticed');
  return changes;
}

/** Returns null until the environment's integrations were read. */
export async function environmentWithId(
  { db, environments }: { db: Db; environments: readonly { name: string }[] },
  serviceEnvironmentId: string | null,
): Promise<string | null> {
  if (serviceEnvironmentId === null) return null;
  for (const { name } of environments)
    if ((await lastSnapshot(db, name))?.serviceEnvironmentId === serviceEnvironmentId) return name;
  return null;
}

export async function environmentIdOfNewestEvent(
  service: Pick<NotificationService, 'listEvents'>,
  call: Call,
): Promise<string | null> {
  const { items } = await service.listEvents({ limit: 1 }, call);
  return items[0]?.serviceEnvironmentId ?? null;
}

export function stateOf(integration: Integration): IntegrationState {
  const { id, identifier, name, channel, provider, active, primary, deleted } = integration;
  return {
    channel: boundedId(channel),
    provider: boundedId(provider),
    active,
    primary,
    deleted,
    key: boundedId(id ?? identifier),
    name: maskedId(name),
    identifier: maskedId(identifier),
    conditions: integration.hasConditions ? integration.conditionFields.map(String).map(storableText).sort() : null,
    inboundWebhook: integration.inboundWebhook ?? false,
    credentialsMark: maybeBoundedId(integration.credentialsMark),
  };
}

function missingIn(
  after: readonly IntegrationState[],
  before: readonly IntegrationState[],
): readonly IntegrationState[] {
  const listed = new Set(after.map(({ key }) => key));
  return before.filter(({ key }) => !listed.has(key));
}

export function compareSnapshots(
  before: readonly IntegrationState[],
  after: readonly IntegrationState[],
): readonly StorableJson<IntegrationChange>[] {
  const known = new Map(before.map((integration) => [integration.key, integration]));
  const changes = [
    ...after.map((now) => changeOf(now, aspectsOf(known.get(now.key), now))),
    ...missingIn(after, before).map((integration) => changeOf(integration, ['removed'])),
  ];
  return changes.filter(({ aspects }) => aspects.length > 0);
}

function changeOf(
  { name, identifier, channel, provider }: IntegrationState,
  aspects: readonly string[],
): StorableJson<IntegrationChange> {
  return { kind: 'integration', name, identifier, channel, provider, aspects: aspects.map(storableText) };
}

function aspectsOf(was: IntegrationState | undefined, now: IntegrationState): readonly string[] {
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
    isRotated(was, now) ? 'credentials changed' : null,
    was.name === now.name ? null : `renamed from ${was.name}`,
  ].filter((aspect) => aspect !== null);
}

/** A version before, or another kind of server, gives no mark. */
const isRotated = (was: IntegrationState, now: IntegrationState): boolean =>
  was.credentialsMark !== null && now.credentialsMark !== null && was.credentialsMark !== now.credentialsMark;

interface Snapshot {
  serviceEnvironmentId: string;
  integrations: readonly IntegrationState[];
  isWhole: boolean;
}

export async function noteIntegrations(
  tx: Db,
  environment: string,
  { serviceEnvironmentId, integrations: listed, isWhole }: Snapshot,
  { from, to }: TimeRange,
): Promise<readonly EnvironmentChange[]> {
  const key = snapshotKey(environment);
  await lockKey(tx, key);
  const before = await lastSnapshot(tx, environment);
  const snapshot = { serviceEnvironmentId: boundedId(serviceEnvironmentId), readAt: from };
  // A new API key may be another environment's, of which nothing was known.
  if (before?.serviceEnvironmentId !== snapshot.serviceEnvironmentId) {
    await putValue(tx, key, {
      Value: StoredSnapshot,
      value: stored({ ...snapshot, integrations: listed, since: from }),
    });
    return [];
  }
  if (before.readAt >= from) return [];
  // Unless the list is whole, what is missing may be unreadable: it stays.
  const integrations = isWhole ? listed : [...listed, ...missingIn(listed, before.integrations)];
  const changes = compareSnapshots(before.integrations, integrations);
  await putValue(tx, key, { Value: StoredSnapshot, value: stored({ ...snapshot, integrations, since: before.since }) });
  const noted = changes.map((what) => ({ environment, at: to, notBefore: before.readAt, what }));
  return noted.length === 0 ? [] : addChanges(tx, noted);
}
