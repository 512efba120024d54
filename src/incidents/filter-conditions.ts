import { type SQL, sql } from 'drizzle-orm';
import { type FailureFilter, FILTER_NAMES, type FilterName, storableFilter } from '../judging/filter.ts';
import { fold } from '../lib/fold.ts';
import { type Db, textList } from '../store/db.ts';
import { spellingsOf } from './names.ts';

/** What each filter is compared with: arrays of a failure `f` and its incident `i`. */
const LISTS: Record<FilterName, SQL> = {
  workflows: sql`ARRAY[f.workflow, f.workflow_name]`,
  channels: sql`ARRAY[i.channel]`,
  providers: sql`ARRAY[i.provider]`,
  subscribers: sql`ARRAY[f.subscriber_id]`,
  severities: sql`ARRAY[f.severity]`,
  verdicts: sql`ARRAY[f.verdict]`,
  topics: sql`f.topics || lower(f.topics::text)::text[]`,
  contexts: sql`f.contexts`,
  tags: sql`f.tags || lower(f.tags::text)::text[]`,
  domains: sql`ARRAY[f.domain]`,
  transactions: sql`ARRAY[f.transaction_id]`,
};

/** The names of a filter in all known spellings, since the database's `lower()` isn't `fold`. */
export type SpelledFilter = Readonly<Record<FilterName, readonly string[]>>;

export async function spelledFilter(db: Db, environment: string, typed: FailureFilter): Promise<SpelledFilter> {
  const filter = storableFilter(typed);
  const spelled: Record<FilterName, readonly string[]> = { ...filter };
  for (const name of FILTER_NAMES) {
    const wanted = filter[name];
    const others = wanted.length === 0 ? [] : await spellingsOf(db, environment, name, wanted);
    const folded = name === 'tags' || name === 'topics' ? wanted.map(fold) : [];
    spelled[name] = [...new Set([...wanted, ...others, ...folded])];
  }
  return spelled;
}

/** Whether a filter covers a failure `f` of an incident `i`. */
export function isCovered(filter: SpelledFilter): SQL {
  // As a subquery, the array is made once, not for each failure.
  const conditions = FILTER_NAMES.filter((name) => filter[name].length > 0).map(
    (name) => sql`${LISTS[name]} && ARRAY${textList(filter[name])}`,
  );
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` AND `);
}
