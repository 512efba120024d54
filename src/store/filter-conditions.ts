import { z } from 'zod';
import {
  FAILURE_FILTERS,
  type FailureFilter,
  FILTER_NAMES,
  type FilterName,
  filterBy,
} from '../domain/failure-filter.ts';
import { fold } from '../domain/fold.ts';
import { jsonOf, type Sql, type SqlValue } from './database.ts';

/** The lists of names that a failure, `f`, of a group, `asked`, has for each filter; one that is asked for is enough. */
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

/** Where the names of an environment, $1, are spelled; ids are in no list. */
const SPELLED: Readonly<Partial<Record<FilterName, string>>> = {
  workflows: `SELECT workflow AS name FROM groups WHERE environment = $1 UNION SELECT workflow_name FROM groups WHERE environment = $1
    UNION SELECT identifier FROM workflows WHERE environment = $1 UNION SELECT name FROM workflows WHERE environment = $1`,
  channels: 'SELECT DISTINCT channel AS name FROM groups WHERE environment = $1',
  providers: 'SELECT DISTINCT provider AS name FROM groups WHERE environment = $1',
  severities: 'SELECT DISTINCT severity AS name FROM failures WHERE environment = $1',
  topics: 'SELECT DISTINCT unnest(topics) AS name FROM failures WHERE environment = $1',
  contexts: 'SELECT DISTINCT unnest(contexts) AS name FROM failures WHERE environment = $1',
  tags: 'SELECT DISTINCT unnest(tags) AS name FROM failures WHERE environment = $1',
};

const NameRow = z.object({ name: z.string().nullable() });

/** The names of a kind in an environment, as they are spelled; none of what is asked for by id. */
export async function spelledNames(
  sql: Pick<Sql, 'rows'>,
  environment: string,
  of: FilterName,
): Promise<readonly string[]> {
  const names = SPELLED[of];
  if (names === undefined) return [];
  return (await sql.rows(NameRow, names, [environment])).flatMap(({ name }) => (name === null ? [] : [name]));
}

/**
 * A filter in the spellings of what is stored, so that the database compares text by text: its `lower()` isn't `fold`. A name that is
 * spelled nowhere stays, and matches nothing.
 */
export async function asSpelled(
  sql: Pick<Sql, 'rows'>,
  environment: string,
  filter: FailureFilter,
): Promise<FailureFilter> {
  const spelled = new Map<FilterName, readonly string[]>();
  for (const name of FILTER_NAMES) {
    if (filter[name].length === 0 || FAILURE_FILTERS[name].compares === 'exactly') continue;
    const wanted = new Set(filter[name].map(fold));
    const names = await spelledNames(sql, environment, name);
    spelled.set(
      name,
      names.filter((one) => wanted.has(fold(one))),
    );
  }
  return filterBy((name) => {
    const found = spelled.get(name) ?? [];
    return found.length === 0 ? filter[name] : found;
  });
}

/** The conditions that `matches` has in the domain, with `filterValues` as the values from `$first` on. */
export function filterConditions(first: number): string {
  return FILTER_NAMES.map((name, index) => {
    const value = `$${first + index}::jsonb`;
    return `(${value} = '[]' OR EXISTS (SELECT 1 FROM unnest(${LISTS[name]}) AS name WHERE ${value} ? name))`;
  }).join('\n    AND ');
}

export function filterValues(filter: FailureFilter): SqlValue[] {
  return FILTER_NAMES.map((name) => jsonOf(filter[name]));
}
