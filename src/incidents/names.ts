import { type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { RenamedWorkflow } from '../changes/workflows.ts';
import type { FilterName } from '../judging/filter.ts';
import { fold } from '../lib/fold.ts';
import { Count, type Db, rowsOf, textList } from '../store/db.ts';
import { renewVersions } from './record.ts';

const MOST_NAMES = 2_000;

/** Only failures say which of these there are. */
export const OF_FAILURES = {
  subscribers: sql`ARRAY[subscriber_id]`,
  topics: sql`topics`,
  contexts: sql`contexts`,
  tags: sql`tags`,
} as const;

export type NameOfFailures = keyof typeof OF_FAILURES;

const newestIn = (kind: NameOfFailures, environment: string): SQL => sql`
  SELECT unnest(${OF_FAILURES[kind]}) AS name
  FROM (SELECT * FROM failures WHERE environment = ${environment} ORDER BY seq DESC LIMIT ${MOST_NAMES}) f`;

/** Names that an environment's failures and traffic have, by kind. */
const STORED_NAMES: { [Name in FilterName]?: (environment: string) => SQL } = {
  workflows: (environment) => sql`
    SELECT unnest(ARRAY[identifier, name] || former_names) AS name
    FROM workflows
    WHERE environment = ${environment}
    UNION
    SELECT unnest(ARRAY[workflow, workflow_name])
    FROM outbreak_workflows
    JOIN incidents ON id = incident_id
    WHERE environment = ${environment}`,
  channels: (environment) => sql`SELECT channel AS name FROM incidents WHERE environment = ${environment}`,
  providers: (environment) => sql`
    SELECT provider AS name
    FROM incidents
    WHERE environment = ${environment}
    UNION
    (SELECT provider FROM success_counts WHERE environment = ${environment} ORDER BY created DESC LIMIT ${10 * MOST_NAMES})`,
  severities: (environment) => sql`SELECT unnest(severities) AS name FROM outbreaks WHERE environment = ${environment}`,
  domains: (environment) => sql`SELECT unnest(domains) AS name FROM environments WHERE environment = ${environment}`,
  topics: (environment) => newestIn('topics', environment),
  tags: (environment) => newestIn('tags', environment),
};

const NameRow = z.object({ name: z.string() });

async function namesFrom(db: Db, query: SQL): Promise<string[]> {
  const rows = await db.rows(
    NameRow,
    sql`SELECT DISTINCT name FROM (${query}) seen WHERE name <> '' LIMIT ${MOST_NAMES}`,
  );
  return rows.map(({ name }) => name);
}

/** What the newest failures name. */
export const newestNames = (db: Db, environment: string, kind: NameOfFailures): Promise<string[]> =>
  namesFrom(db, newestIn(kind, environment));

export async function storedNames(db: Db, environment: string, kind: FilterName): Promise<string[]> {
  const query = STORED_NAMES[kind];
  return query === undefined ? [] : namesFrom(db, query(environment));
}

/** What a menu offers, most of it once. */
export async function offeredNames(
  db: Db,
  environments: readonly { name: string }[],
  kind: 'workflows' | 'providers' | 'topics',
): Promise<readonly string[]> {
  const names = await Promise.all(environments.map(({ name }) => storedNames(db, name, kind)));
  return [...new Set(names.flat())].toSorted();
}

/** Returns names as stored, with the identifiers of workflows that have or had such a name. */
export async function spellingsOf(
  db: Db,
  environment: string,
  kind: FilterName,
  typed: readonly string[],
): Promise<string[]> {
  const wanted = new Set(typed.map(fold));
  const known = (await storedNames(db, environment, kind)).filter((name) => wanted.has(fold(name)));
  if (kind !== 'workflows') return known;
  const identifiers = sql`
    SELECT identifier AS name
    FROM workflows
    WHERE environment = ${environment}
      AND (name IN ${textList(known)} OR former_names && ARRAY${textList(known)})`;
  return [...known, ...(await namesFrom(db, identifiers))];
}

/** Stored names follow a rename: a watch for the new name is about what failed before it, too. */
export async function renameWorkflows(tx: Db, environment: string, renamed: readonly RenamedWorkflow[]): Promise<void> {
  if (renamed.length === 0) return;
  const named = sql`jsonb_to_recordset(${rowsOf(renamed)}::jsonb) AS item (identifier text, name text)`;
  await tx.write(sql`
    UPDATE outbreak_workflows w
    SET workflow_name = item.name
    FROM ${named}, incidents i
    WHERE i.id = w.incident_id
      AND i.environment = ${environment}
      AND w.workflow = item.identifier`);
  const touched = await tx.rows(
    z.object({ incidentId: Count }),
    sql`
      UPDATE failures f
      SET workflow_name = item.name
      FROM ${named}, incidents i
      WHERE i.id = f.incident_id
        AND i.state <> 'resolved'
        AND f.environment = ${environment}
        AND f.workflow = item.identifier
      RETURNING f.incident_id`,
  );
  await renewVersions(
    tx,
    environment,
    touched.map(({ incidentId }) => incidentId),
  );
}
