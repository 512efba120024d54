import { z } from 'zod';
import { boundedId, maskedId, maybeBoundedId, type StorableJson, storableText, stored } from '../lib/text/shown-id.ts';
import type { Integration } from '../service/lists.ts';
import { fields } from '../service/schema.ts';
import { StoredText, StoredTime } from '../store/columns.ts';
import type { Db } from '../store/db.ts';
import { getValue, putValue, renameKey } from '../store/kv.ts';
import type { IntegrationChange } from './change.ts';

/** An integration, without its credentials and addresses. */
const IntegrationState = z.object({
  ...fields(StoredText, 'key', 'name', 'channel', 'provider'),
  ...fields(z.boolean(), 'active', 'primary', 'deleted'),
  /** Fields that its conditions are about; null: it has none. */
  conditions: z.array(StoredText).nullable(),
  inboundWebhook: z.boolean().default(false),
  /** Snapshots of older versions have none. */
  identifier: StoredText.exactOptional(),
  /** Changes with its credentials; null: the server gives no mark. */
  credentialsMark: StoredText.nullable().default(null),
});
export type IntegrationState = z.output<typeof IntegrationState>;

/** An environment's integrations as they were last read. */
export const StoredSnapshot = z.object({
  serviceEnvironmentId: z.string(),
  integrations: z.array(IntegrationState).readonly(),
  /** When the environment was first read. */
  since: StoredTime,
  /** When it was last read. */
  readAt: StoredTime,
});
export type Snapshot = z.output<typeof StoredSnapshot>;

export const snapshotKey = (environment: string): `integrations:${string}` => `integrations:${environment}`;

/** Returns null until the environment's integrations were read. */
export const lastSnapshot = (tx: Db, environment: string): Promise<Snapshot | null> =>
  getValue(tx, snapshotKey(environment), StoredSnapshot);

export async function putSnapshot(tx: Db, environment: string, snapshot: StorableJson<Snapshot>): Promise<void> {
  await putValue(tx, snapshotKey(environment), { Value: StoredSnapshot, value: stored(snapshot) });
}

export async function renameSnapshot(tx: Db, from: string, to: string): Promise<void> {
  await renameKey(tx, snapshotKey(from), snapshotKey(to));
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

/** Those of `before` that `after` lacks. */
export function missingIn(
  after: readonly IntegrationState[],
  before: readonly IntegrationState[],
): readonly IntegrationState[] {
  const listed = new Set(after.map(({ key }) => key));
  return before.filter(({ key }) => !listed.has(key));
}

function changeOf(
  { name, identifier, channel, provider }: IntegrationState,
  aspects: readonly string[],
): StorableJson<IntegrationChange> {
  return { kind: 'integration', name, identifier, channel, provider, aspects: aspects.map(storableText) };
}

function aspectsOf(was: IntegrationState | undefined, now: IntegrationState): readonly string[] {
  if (was === undefined) return ['added'];
  const turned = (name: 'deleted' | 'active' | 'primary' | 'inboundWebhook', on: string, off: string) => {
    if (was[name] === now[name]) return null;
    return now[name] ? on : off;
  };
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
