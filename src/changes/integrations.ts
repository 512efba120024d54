import { boundedId } from '../lib/text/shown-id.ts';
import type { TimeRange } from '../lib/time/durations.ts';
import { serviceEnvironmentIdIn } from '../service/lists.ts';
import type { NotificationService } from '../service/operations.ts';
import type { Call } from '../service/query.ts';
import type { Ctx, Db } from '../store/db.ts';
import { lockKey } from '../store/kv.ts';
import type { EnvironmentChange } from './change.ts';
import { addChanges } from './changes.ts';
import {
  compareSnapshots,
  type IntegrationState,
  lastSnapshot,
  missingIn,
  putSnapshot,
  snapshotKey,
  stateOf,
} from './snapshots.ts';

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
  const listed = { serviceEnvironmentId, integrations, isWhole: unreadable.length === 0 };
  const changes = await db.transaction((tx) => noteIntegrations(tx, environment, listed, range));
  logger.debug({ environment, integrations: integrations.length, changes: changes.length }, 'Integrations read');
  for (const { id, what } of changes) logger.info({ environment, id, kind: what.kind }, 'Change noticed');
  return changes;
}

/** Integrations as the service lists them now. */
interface ListedIntegrations {
  serviceEnvironmentId: string;
  integrations: readonly IntegrationState[];
  /** All that is listed was readable. */
  isWhole: boolean;
}

/** `from` and `to`: when the service was asked, and when it had answered. */
export async function noteIntegrations(
  tx: Db,
  environment: string,
  { serviceEnvironmentId, integrations: listed, isWhole }: ListedIntegrations,
  { from, to }: TimeRange,
): Promise<readonly EnvironmentChange[]> {
  await lockKey(tx, snapshotKey(environment));
  const before = await lastSnapshot(tx, environment);
  const read = { serviceEnvironmentId: boundedId(serviceEnvironmentId), readAt: from };
  // A new API key may be another environment's, of which nothing was known.
  if (before?.serviceEnvironmentId !== read.serviceEnvironmentId) {
    await putSnapshot(tx, environment, { ...read, integrations: listed, since: from });
    return [];
  }
  if (before.readAt >= from) return [];
  // Unless the list is whole, what is missing may be unreadable: it stays.
  const integrations = isWhole ? listed : [...listed, ...missingIn(listed, before.integrations)];
  const changes = compareSnapshots(before.integrations, integrations);
  await putSnapshot(tx, environment, { ...read, integrations, since: before.since });
  const noted = changes.map((what) => ({ environment, at: to, notBefore: before.readAt, what }));
  return noted.length === 0 ? [] : addChanges(tx, noted);
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
