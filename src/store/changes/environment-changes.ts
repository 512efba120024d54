import { subMilliseconds } from 'date-fns';
import { z } from 'zod';
import { type EnvironmentChange, INTEGRATION_ASPECTS, WORKFLOW_ASPECTS } from '../../domain/changes/change.ts';
import { MAY_EXPLAIN_MS, NOTICED_AFTER_MS } from '../../domain/changes/changed-before.ts';
import { compareReadings } from '../../domain/changes/integration-readings.ts';
import { redraw } from '../../incidents/publish.ts';
import type { ChangesList, ChangesPage, ChangesQuery } from '../../use-cases/changes/list-changes.ts';
import type { DeployStore, ReportedDeploy } from '../../use-cases/changes/note-deploy.ts';
import type { IntegrationsStore } from '../../use-cases/changes/read-integrations.ts';
import { type Database, jsonOf, type Sql, type SqlRows, type SqlWrite } from '../database/database.ts';
import { datedAt } from '../database/dated-at.ts';
import { Count } from '../database/row.ts';
import { getValue, lockKey, putValue } from '../kv.ts';
import { record } from './audited.ts';

export function environmentChanges(database: Database): IntegrationsStore & DeployStore & ChangesList {
  return {
    serviceEnvironmentId: async (environment) =>
      (await lastReading(database, environment))?.serviceEnvironmentId ?? null,
    noteIntegrations: (environment, reading, asked) =>
      database.withTransaction((sql) => noteIntegrations(sql, environment, reading, asked)),
    noteDeploy: (deploy, now) => database.withTransaction((sql) => noteDeploy(sql, deploy, now)),
    changesSince: (query) => changesSince(database, query),
  };
}

const StoredIntegrations = z.array(
  z.object({
    key: z.string(),
    name: z.string(),
    channel: z.string(),
    provider: z.string(),
    active: z.boolean(),
    primary: z.boolean(),
    deleted: z.boolean(),
    conditions: z.array(z.string()).nullable(),
    inboundWebhook: z.boolean(),
  }),
);

const StoredReading = z.object({
  serviceEnvironmentId: z.string(),
  integrations: StoredIntegrations,
  since: z.coerce.date(),
  readAt: z.coerce.date(),
});

const readingKey = (environment: string) => `integrations:${environment}`;

function lastReading(sql: SqlRows, environment: string) {
  return getValue(sql, readingKey(environment), StoredReading);
}

type NoteIntegrations = Parameters<IntegrationsStore['noteIntegrations']>;

/** Replicas take turns. */
async function noteIntegrations(
  sql: Sql,
  environment: NoteIntegrations[0],
  reading: NoteIntegrations[1],
  { from, to }: NoteIntegrations[2],
): Promise<readonly EnvironmentChange[]> {
  const { serviceEnvironmentId } = reading;
  const key = readingKey(environment);
  await lockKey(sql, key);
  const before = await lastReading(sql, environment);
  // A key for another environment means another environment, so nothing has changed in it.
  if (before?.serviceEnvironmentId !== serviceEnvironmentId) {
    await putValue(sql, key, { serviceEnvironmentId, integrations: reading.integrations, since: from, readAt: from });
    return [];
  }
  if (before.readAt >= from) return [];
  const { changes, integrations } = compareReadings(before.integrations, reading);
  await putValue(sql, key, { ...before, integrations, readAt: from });
  if (changes.length === 0) return [];
  return addChanges(
    sql,
    changes.map((what) => ({ environment, at: to, after: before.readAt, what })),
    to,
  );
}

const StoredChanged = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('integration'),
    name: z.string(),
    channel: z.string(),
    provider: z.string(),
    aspects: z.array(z.enum(INTEGRATION_ASPECTS)),
    earlierName: z.string().nullable(),
  }),
  z.object({
    kind: z.literal('workflow'),
    identifier: z.string(),
    name: z.string(),
    aspects: z.array(z.enum(WORKFLOW_ASPECTS)),
  }),
  z.object({ kind: z.literal('deploy'), name: z.string(), by: z.string().nullable() }),
]);

export const ChangeColumns = z.object({
  id: Count,
  environment: z.string(),
  at: z.date(),
  not_before: z.date().nullable(),
  what: StoredChanged,
});

export function changeOf({ not_before: after, ...row }: z.output<typeof ChangeColumns>): EnvironmentChange {
  const { id, environment, at, what } = row;
  return { id, environment, at, after, what };
}

/** A pipeline that lost the response retries within this time. */
const SAME_DEPLOY = '10 minutes';

/** Two simultaneous reports take turns. */
async function noteDeploy(sql: Sql, { environment, name, by }: ReportedDeploy, now: Date): Promise<boolean> {
  await noteNews(sql, [environment]);
  await sql.write('LOCK TABLE changes IN SHARE ROW EXCLUSIVE MODE');
  const what = { kind: 'deploy', name, by: by?.userId ?? null } as const;
  const [same] = await sql.rows(
    z.object({ id: Count }),
    `SELECT id FROM changes WHERE environment = $1 AND at > $3::timestamptz - interval '${SAME_DEPLOY}' AND what = $2::jsonb`,
    [environment, jsonOf(what), now],
  );
  if (same !== undefined) return false;
  await addChanges(sql, [{ environment, at: now, after: null, what }], now);
  if (by === null) return true;
  await record(sql, { by: by.userId, now }, { channel: by.channel, environment, change: { action: 'deployed' } });
  return true;
}

async function changesSince(database: Database, query: ChangesQuery): Promise<ChangesPage> {
  const { since, environments, olderThan, limit } = query;
  const found = await database.rows(ChangeColumns, CHANGES, [since, jsonOf(environments), olderThan, limit + 1]);
  const compared: ChangesPage['compared'][number][] = [];
  for (const environment of environments.toSorted()) {
    const reading = await lastReading(database, environment);
    if (reading !== null) compared.push({ environment, since: reading.since, lastAt: reading.readAt });
  }
  return { changes: found.slice(0, limit).map(changeOf), hasOlder: found.length > limit, compared };
}

const CHANGES = `
  SELECT * FROM changes
  WHERE at >= $1 AND $2::jsonb ? environment AND ($3::bigint IS NULL OR id < $3) ORDER BY id DESC LIMIT $4`;

/** Records changes, with IDs that ascend in commit order, and redraws the posted messages whose rows they may explain. */
export async function addChanges(
  sql: SqlRows & SqlWrite,
  changes: readonly Omit<EnvironmentChange, 'id'>[],
  now: Date,
): Promise<readonly EnvironmentChange[]> {
  await noteNews(
    sql,
    changes.map(({ environment }) => environment),
  );
  await sql.write('LOCK TABLE changes IN SHARE ROW EXCLUSIVE MODE');
  const items = changes.map(({ after, ...change }) => ({ ...change, not_before: after }));
  const added = (await sql.rows(ChangeColumns, ADD, [jsonOf(items)])).map(changeOf);
  for (const { environment, at, after } of added) {
    const from = subMilliseconds(at, NOTICED_AFTER_MS);
    const to = new Date((after ?? at).getTime() + MAY_EXPLAIN_MS);
    const explained = await sql.rows(IncidentRow, EXPLAINED, [environment, from, to]);
    await redraw(
      sql,
      explained.map(({ id }) => id),
      now,
    );
  }
  return added;
}

/** Locks the environments before the table of changes, in the same order as a poll that records changes. */
async function noteNews(sql: SqlWrite, environments: readonly string[]): Promise<void> {
  await sql.write('UPDATE environments SET news = news + 1 WHERE $1::jsonb ? environment', [jsonOf(environments)]);
}

const IncidentRow = z.object({ id: Count });

const ADD = `
  INSERT INTO changes (environment, at, not_before, what)
  SELECT environment, at, not_before, what
  FROM jsonb_to_recordset($1::jsonb) AS item (environment text, at timestamptz, not_before timestamptz, what jsonb)
  RETURNING *`;

/** The incidents that a change between $2 and $3, by our clock, may explain. */
const EXPLAINED = `
  SELECT i.id FROM incidents i JOIN environments c ON c.environment = i.environment
  WHERE i.environment = $1 AND i.started_at BETWEEN ${datedAt('$2::timestamptz', 'c')} AND ${datedAt('$3::timestamptz', 'c')}`;
