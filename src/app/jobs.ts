import type { Config } from '../config.ts';
import { listedUsers } from '../domain/operators.ts';
import { callHeartbeat } from '../heartbeat.ts';
import { creatorsJob } from '../jobs/creators.ts';
import { DELIVER, deliverJob } from '../jobs/deliver.ts';
import { heartbeatJob } from '../jobs/heartbeat.ts';
import { homesJob } from '../jobs/homes.ts';
import type { Job } from '../jobs/job.ts';
import { pollJobs } from '../jobs/poll.ts';
import { pruneJob } from '../jobs/prune.ts';
import { resumeTriggersJob } from '../jobs/resume-triggers.ts';
import { summariesJob } from '../jobs/summaries.ts';
import type { Metrics } from '../metrics.ts';
import { createPublisher } from '../slack/digest/publisher.ts';
import type { SlackParts } from '../slack/routes.ts';
import { runPartsOf } from '../slack/trigger/send.ts';
import { announceFailures } from '../use-cases/announce-failures.ts';
import { checkCreators } from '../use-cases/check-creators.ts';
import { countDeliveries } from '../use-cases/count-deliveries.ts';
import { countRecorded } from '../use-cases/count-recorded.ts';
import { deliverMessages } from '../use-cases/deliver-messages.ts';
import { readNewEvents } from '../use-cases/read-new-events.ts';
import { refreshHomes } from '../use-cases/refresh-homes.ts';
import { resumeTrigger } from '../use-cases/run-trigger.ts';
import { sendHeartbeat } from '../use-cases/send-heartbeat.ts';
import { summariseDay } from '../use-cases/summarise-day.ts';
import { daysKept, horizonMs, pollMs } from './durations.ts';
import type { Parts } from './parts.ts';

interface JobParts extends Parts {
  readonly metrics: Metrics;
  readonly slackParts: SlackParts;
}

/** All that runs without a person. */
export function createJobs(config: Config, parts: JobParts): Job[] {
  const { logger, now, store, queue, slackParts } = parts;
  const wakeDelivery = () => queue.wake(DELIVER);
  return [
    deliveriesJob(config, parts),
    ...readingJobs(config, parts),
    resumeTriggersJob({
      unfinished: (newerThan) => store.unfinishedIntents(newerThan),
      resume: (unfinished, signal) =>
        resumeTrigger(unfinished, { ...runPartsOf(unfinished.intent.environment, slackParts), signal }),
      isAlone: config.database.kind === 'embedded',
      logger,
      now,
    }),
    creatorsJob({
      check: (signal) => checkCreators({ store, workspace: slackParts.workspace, logger, now }, signal),
      wakeDelivery,
    }),
    summariesJob({
      summarise: (signal) => summariseDay({ store, environments: namesIn(config), logger, now }, signal),
      wakeDelivery,
    }),
    homesJob((signal) => refreshHomes(slackParts, signal)),
    pruneJob(() => store.prune(now(), daysKept(config)), logger),
    ...heartbeatJobs(config, parts),
  ];
}

function deliveriesJob(config: Config, { logger, now, store, slack, metrics }: JobParts): Job {
  const environments = config.environments.map(({ environment }) => environment);
  const posting = createPublisher({ deliveryClient: slack.deliveryClient, environments, logger });
  const publisher = countDeliveries(posting, metrics.countDelivery);
  const operators = listedUsers(config.operators);
  return deliverJob(async (signal) => {
    await deliverMessages({ store, publisher, operators, logger, now, signal });
    await deliverMessages({ store: store.mirrored, publisher, operators, logger, now, signal });
  });
}

function readingJobs(config: Config, { logger, now, store, reach, queue, metrics }: JobParts): Job[] {
  const recording = countRecorded(store, metrics.countRecorded);
  const pace = { horizonMs: horizonMs(config), pollMs: pollMs(config) };
  return pollJobs({
    environments: namesIn(config),
    everySeconds: config.pollSeconds,
    read: (environment, signal) => {
      const { service } = reach(environment);
      return readNewEvents(environment, { service, store: recording, logger, now, ...pace, signal });
    },
    announce: (environment) => announceFailures(environment, { store, logger, now }),
    wakeDelivery: () => queue.wake(DELIVER),
    logger,
    now,
  });
}

/** Without an address nobody waits for a heartbeat. */
function heartbeatJobs(config: Config, { store, logger, now, metrics }: JobParts): Job[] {
  const { heartbeatUrl, pollSeconds } = config;
  if (heartbeatUrl === null) return [];
  const send = (signal: AbortSignal) =>
    sendHeartbeat({
      store,
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
