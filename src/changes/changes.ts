import { addMilliseconds, max, min, subMilliseconds } from 'date-fns';
import { and, between, desc, eq, gt, gte, inArray, lt } from 'drizzle-orm';
import { z } from 'zod';
import { type PageQuery, record } from '../audit/audit.ts';
import { notePending } from '../coverage/environments.ts';
import type { Storable } from '../lib/text/shown-id.ts';
import { MINUTE_MS } from '../lib/time/durations.ts';
import { CLOCK_TOLERANCE_MS } from '../lib/time/service-clock.ts';
import { redrawWhere } from '../outbox/messages.ts';
import { type Ctx, type Db, jsonOf } from '../store/db.ts';
import { getValue } from '../store/kv.ts';
import { changedBefore, type EnvironmentChange, type Explained, MAY_EXPLAIN_MS, NOTICED_AFTER_MS } from './change.ts';
import type { IntegrationState } from './integrations.ts';
import { changes as log } from './tables.ts';

const StoredSnapshot = z.object({
  serviceEnvironmentId: z.string(),
  integrations: z.custom<readonly IntegrationState[]>(),
  since: z.coerce.date(),
  readAt: z.coerce.date(),
});

export const snapshotKey = (environment: string) => `integrations:${environment}`;
export const lastSnapshot = (tx: Db, environment: string) => getValue(tx, snapshotKey(environment), StoredSnapshot);

/** A pipeline that lost the response retries within this time. */
const SAME_DEPLOY_MS = 10 * MINUTE_MS;

export interface ReportedDeploy {
  environment: string;
  name: Storable;
  actor: { userId: string; channel: string | null } | null;
}

export async function noteDeploy(
  { db, now, logger, wakeAnnouncing }: Ctx & { wakeAnnouncing: () => Promise<void> },
  deploy: ReportedDeploy,
) {
  const { environment, name, actor } = deploy;
  const what = { kind: 'deploy', name, actor: actor?.userId ?? null } as const;
  const at = now();
  const isNew = await db.transaction(async (tx) => {
    await lockChanges(tx, [environment]);
    const isRecent = gt(log.at, subMilliseconds(at, SAME_DEPLOY_MS));
    const isSame = and(eq(log.environment, environment), eq(log.what, what), isRecent);
    if ((await tx.select().from(log).where(isSame)).length > 0) return false;
    await addChanges(tx, [{ environment, at, after: null, what }], at);
    const change = { action: 'deployed' } as const;
    if (actor !== null)
      await record(tx, { actor: actor.userId, now: at }, { channel: actor.channel, environment, change });
    return true;
  });
  logger.info({ environment, actor: what.actor, isNew }, 'Deploy reported');
  if (isNew) await wakeAnnouncing();
  return isNew;
}

export type ChangesPage = Awaited<ReturnType<typeof changesSince>>;

export async function changesSince(db: Db, { since, environments, olderThan, limit }: PageQuery) {
  const isOlder = lt(log.id, olderThan ?? Number.MAX_SAFE_INTEGER);
  const isListed = and(gte(log.at, since), inArray(log.environment, [...environments]), isOlder);
  const newestFirst = db.select().from(log).where(isListed).orderBy(desc(log.id));
  const listed: EnvironmentChange[] = await newestFirst.limit(limit + 1);
  const snapshots = environments.map(async (name) => [name, await lastSnapshot(db, name)] as const);
  return {
    items: listed.slice(0, limit),
    hasOlder: listed.length > limit,
    snapshots: new Map(await Promise.all(snapshots)),
  };
}

export async function changesBefore(
  db: Db,
  explained: readonly (Explained & { id: number })[],
): Promise<ReadonlyMap<number, readonly EnvironmentChange[]>> {
  if (explained.length === 0) return new Map();
  const places = explained.map(({ environment }) => environment);
  const times = explained.map(({ firstFailureAt }) => firstFailureAt);
  const [from, to] = [subMilliseconds(min(times), MAY_EXPLAIN_MS), addMilliseconds(max(times), NOTICED_AFTER_MS)];
  const isNear = and(inArray(log.environment, places), between(log.at, from, to));
  const near = await db.select().from(log).where(isNear);
  return new Map(explained.map((incident) => [incident.id, changedBefore(near, incident)]));
}

/** Their IDs ascend in commit order. */
export async function addChanges(tx: Db, changes: readonly Omit<typeof log.$inferSelect, 'id'>[], now: Date) {
  const places = changes.map(({ environment }) => environment);
  await lockChanges(tx, places);
  const adding = tx.insert(log).values([...changes]);
  const added = await adding.returning();
  for (const environment of new Set(places)) await notePending(tx, environment);
  for (const { environment, at, after } of added) {
    const from = subMilliseconds(at, NOTICED_AFTER_MS + CLOCK_TOLERANCE_MS);
    const to = addMilliseconds(after ?? at, MAY_EXPLAIN_MS);
    await redrawWhere(tx, 'environment = $2 AND started_at BETWEEN $3 AND $4', [now, environment, from, to]);
  }
  return added;
}

/** Environments before the table, as a poll does, against deadlocks. */
async function lockChanges(tx: Db, environments: readonly string[]) {
  await tx.write('SELECT FROM environments WHERE $1::jsonb ? environment FOR UPDATE', [jsonOf(environments)]);
  await tx.write('LOCK TABLE changes IN SHARE ROW EXCLUSIVE MODE');
}
