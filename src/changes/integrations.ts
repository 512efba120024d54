import { boundedId, maskedId, storableText, stored } from '../lib/text/shown-id.ts';
import type { TimeRange } from '../lib/time/durations.ts';
import { type Integration, serviceEnvironmentIdIn } from '../service/lists.ts';
import type { NotificationService } from '../service/operations.ts';
import type { Call } from '../service/query.ts';
import type { Ctx, Db } from '../store/db.ts';
import { lockKey, putValue } from '../store/kv.ts';
import { type EnvironmentChange, RENAMED } from './change.ts';
import { addChanges, lastSnapshot, snapshotKey } from './changes.ts';

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
  const serviceEnvironmentId = isListed ? known : serviceEnvironmentIdIn(items, await namedByEvent(service, call));
  const integrations = items.filter((item) => item.serviceEnvironmentId === serviceEnvironmentId).map(stateOf);
  if (serviceEnvironmentId === null) return [];
  // An environment that is known has lost its last integration; of another, too little is known.
  if (integrations.length === 0 && serviceEnvironmentId !== known) return [];
  const snapshot = { serviceEnvironmentId, integrations, isWhole: unreadable.length === 0 };
  const changes = await db.transaction((tx) => noteIntegrations(tx, environment, snapshot, range));
  logger.debug({ environment, integrations: integrations.length, changes: changes.length }, 'Integrations read');
  for (const { id, what } of changes) logger.info({ environment, id, kind: what.kind }, 'Change noticed');
  return changes;
}

/** Null until the environment's integrations were read. */
export async function environmentWithId(
  { db, environments }: { db: Db; environments: readonly { name: string }[] },
  serviceEnvironmentId: string | null,
): Promise<string | null> {
  if (serviceEnvironmentId === null) return null;
  const snapshots = await Promise.all(environments.map(({ name }) => lastSnapshot(db, name)));
  const at = snapshots.findIndex((snapshot) => snapshot?.serviceEnvironmentId === serviceEnvironmentId);
  return environments[at]?.name ?? null;
}

export async function namedByEvent(service: NotificationService, call: Call): Promise<string | null> {
  const { items } = await service.listEvents({ limit: 1 }, call);
  return items[0]?.serviceEnvironmentId ?? null;
}

export type IntegrationState = ReturnType<typeof stateOf>;

export function stateOf(integration: Integration) {
  const { id, identifier, name, channel, provider, active, primary, deleted } = integration;
  return {
    channel: boundedId(channel),
    provider: boundedId(provider),
    active,
    primary,
    deleted,
    key: boundedId(id ?? identifier),
    name: maskedId(name),
    conditions: integration.hasConditions ? integration.conditionFields.map(String).map(storableText).sort() : null,
    inboundWebhook: integration.inboundWebhook ?? false,
  };
}

function missingIn(after: readonly IntegrationState[], before: readonly IntegrationState[]) {
  return before.filter(({ key }) => after.every((listed) => listed.key !== key));
}

export function compareSnapshots(before: readonly IntegrationState[], after: readonly IntegrationState[]) {
  const known = new Map(before.map((integration) => [integration.key, integration]));
  const changes = [
    ...after.map((now) => changeOf(now, aspectsOf(known.get(now.key), now))),
    ...missingIn(after, before).map((integration) => changeOf(integration, ['removed'])),
  ];
  return changes.filter(({ aspects }) => aspects.length > 0);
}

function changeOf({ name, channel, provider }: IntegrationState, aspects: readonly string[]) {
  return { kind: 'integration', name, channel, provider, aspects: aspects.map(storableText) } as const;
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

interface Snapshot {
  serviceEnvironmentId: string;
  integrations: readonly IntegrationState[];
  isWhole: boolean;
}

/** A first snapshot, and one older than the last, records no changes. */
export async function noteIntegrations(
  tx: Db,
  environment: string,
  { serviceEnvironmentId, integrations: listed, isWhole }: Snapshot,
  { from, to }: TimeRange,
): Promise<readonly EnvironmentChange[]> {
  const key = snapshotKey(environment);
  await lockKey(tx, key);
  const before = await lastSnapshot(tx, environment);
  const kept = { serviceEnvironmentId: boundedId(serviceEnvironmentId), readAt: from };
  // With the key of another environment, nothing has changed in it.
  if (before?.serviceEnvironmentId !== kept.serviceEnvironmentId) {
    await putValue(tx, key, stored({ ...kept, integrations: listed, since: from }));
    return [];
  }
  if (before.readAt >= from) return [];
  // Unless the list is whole, what is missing may be unreadable: it stays as it was.
  const integrations = isWhole ? listed : [...listed, ...missingIn(listed, before.integrations)];
  const changes = compareSnapshots(before.integrations, integrations);
  await putValue(tx, key, stored({ ...kept, integrations, since: before.since }));
  const noted = changes.map((what) => ({ environment, at: to, after: before.readAt, what }));
  return noted.length === 0 ? [] : addChanges(tx, noted, to);
}
