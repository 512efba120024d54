import { type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { FilterName } from '../judging/filter.ts';
import { fold } from '../lib/fold.ts';
import { type Db, textList } from '../store/db.ts';

/** A menu offers fewer, and the newest failures name what is asked about. */
const MOST_NAMES = 2_000;
/** A provider's deliveries are counted by the minute and workflow: so many of the newest counts name those in use. */
const MOST_COUNTS = 10 * MOST_NAMES;

/** Kinds of names that only failures have, as an array of each failure. */
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

/** Reads the names of each kind; others are stored nowhere. */
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
    (SELECT provider FROM success_counts WHERE environment = ${environment} ORDER BY created DESC LIMIT ${MOST_COUNTS})`,
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

/** Names of a kind that the newest failures have. */
export const newestNames = (db: Db, environment: string, kind: NameOfFailures): Promise<string[]> =>
  namesFrom(db, newestIn(kind, environment));

/** Names that an environment's failures and traffic have. */
export async function storedNames(db: Db, environment: string, kind: FilterName): Promise<string[]> {
  const query = STORED_NAMES[kind];
  return query === undefined ? [] : namesFrom(db, query(environment));
}

/** The names that a menu offers, of all environments. */
export async function offeredNames(
  db: Db,
  environments: readonly { name: string }[],
  kind: 'workflows' | 'providers' | 'topics',
): Promise<readonly string[]> {
  const names = await Promise.all(environments.map(({ name }) => storedNames(db, name, kind)));
  return [...new Set(names.flat())].toSorted();
}

/** Returns typed names as they are stored, with the identifiers of workflows that have or had such a name. */
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
