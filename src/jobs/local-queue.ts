import type { Queue, QueueOptions } from './queue.ts';
import { GRACE_MS, runningJobs } from './running-jobs.ts';
import { inTurn, offsetOf, type Slots, startSlots } from './slots.ts';
import { startWorker, type Worker } from './worker.ts';

/** A started job's worker and slots. */
interface Served {
  readonly worker: Worker;
  readonly slots: Slots;
}

/** Creates the queue of a database's only process. Jobs can live in memory, since they carry no data and run at each start. */
export function createLocalQueue({ logger, observe }: Pick<QueueOptions, 'logger' | 'observe'>): Queue {
  const running = runningJobs(GRACE_MS, logger, observe);
  const served = new Map<string, Served>();
  let firstRuns: Slots | null = null;
  return {
    async start(jobs) {
      firstRuns = inTurn(jobs, (job) => {
        const everyMs = job.everySeconds * 1000;
        const worker = startWorker(() => running.run(job));
        const slots = startSlots({ everyMs, offsetMs: offsetOf(job.name, everyMs), take: worker.wake });
        served.set(job.name, { worker, slots });
      });
    },
    async wake(name) {
      served.get(name)?.worker.wake();
    },
    async stop() {
      firstRuns?.stop();
      const stopping = [...served.values()];
      served.clear();
      for (const { slots } of stopping) slots.stop();
      running.abort();
      await Promise.all(stopping.map(({ worker }) => worker.stop()));
    },
  };
}
