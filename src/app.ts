import { setMaxListeners } from 'node:events';
import { createFlows } from './app/flows.ts';
import { loopTable } from './app/loops.ts';
import { createApiKeys, createServiceClients } from './app/service-clients.ts';
import { createSlackParts, type SlackParts } from './app/slack-parts.ts';
import { untilStored } from './app/store-at-start.ts';
import { createExplainCause } from './causes/explain-cause.ts';
import { noteDeploy } from './changes/changes.ts';
import type { Config } from './config.ts';
import { backlogOf, releaseClaims } from './digests/outbox.ts';
import { LOOK_AGAIN_MS } from './digests/pace.ts';
import { callHeartbeat } from './health/heartbeat.ts';
import { readingHealth } from './health/reading.ts';
import type { PollingCtx } from './lib/ctx.ts';
import type { Logger } from './lib/logger.ts';
import { createLoops } from './lib/loop.ts';
import { listedUsers } from './lib/people.ts';
import { createSeal } from './lib/seal.ts';
import { HOUR_MS, SECOND_MS } from './lib/time/durations.ts';
import { createPolls } from './polling/check-now.ts';
import { answerDeploys } from './process/deploys.ts';
import { watchFreeSpace } from './process/free-space.ts';
import { startHealth } from './process/health.ts';
import { createMetrics } from './process/metrics.ts';
import type { Runnable } from './process/run-until-stopped.ts';
import { readVersion } from './process/version.ts';
import { createPublisher } from './slack/features/digest/publisher.ts';
import { createSlackConnection } from './slack/router/connection.ts';
import { registerRoutes } from './slack/router/register.ts';
import type { EnvironmentLocks } from './store/environment-locks.ts';
import { storeTrouble } from './store/open.ts';
import { openStore } from './store/store.ts';
import { withSealedRecipients } from './triggers/sealed-recipients.ts';
import { resumeAbandoned } from './triggers/send.ts';
import { configureWatch } from './watches/watches.ts';

export interface AppParts {
  readonly logger: Logger;
  /** Called with the error when the process can't continue. */
  readonly onFatal: (error: unknown) => void;
  /** The real clock by default. Loops still run by the real clock: this one only decides what is due. */
  readonly now?: () => Date;
  /** How long a database server may take for a statement. */
  readonly statementMs?: number;
  /** Reads the configuration again for `reload`. Returns the app's current configuration by default. */
  readonly rereadConfig?: () => Promise<Config>;
}

/**
 * Wires up the process: builds every part, binds the port, and starts and stops what runs. Contains no product logic. Rejects with the
 * store's errors and `PortUnavailableError`; `start` rejects with `SlackRefusedError`.
 */
export async function createApp(
  config: Config,
  { logger, onFatal, now = () => new Date(), statementMs, rereadConfig = async () => config }: AppParts,
): Promise<Runnable> {
  const version = readVersion();
  const metrics = createMetrics(version);
  const opened = await openStore(config.database, {
    logger,
    observe: metrics.observeStatement,
    onLost: onFatal,
    ...(statementMs !== undefined && { statementMs }),
  });
  const store = withSealedRecipients(opened, createSeal(config.slack.botToken));
  const slack = createSlackConnection({
    ...config.slack,
    logger,
    onFatal,
    now: () => now().getTime(),
    onAcknowledged: metrics.observeAck,
    observeCalls: metrics.observeSlackCall,
  });
  const stopping = new AbortController();
  // Each question that waits listens to it: many listeners are no leak.
  setMaxListeners(0, stopping.signal);
  const keys = createApiKeys(config.environments, logger);
  const clientFor = createServiceClients(config, keys, metrics, logger, now);
  const { database, heartbeatUrl } = config;
  const environments = config.environments.map(({ environment }) => environment.name);
  const locks = await takeLocks(database, environments, logger);
  const loops = createLoops({
    log: logger,
    now,
    ticks: () => performance.now(),
    after: (ms, act) => {
      const timer = setTimeout(act, ms).unref();
      return () => clearTimeout(timer);
    },
    count: (loop, isSuccess) => metrics.countLoop(loop, isSuccess, now()),
  });
  const polling: PollingCtx = {
    db: store.db,
    service: (environment) => clientFor(environment).service,
    log: logger,
    explainCause: createExplainCause(config.ownCauses),
    now,
    pollMs: config.pollSeconds * SECOND_MS,
    horizonMs: config.horizonHours * HOUR_MS,
    sampleTraffic: store.traffic.add,
  };
  const parts = { logger, now, store, polling, polls: createPolls(), slack, clientFor, loops };
  const slackParts = createSlackParts(config, { ...parts, version, signal: stopping.signal });
  registerRoutes(slackParts, slack.app, createFlows(slackParts).routes);
  const freeSpace = await watchFreeSpace(database.kind === 'embedded' ? database.folder : null, logger);
  metrics.measure({
    environments,
    readShared: async () => ({
      health: await readingHealth(store.db, now()),
      backlog: await backlogOf(store.db, null),
    }),
    freeBytes: freeSpace.bytes,
    loadOf: slackParts.loadOf,
    isSlackConnected: slack.isConnected,
    logger,
    now,
  });
  const health = await startHealth({
    port: config.port,
    isReady: async () => ({
      slack: slack.isConnected(),
      store: (await storeTrouble(store.db)) === null,
      disk: freeSpace.isEnough(),
      behind: loops.behind().map(({ name }) => name),
    }),
    registry: metrics.registry,
    answerSlack: slack.answerRequest,
    answerDeploys: deploysAnswer(config, slackParts),
    logger,
  }).catch(async (error: unknown) => {
    await locks.stop();
    await opened.close();
    throw error;
  });
  logger.info({ port: health.port }, 'Listening for health checks');

  async function startLoops(startedAt: Date): Promise<void> {
    const isAlone = database.kind === 'embedded';
    const prepareStore = async () => {
      await configureWatch({ db: store.db, now }, config.digestChannel);
      // Claims left behind belong to a process that has ended.
      if (isAlone) await releaseClaims(store.db, LOOK_AGAIN_MS);
    };
    await untilStored(prepareStore, { logger, signal: stopping.signal });
    const { environments: labelled, explainCause } = slackParts;
    const posting = { deliveryClient: slack.deliveryClient, environments: labelled, explainCause, logger };
    const table = loopTable({
      ...{ ctx: polling, store, environments, isOurs: locks.isOurs, wake: loops.wake, behind: loops.behind },
      daysKept: slackParts.retentionDays,
      polling: { polls: parts.polls, pauseOf: (name) => clientFor(name).pause, count: metrics.countRecorded },
      integrationsOf: (name) => clientFor(name).service,
      publisher: createPublisher(posting),
      countDelivery: metrics.countDelivery,
      operators: listedUsers(config.operators),
      resumeTriggers: (signal) => resumeAbandoned({ ...slackParts, signal }, isAlone ? startedAt : null),
      callHeartbeat: heartbeatUrl === null ? null : (signal) => callHeartbeat(heartbeatUrl, signal),
      onHeartbeat: metrics.countHeartbeat,
    });
    if (!stopping.signal.aborted) loops.start(table);
  }

  return {
    async start() {
      // Loops run while Slack is away, and the first of them would keep it waiting.
      await Promise.all([slack.start(), startLoops(now())]);
    },
    async reload() {
      keys.replace((await rereadConfig()).environments);
    },
    async stop() {
      stopping.abort();
      await Promise.all([slack.stop(), loops.stop()]);
      await locks.stop();
      await health.close();
      freeSpace.stop();
      await opened.close();
    },
  };
}

/** An embedded database has one process only, which runs every loop. The server's driver takes 15 MB, so it's loaded only with a server. */
async function takeLocks(
  database: Config['database'],
  environments: string[],
  logger: Logger,
): Promise<EnvironmentLocks> {
  if (database.kind === 'embedded') return { isOurs: () => true, stop: async () => {} };
  const { takeEnvironmentLocks } = await import('./store/environment-locks.ts');
  return takeEnvironmentLocks(database.url, environments, logger);
}

/** Returns null without a token: Notif then answers reports of deploys as it does an unknown path. */
function deploysAnswer({ deployToken: token }: Config, parts: SlackParts) {
  if (token === null) return null;
  const { environments, logger } = parts;
  return answerDeploys({
    ...{ token, environments, logger },
    noteDeploy: (deploy) => noteDeploy(parts, { ...deploy, by: null }),
  });
}
