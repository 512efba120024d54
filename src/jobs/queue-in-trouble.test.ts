import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { StoreTroubleError } from '../domain/health/store-trouble.ts';
import { openTestStore, silent } from '../store/store.testing.ts';
import type { Store } from '../store/store.ts';
import { ASK_TIME, TimeRow } from './database-clock.ts';
import { gate, job, listening } from './jobs.testing.ts';
import { createQueue, type ExecuteSql, type Queue } from './queue.ts';

describe('a queue without its database', () => {
  let store: Store;
  let queue: Queue;
  beforeAll(async () => {
    store = await openTestStore();
  });
  afterEach(() => queue.stop());
  afterAll(() => store.close());

  test('survives an outage, and logs its beginning and its end once', async () => {
    const { sentences, logger } = listening();
    let isAway = false;
    const executeSql: ExecuteSql = (text, values) =>
      isAway ? Promise.reject(new Error('away')) : store.executeSql(text, values);
    let runs = 0;
    queue = createQueue({ executeSql, logger });
    const ending = gate();
    await queue.start([
      job(
        async () => {
          runs += 1;
          if (runs === 1) await ending.opened;
        },
        { everySeconds: 1 },
      ),
    ]);
    await expect.poll(() => runs).toBe(1);
    isAway = true;
    ending.open();
    await expect.poll(() => sentences, { timeout: 60_000 }).toEqual(["job queue can't use its database, jobs wait"]);
    isAway = false;
    await expect.poll(() => runs, { timeout: 60_000 }).toBeGreaterThan(1);
    expect(sentences).toEqual(["job queue can't use its database, jobs wait", 'job queue reaches its database again']);
  });

  test("logs nothing about the store's trouble that the log has already, and goes on after it", async () => {
    const { sentences, logger } = listening();
    let isInTrouble = false;
    let rejected = 0;
    const executeSql: ExecuteSql = (text, values) => {
      if (!isInTrouble) return store.executeSql(text, values);
      rejected += 1;
      return Promise.reject(new StoreTroubleError('not-answering', undefined, { isKnown: true }));
    };
    let runs = 0;
    queue = createQueue({ executeSql, logger });
    await queue.start([job(async () => void runs++, { everySeconds: 1 })]);
    await expect.poll(() => runs).toBe(1);
    isInTrouble = true;
    await expect.poll(() => rejected, { timeout: 60_000 }).toBeGreaterThanOrEqual(2);
    isInTrouble = false;
    const before = runs;
    await expect.poll(() => runs, { timeout: 60_000 }).toBeGreaterThan(before);
    expect(sentences).toEqual([]);
  });

  test('refuses to start without its database', async () => {
    queue = createQueue({ executeSql: () => Promise.reject(new Error('away')), logger: silent });
    await expect(queue.start([])).rejects.toThrow('away');
  });
});

describe("a queue whose database's clock is set back", () => {
  let store: Store;
  let queue: Queue;
  let backMs: number;
  /** Runs statements on a server whose clock is `backMs` behind. */
  const executeSql: ExecuteSql = async (text, values) => {
    const { rows } = await store.executeSql(text, values);
    if (text !== ASK_TIME) return { rows };
    return {
      rows: TimeRow.array()
        .parse(rows)
        .map(({ ms }) => ({ ms: ms - backMs })),
    };
  };
  beforeEach(async () => {
    backMs = 0;
    store = await openTestStore();
    queue = createQueue({ executeSql, logger: silent });
  });
  afterEach(async () => {
    await queue.stop();
    await store.close();
  });
  /** Leaves a row that nobody has fetched yet, as a clock that is ten minutes ahead would have dated it. */
  const leaveRowAhead = () =>
    store.executeSql(
      `INSERT INTO pgboss.job (name, data, policy, retry_limit, singleton_key, created_on, start_after)
       VALUES ('jobs', '{"job": "count"}', 'short', 0, 'count', now() + interval '10 min', now() + interval '10 min')`,
    );

  test('goes on with what was dated ahead', async () => {
    let runs = 0;
    await queue.start([job(async () => void runs++)]);
    await expect.poll(() => runs).toBe(1);
    await leaveRowAhead();
    await queue.wake('count');
    backMs = 60_000;
    await expect.poll(() => queue.wake('count').then(() => runs), { timeout: 20_000 }).toBeGreaterThan(1);
  });

  test('starts although rows are dated ahead', async () => {
    await queue.start([]);
    await queue.stop();
    await leaveRowAhead();
    queue = createQueue({ executeSql, logger: silent });
    let runs = 0;
    await queue.start([job(async () => void runs++)]);
    await expect.poll(() => runs, { timeout: 20_000 }).toBe(1);
  });
});
