import PgBoss from 'pg-boss';
import type { Logger } from '../domain/logger.ts';
import type { Observer } from '../domain/observer.ts';
import type { Job } from './job.ts';
import { toleratingOutages } from './outages.ts';
import { GRACE_MS, type JobOutcome, runningJobs } from './running-jobs.ts';
import { type Slots, startSlots } from './slots.ts';
import { startWorker, type Worker } from './worker.ts';

export type ExecuteSql = (text: string, values?: readonly unknown[]) => Promise<{ rows: unknown[] }>;

export interface QueueOptions {
  /** The store's: pg-boss keeps its jobs in the same database, in the schema `pgboss`. */
  readonly executeSql: ExecuteSql;
  readonly logger: Logger;
  /** Called for each run, with the job's name. */
  readonly observe?: Observer<JobOutcome>;
}

export interface Queue {
  /** Begins to run jobs, each for the first time at once. Rejects when the database can't be used. */
  start(jobs: readonly Job[]): Promise<void>;
  /** Runs a job at once, or again after its present run. Does nothing for a job that was not started, or after `stop`. */
  wake(name: string): Promise<void>;
  /** Aborts what is running and waits for its end, for at most `GRACE_MS`. A second call does nothing. */
  stop(): Promise<void>;
}

/** How often a worker looks for jobs that other replicas have sent; those of its own process wake it. */
const LOOK_EVERY_MS = 2_000;

const BOSS: PgBoss.ConstructorOptions = {
  // Jobs come by slots of seconds, which cron does not know.
  schedule: false,
  maintenanceIntervalSeconds: 60,
  // A slot counts as taken as long as its job is kept: longer than the longest slot.
  archiveCompletedAfterSeconds: 2 * 3600,
  deleteAfterSeconds: 3600,
};

/** A started job with what runs it in this process. */
interface Served {
  readonly job: Job;
  readonly worker: Worker;
  readonly slots: Slots;
}

/**
 * A queue of jobs that replicas share through their database. pg-boss's own workers leave the outcome of a job unawaited, where an
 * error of the database would end the process: jobs are fetched and completed by a worker of ours.
 */
export function createQueue({ executeSql, logger, observe }: QueueOptions): Queue {
  const boss = new PgBoss({ ...BOSS, db: { executeSql } });
  boss.on('error', (err) => logger.error({ err }, 'upkeep of the job queue failed'));
  const running = runningJobs(GRACE_MS, logger, observe);
  const tolerate = toleratingOutages(logger);
  const served = new Map<string, Served>();

  async function serve(job: Job): Promise<void> {
    await makeQueue(boss, job.name);
    if (!(await sendForSlot(job))) await send(job);
    const worker = startWorker(() => runNext(job), LOOK_EVERY_MS);
    const slots = startSlots(job.everySeconds * 1000, async () => {
      let isSent = false;
      await tolerate(async () => {
        isSent = await sendForSlot(job);
      });
      // A job that waits already, since the database was away when it was to be fetched, keeps the slot's from being sent.
      if (!isSent) worker.wake();
      return isSent;
    });
    served.set(job.name, { job, worker, slots });
  }

  async function runNext(job: Job): Promise<void> {
    // pg-boss takes a database that is away for an empty queue.
    const [fetched] = await boss.fetch(job.name);
    if (fetched === undefined) return;
    await running.run(job);
    await tolerate(() => boss.complete(job.name, fetched.id));
  }

  /** The slot's unique index lets one replica send; false when another has, or a job waits already. */
  function sendForSlot(job: Job): Promise<boolean> {
    return send(job, { singletonSeconds: job.everySeconds });
  }

  async function send(job: Job, slot: PgBoss.SendOptions = {}): Promise<boolean> {
    const expireInSeconds = Math.ceil(job.timeoutSeconds + GRACE_MS / 1000);
    const id = await boss.send(job.name, {}, { ...slot, expireInSeconds, retryLimit: 0 });
    if (id !== null) served.get(job.name)?.worker.wake();
    return id !== null;
  }

  return {
    async start(jobs) {
      await boss.start();
      for (const job of jobs) await serve(job);
    },
    async wake(name) {
      const waking = served.get(name);
      if (waking !== undefined) await tolerate(() => send(waking.job));
    },
    async stop() {
      const stopping = [...served.values()];
      served.clear();
      for (const { slots } of stopping) slots.stop();
      running.abort();
      await Promise.all(stopping.map(({ worker }) => worker.stop()));
      await boss.stop({ graceful: false });
    },
  };
}

const DEADLOCK = '40P01';
const MOST_TRIES = 10;

/**
 * 'short': one job at most waits, so that a run which is longer than a slot is followed by one run and not by many. Replicas that make
 * the same queue at once can lock each other out; the one that the server chose to fail finds it made when it tries again.
 */
async function makeQueue(boss: PgBoss, name: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await boss.createQueue(name, { name, policy: 'short' });
    } catch (error) {
      const isDeadlock = error instanceof Error && 'code' in error && error.code === DEADLOCK;
      if (!isDeadlock || tries === MOST_TRIES) throw error;
    }
  }
}
