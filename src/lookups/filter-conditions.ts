import { z } from 'zod';
import {
  asKept,
  FAILURE_FILTERS,
  type FailureFilter,
  FILTER_NAMES,
  type FilterName,
  filterBy,
} from '../failures/filter.ts';
import { nearest } from '../lib/closed-list.ts';
import { fold } from '../lib/fold.ts';
import { type Db, jsonOf, type SqlValue } from '../store/db.ts';

/** The list of names that a failure `f` of an incident `i` has for each filter; one matching name is enough. */
const LISTS: Readonly<Record<FilterName, string>> = {
  workflows: 'ARRAY[f.workflow, f.workflow_name]',
  channels: 'ARRAY[i.channel]',
  providers: 'ARRAY[i.provider]',
  subscribers: 'ARRAY[f.subscriber_id]',
  severities: 'ARRAY[f.severity]',
  verdicts: 'ARRAY[f.verdict]',
  topics: 'f.topics',
  contexts: 'f.contexts',
  tags: 'f.tags',
  transactions: 'ARRAY[f.transaction_id]',
};

/** Returns the conditions of a filter, with `filterValues` as the values from `$first` on. */
export function filterConditions(first: number): string {
  return FILTER_NAMES.map((name, index) => {
    const value = `$${first + index}::jsonb`;
    // The filter becomes an array once, not for each failure.
    return `(${value} = '[]' OR ${LISTS[name]} && ARRAY(SELECT jsonb_array_elements_text(${value})))`;
  }).join('\n    AND ');
}

export function filterValues(filter: FailureFilter): SqlValue[] {
  return FILTER_NAMES.map((name) => jsonOf(filter[name]));
}

/** So many of an environment's newest failures are asked for the names that only failures have. */
const MOST_ASKED = 2_000;

const newest = (column: string) => `
  SELECT unnest(${column}) AS name FROM (
    SELECT ${column === 'severities' ? 'ARRAY[severity] AS severities' : column} FROM failures
    WHERE environment = $1 ORDER BY seq DESC LIMIT ${MOST_ASKED}) f`;

/** Where the names that are compared without case are known from, of one environment. */
const SPELLED: { readonly [Name in FilterName]?: string } = {
  workflows: `SELECT identifier AS name FROM workflows WHERE environment = $1
    UNION SELECT name FROM workflows WHERE environment = $1
    UNION SELECT workflow FROM failures WHERE environment = $1
    UNION SELECT workflow_name FROM failures WHERE environment = $1`,
  channels: 'SELECT channel AS name FROM incidents WHERE environment = $1',
  providers: 'SELECT provider AS name FROM incidents WHERE environment = $1',
  severities: newest('severities'),
  topics: newest('topics'),
  tags: newest('tags'),
};

const NameRow = z.object({ name: z.string() });

const MOST_NAMES = 2_000;

async function namesFrom(sql: Db, query: string, values: readonly SqlValue[]): Promise<string[]> {
  const distinct = `SELECT DISTINCT name FROM (${query}) seen WHERE name IS NOT NULL LIMIT ${MOST_NAMES}`;
  return (await sql.rows(NameRow, distinct, values)).map(({ name }) => name);
}

async function spelledNames(sql: Db, environment: string, kind: FilterName): Promise<readonly string[]> {
  const query = SPELLED[kind];
  return query === undefined ? [] : namesFrom(sql, query, [environment]);
}

export function channelNames(db: Db): Promise<string[]> {
  return namesFrom(db, 'SELECT channel AS name FROM incidents', []);
}

/** The workflows that have a name now: what failed of one before it was renamed has its identifier. */
const NAMED = `
  SELECT identifier AS name FROM workflows WHERE environment = $1 AND name IN (SELECT jsonb_array_elements_text($2::jsonb))`;

/**
 * Rewrites a filter in the spellings of what is stored, so that the database can compare text exactly; its `lower()` isn't `fold`. What is
 * typed stays beside them.
 */
export async function asSpelled(sql: Db, environment: string, typed: FailureFilter): Promise<FailureFilter> {
  const filter = asKept(typed);
  const spelled = new Map<FilterName, readonly string[]>();
  for (const name of FILTER_NAMES) {
    if (filter[name].length === 0 || FAILURE_FILTERS[name].compares === 'exactly') continue;
    const wanted = new Set(filter[name].map(fold));
    const names = await spelledNames(sql, environment, name);
    const known = names.filter((one) => wanted.has(fold(one)));
    const now = name === 'workflows' ? await namesFrom(sql, NAMED, [environment, jsonOf(known)]) : [];
    spelled.set(name, [...known, ...now]);
  }
  return filterBy((name) => [...new Set([...filter[name], ...(spelled.get(name) ?? [])])]);
}

export interface UnseenWorkflow {
  readonly name: string;
  /** A similar name that was seen. */
  readonly similar: string | null;
}

/** Returns those of some workflows that no environment has: "no failures" would say nothing about the one that somebody has in mind. */
export async function unseenWorkflows(
  db: Db,
  workflows: readonly string[],
  environments: readonly { readonly name: string }[],
): Promise<UnseenWorkflow[]> {
  if (workflows.length === 0) return [];
  const names = (await Promise.all(environments.map(({ name }) => spelledNames(db, name, 'workflows')))).flat();
  const known = new Set(names.map(fold));
  const unseen = workflows.filter((name) => !known.has(fold(name)));
  return unseen.map((name) => ({ name, similar: nearest(name, names) }));
}
