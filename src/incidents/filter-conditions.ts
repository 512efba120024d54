import { type SQL, sql } from 'drizzle-orm';
import { ALL_FAILURES, type FailureFilter, FILTER_NAMES, type FilterName, storableFilter } from '../judging/filter.ts';
import { nearest } from '../lib/closed-list.ts';
import { fold } from '../lib/fold.ts';
import { CountRow, type Db, textList } from '../store/db.ts';
import { type NameOfFailures, newestNames, OF_FAILURES, spellingsOf, type UnseenName, unseenNames } from './names.ts';

/** Arrays of a failure `f` and its incident `i`. */
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
  const spelled: Partial<Record<FilterName, readonly string[]>> = {};
  for (const name of FILTER_NAMES) {
    const wanted = filter[name];
    const others = wanted.length === 0 ? [] : await spellingsOf(db, environment, name, wanted);
    const folded = name === 'tags' || name === 'topics' ? wanted.map(fold) : [];
    spelled[name] = [...new Set([...wanted, ...others, ...folded])];
  }
  return { ...EVERYTHING_SPELLED, ...spelled };
}

const EVERYTHING_SPELLED: SpelledFilter = storableFilter(ALL_FAILURES);

/** Whether a filter covers a failure `f` of an incident `i`. */
export function isCovered(filter: SpelledFilter): SQL {
  // As a subquery, the array is made once, not for each failure.
  const conditions = FILTER_NAMES.filter((name) => filter[name].length > 0).map(
    (name) => sql`${LISTS[name]} && ARRAY${textList(filter[name])}`,
  );
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` AND `);
}

/** With what only failures name. */
export async function unseenInFailures(
  db: Db,
  filter: FailureFilter,
  environments: readonly { name: string }[],
): Promise<UnseenName[]> {
  const unseen = await unseenNames(db, filter, environments);
  for (const kind of Object.keys(OF_FAILURES) as NameOfFailures[]) {
    for (const name of filter[kind]) {
      const seen = await Promise.all(environments.map((environment) => isInFailures(db, environment.name, kind, name)));
      if (seen.includes(true)) continue;
      const names = await Promise.all(environments.map((environment) => newestNames(db, environment.name, kind)));
      unseen.push({ kind, name, similar: similarTo(name, kind, names.flat()) });
    }
  }
  return unseen;
}

async function isInFailures(db: Db, environment: string, kind: NameOfFailures, name: string): Promise<boolean> {
  const spelled = await spelledFilter(db, environment, { ...ALL_FAILURES, [kind]: [name] });
  // Newest first: what is asked about mostly failed lately.
  const seen = await db.rows(
    CountRow,
    sql`
      SELECT 1 AS count
      FROM failures f
      JOIN incidents i ON i.id = f.incident_id
      WHERE f.environment = ${environment}
        AND ${isCovered(spelled)}
      ORDER BY f.seq DESC
      LIMIT 1`,
  );
  return seen.length > 0;
}

const digitsIn = (name: string): string => name.replace(/\D/g, '');

/** Another number in a subscriber's ID is another person, not a typo. A context can be typed without its name. */
function similarTo(name: string, kind: NameOfFailures, names: readonly string[]): string | null {
  const candidates = kind === 'subscribers' ? names.filter((seen) => digitsIn(seen) === digitsIn(name)) : names;
  return candidates.find((seen) => seen.endsWith(`:${name}`)) ?? nearest(name, candidates);
}
