import { sql } from 'drizzle-orm';
import { SEVERITIES } from '../judging/failure.ts';
import { ALL_FAILURES, type FailureFilter, type FilterName } from '../judging/filter.ts';
import { nearest } from '../lib/closed-list.ts';
import { fold } from '../lib/fold.ts';
import { CHANNELS } from '../service/channels.ts';
import { CountRow, type Db } from '../store/db.ts';
import { isCovered, spelledFilter } from './filter-conditions.ts';
import { type NameOfFailures, newestNames, OF_FAILURES, storedNames } from './names.ts';

/** A name that nothing stored has, with one that is spelled alike. */
export interface UnseenName {
  kind: FilterName;
  name: string;
  similar: string | null;
}

/** Names that exist whether or not anything stored has them. */
const FIXED_NAMES = { workflows: [], channels: CHANNELS, providers: [], severities: SEVERITIES, domains: [] } as const;

/** Names of a filter that neither a failure nor an event that went well has. */
export async function unseenNames(
  db: Db,
  filter: FailureFilter,
  environments: readonly { name: string }[],
): Promise<UnseenName[]> {
  const unseen: UnseenName[] = [];
  for (const kind of Object.keys(FIXED_NAMES) as (keyof typeof FIXED_NAMES)[]) {
    if (filter[kind].length === 0) continue;
    const storedInAll = await Promise.all(environments.map(({ name }) => storedNames(db, name, kind)));
    // Of a workflow, what needs no quotes is suggested first.
    const names = [...FIXED_NAMES[kind], ...storedInAll.flat()].toSorted(
      (a, b) => Number(/\s/.test(a)) - Number(/\s/.test(b)),
    );
    const foldedNames = new Set(names.map(fold));
    for (const name of filter[kind].filter((typed) => !foldedNames.has(fold(typed))))
      unseen.push({ kind, name, similar: nearest(name, names) });
  }
  return unseen;
}

/** Those of `unseenNames`, and names of kinds that only failures have. */
export async function allUnseenNames(
  db: Db,
  filter: FailureFilter,
  environments: readonly { name: string }[],
): Promise<UnseenName[]> {
  const unseen = await unseenNames(db, filter, environments);
  for (const kind of Object.keys(OF_FAILURES) as NameOfFailures[]) {
    for (const name of filter[kind]) {
      const isSeenIn = await Promise.all(
        environments.map((environment) => isInFailures(db, environment.name, kind, name)),
      );
      if (isSeenIn.includes(true)) continue;
      const names = await Promise.all(environments.map((environment) => newestNames(db, environment.name, kind)));
      unseen.push({ kind, name, similar: similarTo(name, kind, names.flat()) });
    }
  }
  return unseen;
}

async function isInFailures(db: Db, environment: string, kind: NameOfFailures, name: string): Promise<boolean> {
  const spelled = await spelledFilter(db, environment, { ...ALL_FAILURES, [kind]: [name] });
  // Newest first: what is asked about mostly failed lately.
  const newest = await db.rows(
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
  return newest.length > 0;
}

const digitsIn = (name: string): string => name.replace(/\D/g, '');

/** Another number in a subscriber's ID is another person, not a typo. A context can be typed without its name. */
function similarTo(name: string, kind: NameOfFailures, names: readonly string[]): string | null {
  const candidates = kind === 'subscribers' ? names.filter((other) => digitsIn(other) === digitsIn(name)) : names;
  return candidates.find((other) => other.endsWith(`:${name}`)) ?? nearest(name, candidates);
}
