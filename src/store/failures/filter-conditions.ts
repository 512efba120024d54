import { z } from 'zod';
import {
  asKept,
  FAILURE_FILTERS,
  type FailureFilter,
  FILTER_NAMES,
  type FilterName,
  filterBy,
} from '../../domain/failures/failure-filter.ts';
import { fold } from '../../domain/fold.ts';
import { jsonOf, type SqlRows, type SqlValue } from '../database/database.ts';
import { isNoted, type NotedName, notedNames } from './failure-names.ts';

/** The list of names that a failure `f` of a group `asked` has for each filter; one matching name is enough. */
const LISTS: Readonly<Record<FilterName, string>> = {
  workflows: 'ARRAY[asked.workflow, asked.workflow_name]',
  channels: 'ARRAY[asked.channel]',
  providers: 'ARRAY[asked.provider]',
  subscribers: 'ARRAY[f.subscriber_id]',
  severities: 'ARRAY[f.severity]',
  verdicts: 'ARRAY[f.verdict]',
  topics: 'f.topics',
  contexts: 'f.contexts',
  tags: 'f.tags',
  transactions: 'ARRAY[f.transaction_id]',
};

/** Filters that ignore case: what is typed has to be matched with what is stored. */
type Folded = {
  [Name in FilterName]: (typeof FAILURE_FILTERS)[Name]['compares'] extends 'without case' ? Name : never;
}[FilterName];

/** Where to find the names of filters that failures don't have themselves: a query over the groups of an environment ($1). */
const SPELLINGS: Readonly<Record<Exclude<Folded, NotedName>, string> & Partial<Record<FilterName, string>>> = {
  workflows: `SELECT workflow AS name FROM groups WHERE environment = $1 UNION SELECT workflow_name FROM groups WHERE environment = $1
      UNION SELECT identifier FROM workflows WHERE environment = $1 UNION SELECT name FROM workflows WHERE environment = $1`,
  channels: 'SELECT DISTINCT channel AS name FROM groups WHERE environment = $1',
  providers: 'SELECT DISTINCT provider AS name FROM groups WHERE environment = $1',
};

const NameRow = z.object({ name: z.string().nullable() });

/** Returns the names of a kind in an environment, as spelled; none for a filter by ID. */
export async function spelledNames(sql: SqlRows, environment: string, of: FilterName): Promise<readonly string[]> {
  if (isNoted(of)) return notedNames(sql, environment, of);
  const spellings = SPELLINGS[of];
  if (spellings === undefined) return [];
  const rows = await sql.rows(NameRow, spellings, [environment]);
  return rows.flatMap(({ name }) => (name === null ? [] : [name]));
}

export function namesMeant(typed: readonly string[], names: readonly string[]): readonly string[] {
  const wanted = new Set(typed.map(fold));
  return names.filter((name) => wanted.has(fold(name)));
}

/**
 * Rewrites a filter in the spellings of what is stored, so that the database can compare text exactly; its `lower()` isn't `fold`. A name
 * without a stored spelling stays and matches nothing.
 */
export async function asSpelled(sql: SqlRows, environment: string, asked: FailureFilter): Promise<FailureFilter> {
  const filter = asKept(asked);
  const spelled = new Map<FilterName, readonly string[]>();
  for (const name of FILTER_NAMES) {
    if (filter[name].length === 0 || FAILURE_FILTERS[name].compares === 'exactly') continue;
    spelled.set(name, namesMeant(filter[name], await spelledNames(sql, environment, name)));
  }
  return filterBy((name) => {
    const found = spelled.get(name) ?? [];
    return found.length === 0 ? filter[name] : found;
  });
}

/** Returns the conditions of the domain's `matcherOf`, with `filterValues` as the values from `$first` on. */
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
