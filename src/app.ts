import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from './config.ts';
import type { Logger } from './domain/logger.ts';
import { listedUsers } from './domain/operators.ts';
import { createSeal } from './domain/seal.ts';
import { startHealth } from './health.ts';
import { callHeartbeat } from './heartbeat.ts';
import { creatorsJob } from './jobs/creators.ts';
import { DELIVER, deliverJob } from './jobs/deliver.ts';
import { heartbeatJob } from './jobs/heartbeat.ts';
import { homesJob } from './jobs/homes.ts';
import type { Job } from './jobs/job.ts';
import { pollJobs } from './jobs/poll.ts';
import { pruneJob } from './jobs/prune.ts';
import { createQueue, type Queue } from './jobs/queue.ts';
import { resumeTriggersJob } from './jobs/resume-triggers.ts';
import { summariesJob } from './jobs/summaries.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { createNotificationService, type NotificationService } from './notification-service/client.ts';
import { createLimiter, type Limiter } from './notification-service/limiter.ts';
import type { Runnable } from './run-until-stopped.ts';
import { createChannels } from './slack/channels/channels.ts';
import { createSlackConnection, type SlackConnection } from './slack/connection.ts';
import { createPublisher } from './slack/digest/publisher.ts';
import { createAdmission } from './slack/doors/admission.ts';
import { registerDoors } from './slack/doors/register.ts';
import { createHomePublisher } from './slack/home/publisher.ts';
import { createUserGroups } from './slack/operators/user-groups.ts';
import { doors, type SlackParts } from './slack/routes.ts';
import { SCOPE_USES } from './slack/scopes.ts';
import { createProgressReporter } from './slack/trigger/publisher.ts';
import { runPartsOf } from './slack/trigger/send.ts';
import { createTellChannel } from './slack/watches/publisher.ts';
import { createWorkspace } from './slack/watches/workspace.ts';
import { openStore, type Store } from './store/store.ts';
import { announceFailures } from './use-cases/announce-failures.ts';
import { checkCreators } from './use-cases/check-creators.ts';
import { countDeliveries } from './use-cases/count-deliveries.ts';
import { countRecorded } from './use-cases/count-recorded.ts';
import { deliverMessages } from './use-cases/deliver-messages.ts';
import { readNewEvents } from './use-cases/read-new-events.ts';
import { refreshHomes } from './use-cases/refresh-homes.ts';
import { resumeTrigger } from './use-cases/run-trigger.ts';
import { sendHeartbeat } from './use-cases/send-heartbeat.ts';
import { summariseDay } from './use-cases/summarise-day.ts';
import { readVersion } from './version.ts';

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
  const version = readVersion();
  const metrics = createMetrics(version);
  const store = await openStore({ ...databaseOf(config), logger, observe: metrics.observeStatement });
  const slack = createSlackConnection({
    ...config.slack,
    logger,
    onFatal,
    now: () => now().getTime(),
    onAcknowledged: metrics.observeAcknowledgement,
    observeCalls: metrics.observeSlackCall,
  });
  const stopping = new AbortController();
  const services = createServices(config, metrics, logger);
  const queue = createQueue({ executeSql: store.executeSql, logger, observe: metrics.observeJob });
  const slackParts = createSlackParts(config, {
    logger,
    now,
    store,
    slack,
    services,
    queue,
    version,
    signal: stopping.signal,
  });
  registerDoors(slack.app, doors(slackParts), slackParts);
  metrics.measure({
    environments: [...services.keys()],
    store,
    loadOf: slackParts.loadOf,
    isSlackConnected: slack.isConnected,
    logger,
    now,
  });
  const health = await startHealth({
    port: config.port,
    isReady: () => ({ slack: slack.isConnected(), store: store.isOpen() }),
    registry: metrics.registry,
    answerSlack: slack.answerRequest,
    logger,
  }).catch(async (error: unknown) => {
    await store.close();
    throw error;
  });
  logger.info({ port: health.port }, 'Listening for health checks');

  return {
    async start() {
      await store.configureWatch(config.digestChannel, now());
      await store.configureMirror(config.auditChannel, now());
      await queue.start(createJobs(config, slackParts, { logger, now, store, slack, services, queue, metrics }));
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

interface Reached {
  readonly service: NotificationService;
  /** People and the poller share it. */
  readonly limiter: Limiter;
}

/** By the environment's name. */
type Services = ReadonlyMap<string, Reached>;

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

/** A client for each environment. */
function createServices({ environments }: Config, metrics: Metrics, logger: Logger): Services {
  return new Map(
    environments.map(({ environment, apiUrl, apiKey }) => {
      const limiter = createLimiter();
      const observe = metrics.observeRequestsTo(environment.name);
      const service = createNotificationService({ environment, url: apiUrl, apiKey, logger, limiter, observe });
      return [environment.name, { service, limiter }];
    }),
  );
}

function reachedIn(services: Services, environment: string): Reached {
  const reached = services.get(environment);
  if (reached === undefined) throw new Error(`there is no environment ${environment}`);
  return reached;
}

interface SlackPartsOptions extends Parts {
  readonly queue: Queue;
  readonly version: string;
  readonly signal: AbortSignal;
}

function createSlackParts(config: Config, parts: SlackPartsOptions): SlackParts {
  const { logger, now, store, slack, services, queue, signal } = parts;
  const environments = config.environments.map(({ environment }) => environment);
  return {
    environments,
    client: slack.client,
    wakeDelivery: () => queue.wake(DELIVER),
    operators: config.operators,
    seal: createSeal(config.slack.botToken),
    admission: createAdmission({
      client: slack.client,
      homeTeam: slack.homeTeam,
      guests: config.guests,
      logger,
      now,
    }),
    groups: createUserGroups({ client: slack.client, now }),
    workspace: createWorkspace({ client: slack.client, logger, now }),
    channels: createChannels({ client: slack.client, logger, now }),
    tokenChecks: slack.tokenChecks,
    neededScopes: SCOPE_USES,
    auditChannel: config.auditChannel,
    hasHeartbeat: config.heartbeatUrl !== null,
    warnings: config.warnings,
    homePublisher: createHomePublisher({ client: slack.client, environments }),
    tellChannel: createTellChannel(slack.deliveryClient),
    serviceOf: (environment) => reachedIn(services, environment).service,
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
    retentionDays: daysKept(config),
    horizonMs: config.horizonHours * HOUR_MS,
    pollMs: config.pollSeconds * 1000,
    database: config.database.kind,
    slackStatus: () => ({ isConnected: slack.isConnected(), lastTrouble: slack.lastTrouble() }),
    loadOf: (environment) => reachedIn(services, environment).limiter.state(),
    running: { version: parts.version, startedAt: now() },
  };
}

interface JobParts extends Parts {
  readonly queue: Queue;
  readonly metrics: Metrics;
}

function createJobs(config: Config, slackParts: SlackParts, parts: JobParts): Job[] {
  const { logger, now, store, slack, services, queue, metrics } = parts;
  const environments = config.environments.map(({ environment }) => environment);
  const { deliveryClient } = slack;
  const publisher = countDeliveries(createPublisher({ deliveryClient, environments, logger }), metrics.countDelivery);
  const operators = listedUsers(config.operators);
  const recording = countRecorded(store, metrics.countRecorded);
  return [
    deliverJob(async (signal) => {
      await deliverMessages({ store, publisher, operators, logger, now, signal });
      await deliverMessages({ store: store.mirrored, publisher, operators, logger, now, signal });
    }),
    ...pollJobs({
      environments: environments.map(({ name }) => name),
      everySeconds: config.pollSeconds,
      read: (environment, signal) => {
        const { service } = reachedIn(services, environment);
        const pace = { horizonMs: config.horizonHours * HOUR_MS, pollMs: config.pollSeconds * 1000 };
        return readNewEvents(environment, { service, store: recording, logger, now, ...pace, signal });
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
    creatorsJob({
      check: (signal) => checkCreators({ store, workspace: slackParts.workspace, logger, now }, signal),
      wakeDelivery: () => queue.wake(DELIVER),
    }),
    summariesJob({
      summarise: (signal) =>
        summariseDay({ store, environments: environments.map(({ name }) => name), logger, now }, signal),
      wakeDelivery: () => queue.wake(DELIVER),
    }),
    homesJob((signal) => refreshHomes(slackParts, signal)),
    pruneJob(() => store.prune(now(), daysKept(config)), logger),
    ...heartbeatJobs(config, parts),
  ];
}

/** A failure that is found again must still be known: events are read up to twice the horizon, after a long absence (`dueSweeps`). */
function daysKept({ retentionDays, horizonHours }: Config): number {
  return Math.max(retentionDays, Math.ceil((2 * horizonHours) / 24) + 1);
}

/** Without an address nobody waits for a heartbeat. */
function heartbeatJobs({ heartbeatUrl, pollSeconds, environments }: Config, parts: JobParts): Job[] {
  if (heartbeatUrl === null) return [];
  const { store, logger, now, metrics } = parts;
  const send = (signal: AbortSignal) =>
    sendHeartbeat({
      store,
      call: (stopping) => callHeartbeat(heartbeatUrl, stopping),
      environments: environments.map(({ environment }) => environment.name),
      pollMs: pollSeconds * 1000,
      logger,
      now,
      signal,
      onHeartbeat: metrics.countHeartbeat,
    });
  return [heartbeatJob(pollSeconds, send)];
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
