import { z } from 'zod';
import { FAILURE_FILTERS, type FailureFilter, type FilterName } from '../failures/filter.ts';
import { SEVERITIES } from '../failures/judge.ts';
import { nearest } from '../lib/closed-list.ts';
import { fold } from '../lib/fold.ts';
import { CHANNELS } from '../service/channels.ts';
import { type Db, jsonOf, type SqlValue } from '../store/db.ts';

const MOST_NAMES = 2_000;

const newestIn = (column: string) => `
  SELECT unnest(${column}) AS name FROM (
    SELECT * FROM failures WHERE environment = $1 ORDER BY seq DESC LIMIT ${MOST_NAMES}) f`;

const STORED_NAMES: { [Name in FilterName]?: string } = {
  workflows: `SELECT unnest(ARRAY[identifier, name]) AS name FROM workflows WHERE environment = $1
    UNION SELECT unnest(ARRAY[workflow, workflow_name]) FROM incident_workflows JOIN incidents ON id = incident_id WHERE environment = $1`,
  channels: 'SELECT channel AS name FROM incidents WHERE environment = $1',
  providers: `SELECT provider AS name FROM incidents WHERE environment = $1
    UNION (SELECT provider FROM success_counts WHERE environment = $1 ORDER BY created DESC LIMIT ${10 * MOST_NAMES})`,
  severities: 'SELECT unnest(severities) AS name FROM incidents WHERE environment = $1',
  topics: newestIn('topics'),
  tags: newestIn('tags'),
};

const NameRow = z.object({ name: z.string() });

async function namesFrom(db: Db, query: string, values: readonly SqlValue[]) {
  const distinct = `SELECT DISTINCT name FROM (${query}) seen WHERE name <> '' LIMIT ${MOST_NAMES}`;
  return (await db.rows(NameRow, distinct, values)).map(({ name }) => name);
}

async function storedNames(db: Db, environment: string, kind: FilterName) {
  const query = STORED_NAMES[kind];
  return query === undefined ? [] : namesFrom(db, query, [environment]);
}

const NAMED = `
  SELECT identifier AS name FROM workflows WHERE environment = $1 AND name IN (SELECT jsonb_array_elements_text($2::jsonb))`;

/** Returns names as stored, with the identifiers of workflows of such a name. */
export async function spellingsOf(db: Db, environment: string, kind: FilterName, typed: readonly string[]) {
  const wanted = new Set(typed.map(fold));
  const known = (await storedNames(db, environment, kind)).filter((name) => wanted.has(fold(name)));
  return kind === 'workflows' ? [...known, ...(await namesFrom(db, NAMED, [environment, jsonOf(known)]))] : known;
}

const FIXED_NAMES = { workflows: [], channels: CHANNELS, providers: [], severities: SEVERITIES } as const;

export async function unseenNames(db: Db, filter: FailureFilter, environments: readonly { name: string }[]) {
  const unseen: { noun: string; name: string; similar: string | null }[] = [];
  for (const kind of Object.keys(FIXED_NAMES) as (keyof typeof FIXED_NAMES)[]) {
    if (filter[kind].length === 0) continue;
    const seen = (await Promise.all(environments.map(({ name }) => storedNames(db, name, kind)))).flat();
    // Of a workflow, what needs no quotes is suggested first.
    const names = [...FIXED_NAMES[kind], ...seen].toSorted((a, b) => Number(/\s/.test(a)) - Number(/\s/.test(b)));
    const known = new Set(names.map(fold));
    const { noun } = FAILURE_FILTERS[kind];
    for (const name of filter[kind].filter((typed) => !known.has(fold(typed))))
      unseen.push({ noun, name, similar: nearest(name, names) });
  }
  return unseen;
}
