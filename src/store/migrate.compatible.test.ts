import { readdirSync, readFileSync } from 'node:fs';
import type pg from 'pg';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { administer, connected, MIGRATIONS, migrationTexts, newEmptyDatabase } from './store.testing.ts';

/** Migrations before this one, by their numbers, aren't held to what replicas of the version before need. */
const FIRST_HELD = 8;

/** Faults that were accepted, and are too many to list below. */
const ACCEPTED = [
  // An older replica would record failures of no outbreak and give up messages of unknown kinds: its loops are to fail instead.
  /^20 removes (messages|alerts|incident_workflows): /,
  // No version was released with schema 20 and without 24, and 20 ends replicas of before.
  /^24 (removes|needs) (environments|incidents|mutes): /,
];

test('A migration leaves to replicas of the version before what they read and insert', async () => {
  const url = await newEmptyDatabase();
  const migrations = migrationTexts();
  await administer(url, ...migrations.slice(0, FIRST_HELD));
  const client = await connected(url);
  let before = await rulesOn(client);
  const faults: string[] = [];
  for (const [number, migration] of [...migrations.entries()].slice(FIRST_HELD)) {
    await client.query(migration);
    const after = await rulesOn(client);
    const snapshot = snapshotBefore(number);
    const removed = removedRules(before, after, snapshot).map((rule) => `${number} removes ${wordsOf(rule)}`);
    const needed = newDemands(before, after, snapshot).map((rule) => `${number} needs ${wordsOf(rule)}`);
    faults.push(...removed, ...needed);
    before = after;
  }
  // To add none here: leave what the schema loses in the database, a column nullable, and drop it with the next migration.
  expect(faults.filter((fault) => ACCEPTED.every((pattern) => !pattern.test(fault)))).toEqual([
    // It was released before this was held.
    '8 removes failures: detail_id text',
    '8 removes failures: environment, event_key, job_id, detail_id unique',
    '8 needs failures: provider text',
    '8 needs failures: as_of timestamp with time zone',
    // On purpose: a replica that knows no environment of a trigger would send again what another has sent again.
    '18 needs triggers: environment text',
  ]);
});

/** A column or a unique key. */
interface Rule {
  name: string;
  table: string;
  columns: string[];
  /** Its type, or `unique`. */
  kind: string;
  /** An insert can violate it. */
  isStrict: boolean;
}

async function rulesOn(client: pg.Client): Promise<Rule[]> {
  const { rows } = await client.query<Rule>(`
    SELECT
      column_name AS name,
      table_name AS table,
      ARRAY[column_name::text] AS columns,
      data_type AS kind,
      is_nullable = 'NO' AND column_default IS NULL AND is_identity = 'NO' AS "isStrict"
    FROM information_schema.columns
    WHERE table_schema = 'public'
    UNION ALL
    SELECT indexname, tablename, string_to_array(substring(indexdef FROM '\\((.*?)\\)'), ', '), 'unique', true
    FROM pg_indexes
    WHERE schemaname = 'public'
      AND indexdef LIKE 'CREATE UNIQUE %'
    ORDER BY kind, name`);
  return rows;
}

const wordsOf = ({ table, columns, kind }: Rule): string => `${table}: ${columns.join(', ')} ${kind}`;

const isIn = (rules: readonly Rule[], rule: Rule): boolean => rules.some((other) => wordsOf(other) === wordsOf(rule));

/** What the version before a migration knows of the database. */
interface Snapshot {
  text: string;
  tables: Record<string, { columns: Record<string, unknown> }>;
}

const Tables = z.record(z.string(), z.object({ columns: z.record(z.string(), z.unknown()) }));

/** A migration that changes no table has no snapshot: the newest of those before counts. */
function snapshotBefore(number: number): Snapshot {
  const files = readdirSync(new URL('meta/', MIGRATIONS)).filter(
    (name) => /^\d+_/.test(name) && Number.parseInt(name, 10) < number,
  );
  const text = readFileSync(new URL(`meta/${files.sort().at(-1)}`, MIGRATIONS), 'utf8');
  return { text, tables: Tables.parse(JSON.parse(text).tables) };
}

const hasColumns = ({ tables }: Snapshot, { table, columns }: Rule): boolean =>
  columns.every((name) => tables[`public.${table}`]?.columns[name]);

/** What the version before reads, or names when it inserts, and doesn't find any more. */
function removedRules(before: readonly Rule[], after: readonly Rule[], snapshot: Snapshot): Rule[] {
  // A primary key of one column has no name in a snapshot, and PostgreSQL cuts long names.
  const isNamed = ({ name }: Rule) => name.endsWith('_pkey') || snapshot.text.includes(`"${name}`);
  const isUsed = (rule: Rule) => hasColumns(snapshot, rule) && (rule.kind !== 'unique' || isNamed(rule));
  return before.filter((rule) => isUsed(rule) && !isIn(after, rule));
}

/** What inserts of the version before can violate since: columns that they leave out, and unique keys of columns that they write. */
function newDemands(before: readonly Rule[], after: readonly Rule[], snapshot: Snapshot): Rule[] {
  const strictBefore = before.filter(({ isStrict }) => isStrict);
  const isNew = (rule: Rule) => rule.isStrict && !isIn(strictBefore, rule);
  const canViolate = (rule: Rule) =>
    rule.kind === 'unique' ? hasColumns(snapshot, rule) : `public.${rule.table}` in snapshot.tables;
  return after.filter((rule) => isNew(rule) && canViolate(rule));
}
