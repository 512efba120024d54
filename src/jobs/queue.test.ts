import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Logger } from '../domain/logger.ts';
import { newDatabase, openTestStore, silent } from '../store/store.testing.ts';
import { openStore, type Store } from '../store/store.ts';
import type { BackgroundJob } from './job.ts';
import { gate, job, listening } from './jobs.testing.ts';
import { createLocalQueue } from './local-queue.ts';
import { createQueue, type ExecuteSql, type Queue } from './queue.ts';

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve()));

describe.each(['shared by replicas', 'of a process that is alone'])('a queue %s', (kind) => {
  let store: Store | null = null;
  let queue: Queue;
  const create = (logger: Logger = silent): Queue =>
    store === null ? createLocalQueue({ logger }) : createQueue({ executeSql: store.executeSql, logger });
  const begin = async (...jobs: BackgroundJob[]): Promise<void> => {
    queue = create();
    await queue.start(jobs);
  };
  beforeAll(async () => {
    if (kind === 'shared by replicas') store = await openTestStore();
  });
  beforeEach(() => store?.executeSql('DROP SCHEMA IF EXISTS pgboss CASCADE'));
  afterEach(() => {
    vi.useRealTimers();
    return queue.stop();
  });
  afterAll(() => store?.close());

  test('runs a job at once when it starts, and again in each slot', async () => {
    let runs = 0;
    await begin(job(async () => void runs++, { everySeconds: 1 }));
    await expect.poll(() => runs, { timeout: 60_000 }).toBeGreaterThanOrEqual(2);
  });

  test("runs a job in each slot although this machine's clock is set back again and again", async () => {
    vi.setSystemTime(Date.now());
    let runs = 0;
    await begin(job(async () => void runs++, { everySeconds: 1 }));
    await expect.poll(() => runs, { timeout: 20_000 }).toBeGreaterThanOrEqual(4);
  });

  test('runs a job at once again after a restart within its slot', async () => {
    let runs = 0;
    await begin(job(async () => void runs++));
    await expect.poll(() => runs).toBe(1);
    await queue.stop();
    await begin(job(async () => void runs++));
    await expect.poll(() => runs).toBe(2);
  });

  test('runs a job once more if it was woken any number of times during a run', async () => {
    const first = gate();
    let runs = 0;
    await begin(
      job(async () => {
        runs += 1;
        await first.opened;
      }),
    );
    await expect.poll(() => runs).toBe(1);
    for (let times = 0; times < 5; times++) await queue.wake('count');
    expect(runs).toBe(1);
    first.open();
    await expect.poll(() => runs).toBe(2);
    await queue.wake('count');
    await expect.poll(() => runs).toBe(3);
  });

  test("ignores wake-ups for jobs it doesn't run", async () => {
    await begin();
    await expect(queue.wake('unknown')).resolves.toBeUndefined();
  });

  test('aborts a run at its timeout, logs that and continues', async () => {
    const { sentences, logger } = listening();
    let runs = 0;
    queue = create(logger);
    const hanging = async (signal: AbortSignal): Promise<void> => {
      runs += 1;
      await aborted(signal);
    };
    await queue.start([job(hanging, { timeoutSeconds: 0.05 })]);
    await expect.poll(() => sentences).toContain('job cut off at its timeout');
    await queue.wake('count');
    await expect.poll(() => runs).toBe(2);
  });

  test('logs an error from a run, and runs the job again', async () => {
    const { sentences, logger } = listening();
    queue = create(logger);
    await queue.start([job(() => Promise.reject(new Error('no luck')))]);
    await expect.poll(() => sentences).toEqual(['job failed']);
    await queue.wake('count');
    await expect.poll(() => sentences).toEqual(['job failed', 'job failed']);
  });

  test('aborts running jobs when it stops, and waits for them to end', async () => {
    const happened: string[] = [];
    const ending = gate();
    await begin(
      job(async (signal) => {
        happened.push('running');
        await aborted(signal);
        happened.push('aborted');
        await ending.opened;
        happened.push('ended');
      }),
    );
    await expect.poll(() => happened).toEqual(['running']);
    const stopped = queue.stop().then(() => happened.push('stopped'));
    await expect.poll(() => happened).toEqual(['running', 'aborted']);
    ending.open();
    await stopped;
    expect(happened).toEqual(['running', 'aborted', 'ended', 'stopped']);
  });
});

/** Returns the queue's completed rows, by job. */
const completed = async (store: Store): Promise<unknown[]> =>
  (await store.executeSql(`SELECT data->>'job' AS job, id FROM pgboss.job WHERE state = 'completed'`)).rows;

describe('a queue of many jobs', () => {
  test('sends, fetches and completes them together', async () => {
    const store = await openTestStore();
    let statements = 0;
    const executeSql: ExecuteSql = (text, values) => {
      statements += 1;
      return store.executeSql(text, values);
    };
    const queue = createQueue({ executeSql, logger: silent });
    const runs = new Map<string, number>();
    const count = (name: string) => async () => void runs.set(name, (runs.get(name) ?? 0) + 1);
    const names = Array.from({ length: 100 }, (_, index) => `poll-${index}`);
    await queue.start(names.map((name) => job(count(name), { name, everySeconds: 2 })));
    const atStart = statements;
    await expect.poll(() => Math.min(...names.map((name) => runs.get(name) ?? 0))).toBeGreaterThanOrEqual(3);
    expect(statements - atStart).toBeLessThan([...runs.values()].reduce((sum, times) => sum + times, 0));
    await queue.stop();
    expect(await completed(store)).toHaveLength([...runs.values()].reduce((sum, times) => sum + times, 0));
    await store.close();
  });

  test("drops jobs of another replica that it doesn't know", async () => {
    const store = await openTestStore();
    const queue = createQueue({ executeSql: store.executeSql, logger: silent });
    let runs = 0;
    await queue.start([job(async () => void runs++)]);
    await expect.poll(() => runs).toBe(1);
    await store.executeSql(
      `INSERT INTO pgboss.job (name, data, policy, retry_limit) VALUES ('jobs', '{"job": "poll-unknown"}', 'short', 0)`,
    );
    await expect.poll(async () => JSON.stringify(await completed(store))).toContain('poll-unknown');
    await queue.stop();
    expect(runs).toBe(1);
    await store.close();
  });
});

describe('queues of replicas', () => {
  test('start at once on an empty server, and run each slot’s job once between them', async () => {
    const url = await newDatabase();
    const stores = await Promise.all(
      [1, 2, 3].map(() => openStore({ database: { kind: 'server', url }, logger: silent })),
    );
    const queues = stores.map((store) => createQueue({ executeSql: store.executeSql, logger: silent }));
    const runsAt: number[] = [];
    await Promise.all(
      queues.map((queue) => queue.start([job(async () => void runsAt.push(Date.now()), { everySeconds: 2 })])),
    );
    const since = Date.now();
    await expect.poll(() => runsAt.length, { timeout: 60_000 }).toBeGreaterThanOrEqual(6);
    await Promise.all(queues.map((queue) => queue.stop()));
    // Each replica runs it once at its start.
    const slots = (Date.now() - since) / 2_000 + 1;
    expect(runsAt.length).toBeLessThanOrEqual(slots + queues.length);
    await Promise.all(stores.map((store) => store.close()));
  });

  test('share the jobs, and each keeps its own from slot to slot until it dies', async () => {
    const url = await newDatabase();
    const stores = await Promise.all(
      [1, 2].map(() => openStore({ database: { kind: 'server', url }, logger: silent })),
    );
    const queues = stores.map((store) => createQueue({ executeSql: store.executeSql, logger: silent }));
    const names = Array.from({ length: 20 }, (_, index) => `poll-${index}`);
    const ran = stores.map(() => new Map<string, number>());
    const runsOf = (replica: number, name: string) => ran[replica]?.get(name) ?? 0;
    for (const [replica, queue] of queues.entries()) {
      const count = (name: string) => async () => void ran[replica]?.set(name, runsOf(replica, name) + 1);
      await queue.start(names.map((name) => job(count(name), { name, everySeconds: 3 })));
    }
    await expect
      .poll(() => Math.min(...names.map((name) => runsOf(0, name) + runsOf(1, name))))
      .toBeGreaterThanOrEqual(5);
    // A replica may run all jobs once at its start.
    const kept = [0, 1].map((replica) => names.filter((name) => runsOf(replica, name) > 2));
    expect(kept.every((each) => each.length > 2)).toBe(true);
    await queues[0]?.stop();
    const before = names.map((name) => runsOf(1, name));
    await expect
      .poll(() => Math.min(...names.map((name, index) => runsOf(1, name) - (before[index] ?? 0))))
      .toBeGreaterThanOrEqual(1);
    await queues[1]?.stop();
    await Promise.all(stores.map((store) => store.close()));
  });

  test('take over a job whose process died in the middle of it', async () => {
    const url = await newDatabase();
    const [dying, living] = await Promise.all(
      [1, 2].map(() => openStore({ database: { kind: 'server', url }, logger: silent })),
    );
    if (!dying || !living) throw new Error('two stores were opened');
    const death = gate();
    const died = createQueue({ executeSql: dying.executeSql, logger: silent });
    let begun = 0;
    await died.start([
      job(() => {
        begun += 1;
        return death.opened;
      }),
    ]);
    await expect.poll(() => begun).toBe(1);

    let runs = 0;
    const queue = createQueue({ executeSql: living.executeSql, logger: silent });
    await queue.start([job(async () => void runs++)]);
    await expect.poll(() => runs, { timeout: 60_000 }).toBe(1);

    death.open();
    await Promise.all([queue.stop(), died.stop()]);
    await Promise.all([dying.close(), living.close()]);
  });
});
