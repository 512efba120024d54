import { z } from 'zod';
import type { Database } from '../src/store/database/database.ts';
import { Count } from '../src/store/database/row.ts';
import { storeOn } from '../src/store/store.ts';
import { poll } from '../src/use-cases/polling/poll.ts';
import { recheckEvents } from '../src/use-cases/polling/recheck.ts';
import { withDatabase, withGeneratedService } from './ground.ts';
import { pollerParts, START } from './poller.ts';
import type { BenchResult } from './result.ts';

const EVENTS = 1_000;
const POLL_MS = 60_000;
/** By then the first hour is read, and each later poll has a minute's events. */
const WARM_UP_POLLS = 3;

/** An event's key, so that it is counted once however often it is listed; and a quarter more for progress and counts by minute. */
const MOST_ROWS_AN_EVENT = 1.25;

/**
 * Measures how many rows a poll of 1,000 settled events without a failure writes, with the recheck after it, by table: when they are new,
 * and when they have all been read before.
 */
export async function measure(): Promise<BenchResult> {
  const generation = { firstAt: START, everyMs: POLL_MS / EVENTS, failingOneIn: Number.MAX_SAFE_INTEGER };
  return withGeneratedService(generation, (url) =>
    withDatabase(async (database) => {
      let now = START;
      const parts = pollerParts(url, storeOn(database).polling, () => new Date(now));
      const round = async () => {
        now += POLL_MS;
        await poll('bench', parts);
        await recheckEvents('bench', parts);
      };
      for (let polls = 0; polls < WARM_UP_POLLS; polls += 1) await round();
      const before = await writtenTo(database);
      await round();
      const after = await writtenTo(database);
      const written = rowsSince(before, after);
      await poll('bench', parts);
      const again = rowsSince(after, await writtenTo(database)).filter(({ table }) => table !== 'cursors');
      return {
        name: `rows written by a poll of ${EVENTS} settled events, with its recheck`,
        figures: [
          ...written.map(({ table, rows: value }) => ({ label: table, value, unit: 'rows' })),
          { label: 'an event', value: sumOf(written) / EVENTS, unit: 'rows', limit: MOST_ROWS_AN_EVENT },
          { label: 'read again, beyond the cursor', value: sumOf(again), unit: 'rows', limit: 0 },
        ],
      };
    }),
  );
}

const WrittenRow = z.object({ table: z.string(), rows: Count });

/** Returns how many rows were inserted, updated and deleted so far, by table. */
async function writtenTo(database: Database): Promise<ReadonlyMap<string, number>> {
  await database.executeSql('SELECT pg_stat_force_next_flush()');
  const rows = await database.rows(
    WrittenRow,
    'SELECT relname AS table, n_tup_ins + n_tup_upd + n_tup_del AS rows FROM pg_stat_user_tables',
  );
  return new Map(rows.map((row) => [row.table, row.rows]));
}

function rowsSince(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>) {
  return [...after]
    .map(([table, rows]) => ({ table, rows: rows - (before.get(table) ?? 0) }))
    .filter(({ rows }) => rows > 0)
    .sort((one, other) => other.rows - one.rows);
}

const sumOf = (written: readonly { readonly rows: number }[]): number =>
  written.reduce((sum, { rows }) => sum + rows, 0);
