import PgBoss from 'pg-boss';
import type { Logger } from '../domain/logger.ts';
import type { Job } from './job.ts';
import { type ExecuteSql, queueSql } from './queue-sql.ts';
import { runningJobs } from './running-jobs.ts';

export interface QueueOptions {
  /** The store's: pg-boss keeps its jobs in the same database, in the schema `pgboss`. */
  readonly executeSql: ExecuteSql;
  readonly logger: Logger;
}

export interface Queue {
  /** Begins to run jobs, each for the first time at once. Rejects when the database can't be used. */
  start(jobs: readonly Job[]): Promise<void>;
  /** Runs a job at once, or again after its present run. Does nothing for a job that was not started, or after `stop`. */
  wake(name: string): Promise<void>;
  /** Aborts what is running and waits for its end, at most `STOP_MS`. A second call does nothing. */
  stop(): Promise<void>;
}

/** For a process that is told to stop and killed ten seconds later, as containers are. */
const STOP_MS = 8_000;

/** What does not end by itself this long after its signal is given up: pg-boss then counts it as failed. */
const GRACE_SECONDS = 10;

/** How often a worker looks for jobs that other replicas have sent; those of its own process wake it. */
const LOOK_EVERY_SECONDS = 2;

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
  readonly worker: string;
  readonly tick: NodeJS.Timeout;
}

/** A queue of jobs that replicas share through their database. */
export function createQueue({ executeSql, logger }: QueueOptions): Queue {
  const sql = queueSql(executeSql, logger);
  const boss = new PgBoss({ ...BOSS, db: sql });
  boss.on('error', (err) => logger.error({ err }, 'job queue failed'));
  const running = runningJobs(logger);
  const served = new Map<string, Served>();

  async function serve(job: Job): Promise<void> {
    // 'short': one at most waits, so that a run which is longer than a slot is followed by one run and not by many.
    await boss.createQueue(job.name, { name: job.name, policy: 'short' });
    const options = { pollingIntervalSeconds: LOOK_EVERY_SECONDS };
    const worker = await boss.work(job.name, options, () => running.run(job));
    const tick = setInterval(() => sendForSlot(job).catch(notSent(job)), tickMs(job));
    served.set(job.name, { job, worker, tick });
    if (!(await sendForSlot(job))) await send(job, {});
  }

  /** The slot's unique index lets one replica send; false when another has, or one waits already. */
  function sendForSlot(job: Job): Promise<boolean> {
    return send(job, { singletonSeconds: job.everySeconds });
  }

  async function send(job: Job, options: PgBoss.SendOptions): Promise<boolean> {
    const expireInSeconds = job.timeoutSeconds + GRACE_SECONDS;
    const id = await boss.send(job.name, {}, { ...options, expireInSeconds, retryLimit: 0 });
    const worker = served.get(job.name)?.worker;
    if (id !== null && worker !== undefined) boss.notifyWorker(worker);
    return id !== null;
  }

  function notSent(job: Job) {
    return (err: unknown): void => logger.error({ job: job.name, err }, 'job not sent');
  }

  return {
    async start(jobs) {
      await boss.start();
      for (const job of jobs) await serve(job);
      sql.tolerate();
    },
    async wake(name) {
      const waking = served.get(name);
      if (waking !== undefined) await send(waking.job, {});
    },
    async stop() {
      for (const { tick } of served.values()) clearInterval(tick);
      served.clear();
      await running.stop(STOP_MS);
      await boss.stop({ timeout: 1000, close: false });
      await sql.settle();
    },
  };
}

/** Often enough to be on time by a second or a sixtieth of the slot. */
function tickMs(job: Job): number {
  return Math.max(1000, (job.everySeconds * 1000) / 60);
}
