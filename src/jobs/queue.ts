import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import PgBoss from 'pg-boss';
import { z } from 'zod';
import { isKnownTrouble } from '../domain/health/store-trouble.ts';
import type { Logger } from '../domain/logger.ts';
import type { Observer } from '../domain/observer.ts';
import { systemCode } from '../domain/text/system-code.ts';
import { databaseClock } from './database-clock.ts';
import type { BackgroundJob } from './job.ts';
import { toleratingOutages } from './outages.ts';
import { GRACE_MS, type JobOutcome, runningJobs } from './running-jobs.ts';
import { inTurn, offsetOf, type Slots, startSlots } from './slots.ts';
import { startWorker, type Worker } from './worker.ts';

export type ExecuteSql = (text: string, values?: readonly unknown[]) => Promise<{ rows: unknown[] }>;

export interface QueueOptions {
  /** The store's statement runner: pg-boss keeps its jobs in the same database, in the schema `pgboss`. */
  readonly executeSql: ExecuteSql;
  readonly logger: Logger;
  /** Called for each run, with the job's name. */
  readonly observe?: Observer<JobOutcome>;
}

export interface Queue {
  /** Starts the jobs. Their first runs begin soon, one after the other. Rejects if the database can't be used. */
  start(jobs: readonly BackgroundJob[]): Promise<void>;
  /** Runs a job at once, or again after its current run. Does nothing for a job that wasn't started, or after `stop`. */
  wake(name: string): Promise<void>;
  /** Aborts running jobs and waits for them to end, for at most `GRACE_MS`. A second call does nothing. */
  stop(): Promise<void>;
}

/** All jobs share one queue by their keys: pg-boss makes a table for each queue, and needs a statement for each to look for work. */
export const QUEUE = 'jobs';

/** How often a replica looks for jobs that others have sent. */
const LOOK_EVERY_MS = 2_000;

/** The pause between exchanges, which send, fetch and complete jobs together. A thousand environments have fifty jobs a second. */
const PAUSE_MS = 100;

/** How many jobs one statement fetches. */
const BATCH = 100;

/**
 * Each replica takes a job's slots after its own delay, which is within this share of the slot. The same replica is therefore the first in
 * every slot for as long as it lives: jobs are spread over replicas.
 */
const SHARE_OF_DELAYS = 1 / 20;

const BOSS: PgBoss.ConstructorOptions = {
  // Jobs run in slots of seconds, which cron doesn't support.
  schedule: false,
  maintenanceIntervalSeconds: 60,
  // A slot counts as taken while its row is kept: longer than a replica's longest delay.
  archiveCompletedAfterSeconds: 1800,
  deleteAfterSeconds: 60,
};

/** Rows of a slot that comes again after the clock was set back: they would keep its job from running until their time has come. */
const REMOVE_AHEAD = `DELETE FROM pgboss.job WHERE name = '${QUEUE}' AND created_on > now() + interval '1 second'`;

/** The data of a job's row. */
const Sent = z.object({ job: z.string() });

/** A started job, and what runs it in this process. */
interface Served {
  readonly job: BackgroundJob;
  readonly worker: Worker;
  readonly slots: Slots;
  /** The IDs of the rows fetched for its next run. */
  readonly fetched: string[];
}

/**
 * Creates a queue of jobs that replicas share through their database. Notif fetches and completes jobs itself, because pg-boss's own
 * workers don't await the completion of a job: a database error there would end the process.
 */
export function createQueue({ executeSql, logger, observe }: QueueOptions): Queue {
  const boss = new PgBoss({ ...BOSS, db: { executeSql } });
  boss.on('error', (err) => {
    if (isKnownTrouble(err)) logger.debug({ trouble: err.trouble }, 'upkeep of the job queue waits for the store');
    else logger.error({ err }, 'upkeep of the job queue failed');
  });
  const running = runningJobs(GRACE_MS, logger, observe);
  const tolerate = toleratingOutages(logger);
  const clock = databaseClock(executeSql);
  const replica = randomUUID();
  const served = new Map<string, Served>();
  /** Rows to send, by job, and the IDs of rows whose job is done. */
  const unsent = new Map<string, PgBoss.JobInsert>();
  const done = new Set<string>();
  let exchanging: Worker | null = null;
  let firstRuns: Slots | null = null;

  function serve(job: BackgroundJob): void {
    const fetched: string[] = [];
    const worker = startWorker(async () => {
      const ids = fetched.splice(0);
      if (ids.length === 0) return;
      await running.run(job);
      for (const id of ids) done.add(id);
    });
    const everyMs = job.everySeconds * 1000;
    const slots = startSlots({
      everyMs,
      offsetMs: offsetOf(job.name, everyMs),
      delayMs: offsetOf(`${replica} ${job.name}`, everyMs * SHARE_OF_DELAYS),
      clock: clock.now,
      take: (slot) => {
        if (!unsent.has(job.name)) offer(job, slotId(job.name, slot));
      },
    });
    served.set(job.name, { job, worker, slots, fetched });
    offer(job, randomUUID());
  }

  /** Queues a row for sending. The server keeps the first of rows with the same ID, and the first of a job's rows that aren't fetched. */
  function offer({ name, timeoutSeconds }: BackgroundJob, id: string): void {
    unsent.set(name, {
      id,
      name: QUEUE,
      data: { job: name },
      singletonKey: name,
      expireInSeconds: Math.ceil(timeoutSeconds + (GRACE_MS + LOOK_EVERY_MS) / 1000),
      retryLimit: 0,
    });
    exchanging?.wake();
  }

  /** Sends, completes and fetches rows. What fails because the database is away is retried in the next exchange. */
  async function exchange(): Promise<void> {
    await tolerate(async () => {
      await readClock();
      await send();
      await complete();
      for (let isFull = true; isFull; ) isFull = (await fetch()) === BATCH;
    });
    await wait(PAUSE_MS);
  }

  async function readClock(): Promise<void> {
    if (await clock.ask()) await executeSql(REMOVE_AHEAD);
  }

  async function send(): Promise<void> {
    const rows = [...unsent];
    if (rows.length === 0) return;
    await boss.insert(rows.map(([, row]) => row));
    for (const [name, row] of rows) if (unsent.get(name) === row) unsent.delete(name);
  }

  async function complete(): Promise<void> {
    const ids = [...done];
    if (ids.length === 0) return;
    await boss.complete(QUEUE, ids);
    for (const id of ids) done.delete(id);
  }

  /** Fetches rows and returns how many there were. For pg-boss, a database that is away is an empty queue. */
  async function fetch(): Promise<number> {
    const rows = await boss.fetch(QUEUE, { batchSize: BATCH });
    for (const { id, data } of rows) {
      const one = served.get(Sent.parse(data).job);
      // An environment that only another replica has: that replica retries in its next slot.
      if (one === undefined) done.add(id);
      one?.fetched.push(id);
      one?.worker.wake();
    }
    return rows.length;
  }

  return {
    async start(jobs) {
      await boss.start();
      await makeQueue(boss);
      await readClock();
      exchanging = startWorker(exchange, LOOK_EVERY_MS);
      firstRuns = inTurn(jobs, serve);
    },
    async wake(name) {
      const waking = served.get(name);
      if (waking !== undefined) offer(waking.job, randomUUID());
    },
    async stop() {
      firstRuns?.stop();
      const stopping = [...served.values()];
      served.clear();
      for (const { slots } of stopping) slots.stop();
      running.abort();
      await exchanging?.stop();
      await Promise.all(stopping.map(({ worker }) => worker.stop()));
      if (done.size > 0) await tolerate(complete);
      await boss.stop({ graceful: false });
    },
  };
}

/** Returns an ID that is the same for all replicas, so that a slot has only one row. */
function slotId(job: string, slot: number): string {
  const hex = createHash('sha256').update(`${job} ${slot}`).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-');
}

const DEADLOCK = '40P01';
const MOST_TRIES = 10;

/**
 * Creates the queue. Policy 'short' lets at most one row of a job wait, so that a run longer than its slot is followed by one run, not
 * many. Replicas that create the queue at once can deadlock; the one that the server fails finds the queue created when it retries.
 */
async function makeQueue(boss: PgBoss): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await boss.createQueue(QUEUE, { name: QUEUE, policy: 'short' });
    } catch (error) {
      if (systemCode(error) !== DEADLOCK || tries === MOST_TRIES) throw error;
    }
  }
}
