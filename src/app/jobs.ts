import type { Config } from '../config.ts';
import { listedUsers } from '../domain/access/operators.ts';
import { createDueTimer, type DueTimer } from '../jobs/due-timer.ts';
import { createFirstRound } from '../jobs/first-round.ts';
import { integrationsJob } from '../jobs/integrations.ts';
import type { BackgroundJob } from '../jobs/job.ts';
import {
  ANNOUNCE,
  announceJob,
  DELIVER,
  DELIVER_EVERY_SECONDS,
  deliverJob,
  HEARTBEAT,
  heartbeatJob,
  pruneJob,
  summariesJob,
} from '../jobs/jobs.ts';
import { type PollParts, pastJob, pastJobName, pollJob } from '../jobs/poll.ts';
import { resumeTriggersJob } from '../jobs/resume-triggers.ts';
import { readPast } from '../polling/read-past.ts';
import { readPresent } from '../polling/read-present.ts';
import { callHeartbeat } from '../process/heartbeat.ts';
import type { Metrics } from '../process/metrics.ts';
import { createPublisher } from '../slack/digest/publisher.ts';
import { runPartsOf } from '../slack/trigger/send.ts';
import { announceAll } from '../use-cases/alerting/announce-all.ts';
import { announceFailures } from '../use-cases/alerting/announce-failures.ts';
import { countDeliveries } from '../use-cases/alerting/count-deliveries.ts';
import { deliverMessages } from '../use-cases/alerting/deliver-messages.ts';
import { createSummariser } from '../use-cases/alerting/summarise-day.ts';
import { readIntegrations } from '../use-cases/changes/read-integrations.ts';
import { sendHeartbeat } from '../use-cases/health/send-heartbeat.ts';
import { resumeTrigger } from '../use-cases/triggers/run-trigger.ts';
import { daysKept, deliveryNotedMs, pollMs } from './durations.ts';
import type { Parts, SlackParts } from './slack-parts.ts';
import { statusStore, triggerStore } from './stores.ts';

interface JobParts extends Parts {
  readonly metrics: Metrics;
  readonly slackParts: SlackParts;
  readonly signal: AbortSignal;
  /** Before Slack could deliver anything. */
  readonly startedAt: Date;
}

export function createJobs(config: Config, parts: JobParts): BackgroundJob[] {
  const { logger, now, store, loops, slackParts, startedAt } = parts;
  const wakeDelivery = () => loops.wake(DELIVER);
  const deliveryTimer = createDueTimer({
    nextDueAt: (at) => store.deliveries.nextDeliveryAt(at),
    wake: wakeDelivery,
    everyMs: DELIVER_EVERY_SECONDS * 1000,
    now,
    signal: parts.signal,
  });
  return [
    deliveriesJob(config, deliveryTimer, parts),
    ...readingJobs(config, deliveryTimer, parts),
    resumeTriggersJob({
      unfinished: (newerThan) => store.triggers.unfinishedIntents(newerThan),
      resume: (unfinished, signal) =>
        resumeTrigger(unfinished, {
          ...runPartsOf(unfinished.intent.environment, { ...slackParts, store: triggerStore(slackParts.store) }),
          signal,
        }),
      aloneSince: config.database.kind === 'embedded' ? startedAt : null,
      logger,
      now,
    }),
    summariesJob({
      pollSeconds: config.pollSeconds,
      summarise: createSummariser({
        store: store.alerting,
        environments: namesIn(config),
        pollMs: pollMs(config),
        logger,
        now,
      }),
      wakeDelivery,
    }),
    pruneJob({
      store: store.operation,
      retentionDays: daysKept(config),
      logger,
      now,
    }),
    ...heartbeatJobs(config, parts),
  ];
}

function deliveriesJob(
  config: Config,
  timer: DueTimer,
  { logger, now, store, slack, slackParts, metrics }: JobParts,
): BackgroundJob {
  const environments = config.environments.map(({ environment }) => environment);
  const { explainCause } = slackParts;
  const posting = createPublisher({ deliveryClient: slack.deliveryClient, environments, explainCause, logger });
  const publisher = countDeliveries(posting, metrics.countDelivery);
  const operators = listedUsers(config.operators);
  return deliverJob(async (signal) => {
    const unexpected = await deliverMessages({ store: store.deliveries, publisher, operators, logger, now, signal });
    if (unexpected === 0 && !signal.aborted) await store.deliveries.noteDelivered(now(), deliveryNotedMs(config));
  }, timer.setAfterRun);
}

/** The jobs of an environment share their service's requested pause. */
function readingJobs(config: Config, deliveryTimer: DueTimer, parts: JobParts): BackgroundJob[] {
  const { logger, now, store, polling: ctx, polls, clientFor, loops, metrics } = parts;
  const { pollSeconds } = config;
  const wakeAnnouncing = () => loops.wake(ANNOUNCE);
  // The heartbeat's first run comes before any poll has ended, and is withheld.
  const firstRound = createFirstRound(namesIn(config), () => loops.wake(HEARTBEAT));
  const polling: PollParts = {
    everySeconds: pollSeconds,
    readPresent: async (environment, signal) => {
      const report = await polls.run(environment, () => readPresent(ctx, environment, signal));
      firstRound.polled(environment);
      return report;
    },
    readPast: (environment, until, signal) => readPast(ctx, environment, until, signal),
    wakePast: (environment) => loops.wake(pastJobName(environment)),
    wakeAnnouncing,
    count: metrics.countRecorded,
    now,
    logger,
  };
  const readingIntegrations = {
    pollSeconds,
    read: async (environment: string, signal: AbortSignal) => {
      const { service } = clientFor(environment);
      return (await readIntegrations(environment, { store: store.changes, service, logger, now, signal })).length;
    },
    wakeAnnouncing,
    logger,
  };
  return [
    announceJob(pollSeconds, {
      announce: (signal) =>
        firstRound.announcing(() =>
          announceAll({
            environments: namesIn(config),
            store: store.polling,
            isRecording: polls.isRecording,
            announce: (environment) => announceFailures(environment, { store: store.alerting, logger, now }),
            pollMs: pollMs(config),
            logger,
            now,
            signal,
          }),
        ),
      wakeDelivery: () => loops.wake(DELIVER),
      setDeliveryTimer: deliveryTimer.set,
    }),
    ...namesIn(config).flatMap((environment) => {
      const { rest } = clientFor(environment);
      return [
        pollJob(environment, rest, polling),
        pastJob(environment, rest, polling),
        integrationsJob(environment, rest, readingIntegrations),
      ];
    }),
  ];
}

function heartbeatJobs(config: Config, { store, logger, now, metrics }: JobParts): BackgroundJob[] {
  const { heartbeatUrl, pollSeconds } = config;
  if (heartbeatUrl === null) return [];
  const send = (signal: AbortSignal) =>
    sendHeartbeat({
      store: statusStore(store),
      call: (stopping) => callHeartbeat(heartbeatUrl, stopping),
      environments: namesIn(config),
      pollMs: pollMs(config),
      logger,
      now,
      signal,
      onHeartbeat: metrics.countHeartbeat,
    });
  return [heartbeatJob(pollSeconds, send)];
}

const namesIn = ({ environments }: Config): string[] => environments.map(({ environment }) => environment.name);
