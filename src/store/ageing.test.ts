import pg from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { fillStore } from '../../test/support/aged-store.ts';
import { type Explained, explaining, type PlanNode } from '../../test/support/explaining.ts';
import { STORE_CALLS, subjectIn } from '../../test/support/store-calls.ts';
import { openServer } from './database/server.ts';
import { newDatabase, silent } from './store.testing.ts';
import { storeOn } from './store.ts';

const NOW = new Date('2026-05-31T12:00:00.000Z');
const DAYS = 30;

/** Reading a smaller table completely is the right choice of the database. */
const SMALL = 2_000;

/** The rows of a month that a statement about hours can read: at most this many, or this share of the table if that is more. */
const FEW_ROWS = 5_000;
const MOST_OF_TABLE = 1 / 10;

/** Tables whose contents don't grow with age, since they're kept for three days at most. */
const SHORT_LIVED = ['success_counts', 'group_counts'];

interface Ran extends Explained {
  readonly by: string;
}

const Sizes = z.array(z.object({ name: z.string(), rows: z.coerce.number() }));

describe('a store with a month of a busy environment, on a server', () => {
  let sizes: ReadonlyMap<string, number>;
  const ran: Ran[] = [];

  beforeAll(async () => {
    const url = await newDatabase();
    sizes = await fill(url);
    let by = '';
    const seen = new Set<string>();
    const database = await openServer(url, silent);
    const store = storeOn(
      explaining(
        database,
        (text) => !seen.has(text) && seen.add(text) !== undefined,
        (one) => ran.push({ by, ...one }),
      ),
    );
    const subject = await subjectIn(store, NOW);
    for (const [noun, calls] of Object.entries(STORE_CALLS)) {
      for (const [name, call] of Object.entries(calls)) {
        by = `${noun}.${name}`;
        await call(store, subject);
      }
    }
    await database.close();
  }, 240_000);

  test('has rows in each table, without which the other checks would prove nothing', () => {
    expect([...sizes].filter(([, rows]) => rows === 0).map(([name]) => name)).toEqual([]);
  });

  test('never reads a growing table completely', () => {
    const whole = ran.flatMap(({ by, text, plan }) =>
      nodesOf(plan).flatMap(({ type, table }) =>
        type === 'Seq Scan' && table !== null && (sizes.get(table) ?? 0) > SMALL ? [`${by}, ${table}: ${text}`] : [],
      ),
    );
    expect(whole).toEqual([]);
  });

  test('reads few rows for questions about hours', () => {
    const much = ran.flatMap(({ by, text, plan }) =>
      [...rowsRead(plan)].flatMap(([table, rows]) => {
        const most = Math.max(FEW_ROWS, (sizes.get(table) ?? 0) * MOST_OF_TABLE);
        return rows > most && !SHORT_LIVED.includes(table) ? [`${by}, ${rows} of ${table}: ${text}`] : [];
      }),
    );
    expect(much).toEqual([]);
  });
});

async function fill(url: string): Promise<ReadonlyMap<string, number>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await fillStore((text) => client.query(text), NOW, DAYS);
  // The cost of disks for the last twenty years. With the cost of older ones, the database would read a table of a few thousand rows
  // completely despite an index.
  await client.query(
    "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET random_page_cost = 1.1', current_database()); END $$",
  );
  const { rows } = await client.query(
    `SELECT relname AS name, reltuples AS rows FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
  );
  await client.end();
  return new Map(Sizes.parse(rows).map(({ name, rows: count }) => [name, count]));
}

function nodesOf(plan: PlanNode): PlanNode[] {
  return [plan, ...plan.children.flatMap(nodesOf)];
}

function rowsRead(plan: PlanNode): ReadonlyMap<string, number> {
  const read = new Map<string, number>();
  for (const { table, rows } of nodesOf(plan)) if (table !== null) read.set(table, (read.get(table) ?? 0) + rows);
  return read;
}
