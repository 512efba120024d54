import { statusStore } from '../../src/app/stores.ts';
import { explainCause } from '../../src/domain/causes/explain-cause.ts';
import { anEnvironment } from '../../src/domain/environment.testing.ts';
import type { HeartbeatOutcome } from '../../src/domain/health/heartbeat-report.ts';
import type { Logger } from '../../src/domain/logger.ts';
import { waitUntilDue } from '../../src/jobs/due-timer.ts';
import type { BackgroundJob } from '../../src/jobs/job.ts';
import { ANNOUNCE, announceJob, DELIVER, deliverJob, heartbeatJob, pruneJob } from '../../src/jobs/jobs.ts';
import { type PollParts, pastJob, pastJobName, pollJob } from '../../src/jobs/poll.ts';
import { createRest } from '../../src/jobs/rest.ts';
import type { PollingCtx } from '../../src/lib/ctx.ts';
import { createPolls } from '../../src/polling/check-now.ts';
import { readPast } from '../../src/polling/read-past.ts';
import { readPresent } from '../../src/polling/read-present.ts';
import { createPublisher } from '../../src/slack/digest/publisher.ts';
import type { Database } from '../../src/store/database/database.ts';
import { storeOn } from '../../src/store/store.ts';
import { announceAll } from '../../src/use-cases/alerting/announce-all.ts';
import { announceFailures } from '../../src/use-cases/alerting/announce-failures.ts';
import { type DeliveryStore, deliverMessages } from '../../src/use-cases/alerting/deliver-messages.ts';
import { sendHeartbeat } from '../../src/use-cases/health/send-heartbeat.ts';
import type { DifficultService } from './difficult-service.ts';
import type { DifficultSlack } from './difficult-slack.ts';
import { mortalDatabase, ProcessKilledError, type Turns } from './mortal-database.ts';
import { createServiceClient } from './service-client.ts';
import type { VirtualTime } from './virtual-time.ts';

const ENVIRONMENT = 'production';

export interface ProcessParts {
  readonly database: Database;
  readonly turns: Turns;
  readonly time: VirtualTime;
  readonly service: DifficultService;
  readonly slack: DifficultSlack;
  readonly pollMs: number;
  readonly horizonMs: number;
  /** How far this process's clock is ahead of true time. */
  readonly clockAheadMs: number;
  /** Whether Slack's edits are paused for some time: then none can be claimed, which needn't be asked of the store. */
  readonly areEditsPaused: () => boolean;
  /** The statement, counted from the start, at which the process is killed; null if it isn't. */
  readonly diesAtStatement: number | null;
  /** Makes any of the processes run a job soon. */
  readonly wake: (job: string) => void;
  readonly onHeartbeat: (outcome: HeartbeatOutcome) => void;
  readonly onDeath: () => void;
  /** Called when a job ended with an unexpected error. */
  readonly onJobError: (job: string, error: unknown) => void;
}

/** A run of Notif: its jobs, wired as in src/app/jobs.ts, over a store, a service and a Slack of the model. */
export interface NotifProcess {
  readonly jobs: readonly BackgroundJob[];
  /** Runs a job. If it's running already, it runs once more afterwards. */
  run(job: BackgroundJob): void;
  kill(): void;
}

export function startProcess(parts: ProcessParts): NotifProcess {
  const { time, turns, onDeath, onJobError } = parts;
  const life = new AbortController();
  const running = new Set<string>();
  const wanted = new Set<string>();
  let statements = 0;

  function kill(): void {
    if (life.signal.aborted) return;
    life.abort(new ProcessKilledError());
    onDeath();
  }

  function step(): void {
    if (!life.signal.aborted && statements++ === parts.diesAtStatement) kill();
    life.signal.throwIfAborted();
  }

  function run(job: BackgroundJob): void {
    if (life.signal.aborted) return;
    if (running.has(job.name)) {
      wanted.add(job.name);
      return;
    }
    running.add(job.name);
    const stop = new AbortController();
    const callOff = time.at(time.now() + job.timeoutSeconds * 1_000, () =>
      stop.abort(new Error('the job took too long')),
    );
    const noted = job.run(AbortSignal.any([stop.signal, life.signal])).catch((error: unknown) => {
      if (!life.signal.aborted && !stop.signal.aborted) onJobError(job.name, error);
    });
    void noted.finally(() => {
      callOff();
      running.delete(job.name);
      if (wanted.delete(job.name)) run(job);
    });
  }

  const database = mortalDatabase(parts.database, turns, { step }, time.now);
  return { jobs: jobsOf(parts, database, life.signal), run, kill };
}

function jobsOf(parts: ProcessParts, database: Database, life: AbortSignal): BackgroundJob[] {
  const { time, service, slack, pollMs, horizonMs, onHeartbeat } = parts;
  const logger: Logger = { debug() {}, info() {}, warn() {}, error() {} };
  const nowMs = () => time.now() + parts.clockAheadMs;
  const now = () => new Date(nowMs());
  const store = storeOn(database);
  const client = createServiceClient({ service, time, environment: ENVIRONMENT, now: nowMs, life });
  const publisher = createPublisher({
    deliveryClient: slack.client(life),
    environments: [anEnvironment()],
    explainCause,
    logger,
  });
  const wake = (job: string) => async () => parts.wake(job);
  const everySeconds = pollMs / 1_000;
  const polls = createPolls();
  const ctx: PollingCtx = {
    ...{ db: database, log: logger, now, pollMs, horizonMs, sampleTraffic: () => {} },
    service: () => client,
  };
  const rest = createRest(now);
  const wakeAnnouncing = wake(ANNOUNCE);
  const deliveries: DeliveryStore = {
    ...store.deliveries,
    claimEdit: async (at) => (parts.areEditsPaused() ? null : store.deliveries.claimEdit(at)),
  };
  const polling: PollParts = {
    ...{ everySeconds, logger, now, wakeAnnouncing, count: () => {} },
    wakePast: wake(pastJobName(ENVIRONMENT)),
    readPresent: (name, signal) => polls.run(name, () => readPresent(ctx, name, signal)),
    readPast: (name, until, signal) => readPast(ctx, name, until, signal),
  };
  const setDeliveryTimer = deliveryTimer(parts, () => store.deliveries.nextDeliveryAt(now()), now, life);
  return [
    announceJob(everySeconds, {
      announce: (signal) =>
        announceAll({
          ...{
            environments: [ENVIRONMENT],
            store: store.polling,
            isRecording: polls.isRecording,
            logger,
            now,
            pollMs,
            signal,
          },
          announce: (name) => announceFailures(name, { store: store.alerting, logger, now }),
        }),
      wakeDelivery: wake(DELIVER),
      setDeliveryTimer: () => setDeliveryTimer(null),
    }),
    pollJob(ENVIRONMENT, rest, polling),
    pastJob(ENVIRONMENT, rest, polling),
    deliverJob(
      async (signal) => {
        await deliverMessages({ store: deliveries, publisher, operators: [], logger, now, signal });
        if (!signal.aborted) await store.deliveries.noteDelivered(now(), pollMs);
      },
      () => setDeliveryTimer(now()),
    ),
    heartbeatJob(everySeconds, (signal) =>
      sendHeartbeat({
        ...{ store: statusStore(store), environments: [ENVIRONMENT], pollMs, logger, now, signal, onHeartbeat },
        call: async () => ({ kind: 'answered', status: 200 }),
      }),
    ),
    pruneJob({ store: store.operation, retentionDays: DAYS_KEPT, logger, now }),
  ];
}

/** Works as src/jobs/due-timer.ts does, in virtual time: delivery runs when something is due. */
function deliveryTimer(
  { time, wake }: Pick<ProcessParts, 'time' | 'wake'>,
  nextDueAt: () => Promise<Date | null>,
  now: () => Date,
  life: AbortSignal,
): (ranAt: Date | null) => Promise<void> {
  let lastRanAt: Date | null = null;
  let callOff = () => {};
  return async (ranAt) => {
    lastRanAt = ranAt ?? lastRanAt;
    const dueAt = await nextDueAt();
    callOff();
    if (dueAt === null) return;
    const waitMs = waitUntilDue(dueAt, lastRanAt, now());
    callOff = time.at(time.now() + waitMs, () => life.aborted || wake(DELIVER));
  };
}

/** NOTIF_RETENTION_DAYS */
const DAYS_KEPT = 30;
