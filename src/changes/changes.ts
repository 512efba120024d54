import { addMilliseconds, max, min, subMilliseconds } from 'date-fns';
import { and, between, desc, eq, gt, gte, inArray, lt, sql } from 'drizzle-orm';
import { z } from 'zod';
import { type PageQuery, record } from '../audit/audit.ts';
import { nextVersion } from '../coverage/environment-lock.ts';
import { type Storable, stored } from '../lib/text/shown-id.ts';
import { MINUTE_MS } from '../lib/time/durations.ts';
import { type Ctx, type Db, textList } from '../store/db.ts';
import {
  changedBefore,
  type EnvironmentChange,
  type ExplainedIncident,
  MAY_EXPLAIN_MS,
  NOTICED_AFTER_MS,
} from './change.ts';
import { lastSnapshot, type Snapshot } from './snapshots.ts';
import { type ChangeRow, changes as table } from './tables.ts';

/** A pipeline that lost the response retries within this time. */
const SAME_DEPLOY_MS = 10 * MINUTE_MS;

export interface ReportedDeploy {
  environment: string;
  name: Storable;
  /** Who reported it, and where; null: a pipeline did. */
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

/** Without those that can't be read, as of a newer version. */
export const readable = (rows: readonly ChangeRow[]): EnvironmentChange[] =>
  rows.flatMap(({ what, ...row }) => (what === null ? [] : [{ ...row, what }]));

export interface ChangesPage {
  items: readonly EnvironmentChange[];
  hasOlder: boolean;
  /** The integrations of each environment; null: they weren't read yet. */
  snapshots: ReadonlyMap<string, Snapshot | null>;
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

/** What may explain each incident, by its number. */
export async function changesBefore(
  db: Db,
  explained: readonly (ExplainedIncident & { id: number })[],
): Promise<ReadonlyMap<number, readonly EnvironmentChange[]>> {
  if (explained.length === 0) return new Map();
  const places = explained.map(({ environment }) => environment);
  const times = explained.map(({ firstFailureAt }) => firstFailureAt);
  const from = subMilliseconds(min(times), MAY_EXPLAIN_MS);
  const to = addMilliseconds(max(times), NOTICED_AFTER_MS);
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
