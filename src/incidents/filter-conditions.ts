import { spellingsOf, unseenNames } from '../coverage/names.ts';
import {
  ALL_FAILURES,
  FAILURE_FILTERS,
  type FailureFilter,
  FILTER_NAMES,
  type FilterName,
  storableFilter,
} from '../failures/filter.ts';
import { fold } from '../lib/fold.ts';
import { CountRow, type Db, jsonOf, type SqlValue } from '../store/db.ts';

/** Arrays of a failure `f` and its incident `i`. */
const LISTS: Record<FilterName, string> = {
  workflows: 'ARRAY[f.workflow, f.workflow_name]',
  channels: 'ARRAY[i.channel]',
  providers: 'ARRAY[i.provider]',
  subscribers: 'ARRAY[f.subscriber_id]',
  severities: 'ARRAY[f.severity]',
  verdicts: 'ARRAY[f.verdict]',
  topics: 'f.topics || lower(f.topics::text)::text[]',
  contexts: 'f.contexts',
  tags: 'f.tags || lower(f.tags::text)::text[]',
  transactions: 'ARRAY[f.transaction_id]',
};

/** The parameters from `$first` on are `filterValues`. */
export function filterConditions(first: number) {
  return FILTER_NAMES.map((name, index) => {
    const value = `$${first + index}::jsonb`;
    // As a subquery, the array is made once, not for each failure.
    return `(${value} = '[]' OR ${LISTS[name]} && ARRAY(SELECT jsonb_array_elements_text(${value})))`;
  }).join('\n    AND ');
}

/** Each name in all known spellings, since the database's `lower()` isn't `fold`. */
export async function filterValues(db: Db, environment: string, typed: FailureFilter) {
  const filter = storableFilter(typed);
  const values: SqlValue[] = [];
  for (const name of FILTER_NAMES) {
    const wanted = filter[name];
    const others = wanted.length === 0 ? [] : await spellingsOf(db, environment, name, wanted);
    const folded = name === 'tags' || name === 'topics' ? wanted.map(fold) : [];
    values.push(jsonOf([...new Set([...wanted, ...others, ...folded])]));
  }
  return values;
}

/** Newest first: what is asked about mostly failed lately. */
const SEEN = `
  SELECT 1 AS count FROM failures f JOIN incidents i ON i.id = f.incident_id
  WHERE f.environment = $1 AND ${filterConditions(2)} ORDER BY f.seq DESC LIMIT 1`;

/** Only failures say which topics, contexts, tags and subscribers there are. */
export async function unseenInFailures(db: Db, filter: FailureFilter, environment: { name: string }) {
  const unseen = await unseenNames(db, filter, [environment]);
  for (const kind of ['subscribers', 'topics', 'contexts', 'tags'] as const) {
    for (const name of filter[kind]) {
      const values = await filterValues(db, environment.name, { ...ALL_FAILURES, [kind]: [name] });
      if ((await db.rows(CountRow, SEEN, [environment.name, ...values])).length === 0)
        unseen.push({ noun: `failure with ${FAILURE_FILTERS[kind].noun}`, name, similar: null });
    }
  }
  return unseen;
}
