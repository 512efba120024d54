import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from './config.ts';
import type { Logger } from './domain/logger.ts';
import { startHealth } from './health.ts';
import { DELIVER, deliverJob } from './jobs/deliver.ts';
import type { Job } from './jobs/job.ts';
import { pollJobs } from './jobs/poll.ts';
import { pruneJob } from './jobs/prune.ts';
import { createQueue, type Queue } from './jobs/queue.ts';
import { resumeTriggersJob } from './jobs/resume-triggers.ts';
import { createMetrics } from './metrics.ts';
import { createNotificationService, type NotificationService } from './notification-service/client.ts';
import { createLimiter } from './notification-service/limiter.ts';
import type { Runnable } from './run-until-stopped.ts';
import { createSlackConnection, type SlackConnection } from './slack/connection.ts';
import { createDigestPublisher } from './slack/digest/publisher.ts';
import { registerDoors } from './slack/doors/register.ts';
import { createUserGroups } from './slack/operators/user-groups.ts';
import { doors, type SlackParts } from './slack/routes.ts';
import { createProgressReporter } from './slack/trigger/publisher.ts';
import { runPartsOf } from './slack/trigger/send.ts';
import { openStore, type Store } from './store/store.ts';
import { announceFailures } from './use-cases/announce-failures.ts';
import { deliverDigests } from './use-cases/deliver-digests.ts';
import { readNewEvents } from './use-cases/read-new-events.ts';
import { resumeTrigger } from './use-cases/run-trigger.ts';

export interface AppParts {
  readonly logger: Logger;
  /** The process can not go on. */
  readonly onFatal: (error: unknown) => void;
  /** The clock unless given. Jobs come by the real one: it only says what is due. */
  readonly now?: () => Date;
}

const HOUR_MS = 3_600_000;

/**
 * The wiring: builds every part, binds the port, and starts and stops what runs. Nothing here decides about the product. Rejects with
 * the store's errors and `PortUnavailableError`; `start` with `SlackRefusedError`.
 */
export async function createApp(
  config: Config,
  { logger, onFatal, now = () => new Date() }: AppParts,
): Promise<Runnable> {
  const metrics = createMetrics();
  const store = await openStore({ ...databaseOf(config), logger });
  const slack = createSlackConnection({
    ...config.slack,
    logger,
    onFatal,
    onAcknowledged: metrics.observeAcknowledgement,
  });
  const stopping = new AbortController();
  const services = createServices(config, logger);
  const queue = createQueue({ executeSql: store.executeSql, logger });
  const slackParts = createSlackParts(config, { logger, now, store, slack, services, signal: stopping.signal });
  registerDoors(slack.app, doors(slackParts), slackParts);
  const health = await startHealth({
    port: config.port,
    isReady: () => ({ slack: slack.isConnected(), store: store.isOpen() }),
    registry: metrics.registry,
    logger,
  }).catch(async (error: unknown) => {
    await store.close();
    throw error;
  });
  logger.info({ port: health.port }, 'Listening for health checks');

  return {
    async start() {
      await store.configureWatch(config.digestChannel, now());
      await queue.start(createJobs(config, slackParts, { logger, now, store, slack, services, queue }));
      await slack.start();
    },
    async stop() {
      stopping.abort();
      await Promise.all([slack.stop(), queue.stop()]);
      await health.close();
      await store.close();
    },
  };
}

type Services = ReadonlyMap<string, NotificationService>;

interface Parts {
  readonly logger: Logger;
  readonly now: () => Date;
  readonly store: Store;
  readonly slack: SlackConnection;
  readonly services: Services;
}

function databaseOf({ database }: Config) {
  return database.kind === 'server' ? { databaseUrl: database.url, dataDir: '' } : { dataDir: database.folder };
}

/** A client for each environment, with a limiter of its own that people and the poller share. */
function createServices({ environments }: Config, logger: Logger): Services {
  return new Map(
    environments.map(({ environment, apiUrl, apiKey }) => [
      environment.name,
      createNotificationService({ environment, url: apiUrl, apiKey, logger, limiter: createLimiter() }),
    ]),
  );
}

function serviceIn(services: Services, environment: string): NotificationService {
  const service = services.get(environment);
  if (service === undefined) throw new Error(`there is no environment ${environment}`);
  return service;
}

function createSlackParts(config: Config, parts: Parts & { readonly signal: AbortSignal }): SlackParts {
  const { logger, now, store, slack, services, signal } = parts;
  const environments = config.environments.map(({ environment }) => environment);
  return {
    environments,
    operators: config.operators,
    groups: createUserGroups({ client: slack.client, now }),
    serviceOf: (environment) => serviceIn(services, environment),
    store,
    logger,
    now,
    sleep,
    newReference,
    newId: randomUUID,
    signal,
    reporter: createProgressReporter({
      client: slack.client,
      deliveryClient: slack.deliveryClient,
      environments,
      logger,
    }),
    horizonMs: config.horizonHours * HOUR_MS,
  };
}

function createJobs(config: Config, slackParts: SlackParts, parts: Parts & { readonly queue: Queue }): Job[] {
  const { logger, now, store, slack, services, queue } = parts;
  const environments = config.environments.map(({ environment }) => environment);
  const publisher = createDigestPublisher({
    client: slack.client,
    deliveryClient: slack.deliveryClient,
    environments,
    logger,
  });
  return [
    deliverJob((signal) => deliverDigests({ store, publisher, logger, now, signal })),
    ...pollJobs({
      environments: environments.map(({ name }) => name),
      everySeconds: config.pollSeconds,
      read: (environment, signal) => {
        const service = serviceIn(services, environment);
        const horizonMs = config.horizonHours * HOUR_MS;
        return readNewEvents(environment, { service, store, logger, now, horizonMs, signal });
      },
      announce: (environment) => announceFailures(environment, { store, logger, now }),
      wakeDelivery: () => queue.wake(DELIVER),
      logger,
      now,
    }),
    resumeTriggersJob({
      unfinished: (newerThan) => store.unfinishedIntents(newerThan),
      resume: (unfinished, signal) =>
        resumeTrigger(unfinished, { ...runPartsOf(unfinished.intent.environment, slackParts), signal }),
      isAlone: config.database.kind === 'embedded',
      logger,
      now,
    }),
    pruneJob(() => store.prune(now(), config.retentionDays), logger),
  ];
}

/** Ends early, without an error, when the signal aborts. */
async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  try {
    await delay(ms, undefined, { signal });
  } catch (error) {
    if (!signal?.aborted) throw error;
  }
}

/** Letters and digits that nobody takes for one another when a reference is read out (Crockford's base 32). */
const REFERENCE_SIGNS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

function newReference(): string {
  return Array.from({ length: 5 }, () => REFERENCE_SIGNS[randomInt(REFERENCE_SIGNS.length)]).join('');
}
