import type { Database } from '../src/store/database/database.ts';
import { storeOn } from '../src/store/store.ts';
import { poll } from '../src/use-cases/polling/poll.ts';
import type { RecheckParts } from '../src/use-cases/polling/recheck.ts';
import type { Reading } from '../src/use-cases/polling/record-events.ts';
import { cpuTimed } from './cpu-time.ts';
import { withDatabase, withGeneratedService } from './ground.ts';
import { eventsOfFirstRound, pollerParts, START } from './poller.ts';
import type { BenchResult } from './result.ts';
import { median, medianRatio } from './statistics.ts';

const EVENTS = 10_000;
const PAGE_SIZE = 50;
/** JavaScript is still being compiled during the first pages. */
const WARM_UP_PAGES = 20;

/** Groups, counts, successes, names, the cursor and the indexes have their cost; a statement per row would cost over ten times the insert. */
const MOST_TIMES = 6;

/** The CPU time of a page, in milliseconds. */
interface Costs {
  readonly record: number[];
  readonly insert: number[];
}

/** Measures the cost of recording a page of 50 failed events, compared to only inserting as many rows, in turns. */
export async function measure(): Promise<BenchResult> {
  const costs: Costs = { record: [], insert: [] };
  await withGeneratedService(eventsOfFirstRound(EVENTS, 1), (url) =>
    withDatabase(async (database) => {
      await database.executeSql(PLAIN_TABLES);
      await poll('bench', pollerParts(url, comparing(database, costs)));
    }),
  );
  const [record, insert] = [costs.record.slice(WARM_UP_PAGES), costs.insert.slice(WARM_UP_PAGES)];
  const against = 'inserting as many rows';
  return {
    name: 'store, a page of 50 failures',
    figures: [
      { label: 'recorded', value: median(record), unit: 'ms CPU' },
      { label: 'as many rows inserted', value: median(insert), unit: 'ms CPU' },
      { label: 'recorded', value: medianRatio(record, insert), unit: 'times', limit: MOST_TIMES, against },
    ],
  };
}

/** Wraps the store: after each full page it also inserts the page's rows directly, and records the costs of both. */
function comparing(database: Database, costs: Costs): RecheckParts['store'] {
  const store = storeOn(database).polling;
  return {
    ...store,
    async record(cursor, reading, now) {
      const { result: recorded, cpuMs } = await cpuTimed(() => store.record(cursor, reading, now));
      if (recorded.newFailures === PAGE_SIZE) {
        costs.record.push(cpuMs);
        costs.insert.push((await cpuTimed(() => insertPlainly(database, reading))).cpuMs);
      }
      return recorded;
    },
  };
}

const PLAIN_TABLES = `
  CREATE TABLE plain_tracked_events (LIKE tracked_events INCLUDING DEFAULTS, PRIMARY KEY (environment, event_key));
  CREATE TABLE plain_failures (LIKE failures INCLUDING DEFAULTS, PRIMARY KEY (environment, event_key, job_id, detail_id));
  ALTER TABLE plain_failures ALTER seq DROP NOT NULL, ALTER topics DROP NOT NULL;`;

/** Inserts the page's tracked events and failures into two tables with a primary key: no groups, no counts, no other index. */
async function insertPlainly(database: Database, { trackedEvents, failures }: Reading): Promise<void> {
  const now = new Date(START);
  const seen = trackedEvents.map((one) => [
    ...['bench', one.eventKey, true, one.eventId],
    ...[one.createdAt, one.nextReadAt, 1],
  ]);
  const failed = failures.map((one) => [
    ...['bench', one.eventKey, one.jobId, one.detailId, one.cause.key, true, one.verdict],
    ...[one.occurredAt, one.eventCreatedAt, now, one.eventId, one.transactionId],
    ...[one.subscriberId, one.severity, one.critical],
  ]);
  await insertRows(
    database,
    'plain_tracked_events (environment, event_key, is_readable, event_id, created_at, next_read_at, reads)',
    seen,
  );
  await insertRows(
    database,
    `plain_failures (environment, event_key, job_id, detail_id, group_key, is_announced, verdict, occurred_at,
       event_created_at, recorded_at, event_id, transaction_id, subscriber_id, severity, critical)`,
    failed,
  );
}

async function insertRows(database: Database, into: string, rows: readonly (readonly unknown[])[]): Promise<void> {
  let parameter = 0;
  const placesOf = (row: readonly unknown[]): string => `(${row.map(() => `$${++parameter}`).join(', ')})`;
  await database.executeSql(`INSERT INTO ${into} VALUES ${rows.map(placesOf).join(', ')}`, rows.flat());
}
