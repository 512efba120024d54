import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { createFlows } from './app/flows.ts';
import { ANNOUNCE, DELIVER, loopTable, pollLoop } from './app/loops.ts';
import { createServiceClients } from './app/service-clients.ts';
import { createExplainCause } from './causes/explain-cause.ts';
import { noteDeploy } from './changes/changes.ts';
import type { Config } from './config.ts';
import { backlogOf, releaseClaims } from './digests/outbox.ts';
import { LOOK_AGAIN_MS } from './digests/pace.ts';
import { createTraffic } from './failures/labels.ts';
import { callHeartbeat } from './health/heartbeat.ts';
import { readingHealth } from './health/reading.ts';
import { StoreTroubleError, storeTrouble } from './health/store-trouble.ts';
import type { PollingCtx } from './lib/ctx.ts';
import { newReference } from './lib/errors.ts';
import type { Logger } from './lib/logger.ts';
import { createLoops } from './lib/loop.ts';
import { listedUsers } from './lib/people.ts';
import { createSeal } from './lib/seal.ts';
import { HOUR_MS, SECOND_MS } from './lib/time/durations.ts';
import { sleep } from './lib/time/waiting.ts';
import { createCheckNow, createPolls } from './polling/check-now.ts';
import { answerDeploys } from './process/deploys.ts';
import { watchFreeSpace } from './process/free-space.ts';
import { startHealth } from './process/health.ts';
import { createMetrics } from './process/metrics.ts';
import { type Runnable, readVersion } from './process/run-until-stopped.ts';
import { createPublisher } from './slack/features/digest/publisher.ts';
import { createProgressReporter } from './slack/features/trigger/publisher.ts';
import { createAccessControl } from './slack/router/authorization.ts';
import { createSlackConnection, SCOPE_USES } from './slack/router/connection.ts';
import { createPostNotice } from './slack/router/post-notice.ts';
import { registerRoutes } from './slack/router/register.ts';
import { createChannels } from './slack/workspace/channels.ts';
import { createWorkspace } from './slack/workspace/workspace.ts';
import type { EnvironmentLocks } from './store/environment-locks.ts';
import { openDb } from './store/open.ts';
import { resumeAbandoned } from './triggers/send.ts';
import { configureWatch } from './watches/watches.ts';

export interface AppOptions {
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
 * store's errors, or if the port is taken; `start` rejects with `SlackRefusedError`.
 */
export async function createApp(config: Config, options: AppOptions): Promise<Runnable> {
  const { logger, onFatal, now = () => new Date(), statementMs, rereadConfig = async () => config } = options;
  const { database, heartbeatUrl, operators, deployToken } = config;
  const isAlone = database.kind === 'embedded';
  const version = readVersion();
  const metrics = createMetrics(version);
  const store = await openDb(database, {
    logger,
    observe: metrics.observeStatement,
    onLost: onFatal,
    ...(statementMs !== undefined && { statementMs }),
  });
  const { db, vacuum } = store;
  const traffic = createTraffic();
  const seal = createSeal(config.slack.botToken);
  const slack = createSlackConnection({
    ...config.slack,
    logger,
    onFatal,
    now: () => now().getTime(),
    onAcknowledged: metrics.observeAck,
    observeCalls: metrics.observeSlackCall,
  });
  const stopping = new AbortController();
  const { signal } = stopping;
  // Each question that waits listens to it: many listeners are no leak.
  setMaxListeners(0, signal);
  const environments = config.environments.map(({ environment }) => environment);
  const names = environments.map(({ name }) => name);
  const keys = new Map(config.environments.map(({ environment, apiKey }) => [environment.name, apiKey]));
  const clientFor = createServiceClients(config.environments, keys, metrics, logger, now);
  const serviceOf = (environment: string) => clientFor(environment).service;
  const locks = await takeLocks(database, names, logger);
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
  const polls = createPolls();
  const polling: PollingCtx = {
    ...{ db, service: serviceOf, log: logger, now, explainCause: createExplainCause(config.ownCauses) },
    pollMs: config.pollSeconds * SECOND_MS,
    horizonMs: config.horizonHours * HOUR_MS,
    sampleTraffic: traffic.add,
  };
  const { explainCause, pollMs, horizonMs } = polling;
  const asking = { client: slack.client, logger, now, sleep };
  const workspace = createWorkspace(asking);
  const ctx = {
    ...{ environments, db, seal, operators, serviceOf, explainCause, logger, now, sleep, signal, workspace },
    ...{ newReference, newId: randomUUID, pollMs, horizonMs, behind: loops.behind },
    // A failure that turns up again must be recognized: after a long absence, events up to twice the horizon old are checked.
    retentionDays: Math.max(config.retentionDays, Math.ceil((2 * config.horizonHours) / 24) + 1),
    client: slack.client,
    channels: createChannels(asking),
    accessControl: createAccessControl({
      ...{ homeTeam: slack.homeTeam, guests: config.guests, operators, people: workspace, logger },
    }),
    postNotice: createPostNotice(slack.deliveryClient),
    reporter: createProgressReporter(slack.client, slack.deliveryClient, environments, logger),
    wakeDelivery: () => loops.wake(DELIVER),
    wakeAnnouncing: () => loops.wake(ANNOUNCE),
    checkNow: createCheckNow({
      ...{ polls, sleep, wakePoll: (environment) => loops.wake(pollLoop(environment)) },
      pauseMs: (environment) => {
        const { pause, limiter } = clientFor(environment);
        return Math.max(pause.leftMs(), limiter.state().heldForMs);
      },
    }),
    loadOf: (environment: string) => clientFor(environment).limiter.state(),
    slackStatus: () => ({ isConnected: slack.isConnected(), lastTrouble: slack.lastTrouble() }),
    // For the doctor.
    ...{ tokenChecks: slack.tokenChecks, neededScopes: SCOPE_USES, groups: workspace, warnings: config.warnings },
    hasHeartbeat: heartbeatUrl !== null,
    running: { version, startedAt: now() },
  };
  registerRoutes(ctx, slack.app, createFlows(ctx).routes);
  const freeSpace = await watchFreeSpace(isAlone ? database.folder : null, logger);
  metrics.measure({
    ...{ environments: names, freeBytes: freeSpace.bytes, loadOf: ctx.loadOf },
    readShared: async () => ({ health: await readingHealth(db, now()), backlog: await backlogOf(db, null) }),
    ...{ isSlackConnected: slack.isConnected, logger, now },
  });
  const health = await startHealth({
    port: config.port,
    isReady: async () => ({
      slack: slack.isConnected(),
      store: (await storeTrouble(db)) === null,
      disk: freeSpace.isEnough(),
      behind: loops.behind().map(({ name }) => name),
    }),
    registry: metrics.registry,
    answerSlack: slack.answerRequest,
    answerDeploys:
      deployToken === null
        ? null
        : answerDeploys({
            ...{ token: deployToken, environments, logger },
            noteDeploy: (deploy) => noteDeploy(ctx, { ...deploy, by: null }),
          }),
    logger,
  }).catch(async (error: unknown) => {
    await locks.stop();
    await store.close();
    throw error;
  });
  logger.info({ port: health.port }, 'Listening for health checks');

  async function startLoops(startedAt: Date): Promise<void> {
    await untilStored(logger, signal, async () => {
      await configureWatch({ db, now }, config.digestChannel);
      // Claims left behind belong to a process that has ended.
      if (isAlone) await releaseClaims(db, LOOK_AGAIN_MS);
    });
    const table = loopTable({
      ...{
        ctx: polling,
        vacuum,
        traffic,
        environments: names,
        isOurs: locks.isOurs,
        wake: loops.wake,
        behind: loops.behind,
      },
      daysKept: ctx.retentionDays,
      polling: { polls, pauseOf: (name) => clientFor(name).pause, count: metrics.countRecorded },
      integrationsOf: serviceOf,
      publisher: createPublisher({ deliveryClient: slack.deliveryClient, environments, explainCause, logger }),
      countDelivery: metrics.countDelivery,
      operators: listedUsers(operators),
      resumeTriggers: (signal) => resumeAbandoned({ ...ctx, signal }, isAlone ? startedAt : null),
      callHeartbeat: heartbeatUrl === null ? null : (signal) => callHeartbeat(heartbeatUrl, signal),
      onHeartbeat: metrics.countHeartbeat,
    });
    if (!signal.aborted) loops.start(table);
  }

  return {
    async start() {
      // Loops run while Slack is away, and the first of them would keep it waiting.
      await Promise.all([slack.start(), startLoops(now())]);
    },
    async reload() {
      for (const { environment, apiKey } of (await rereadConfig()).environments) {
        const { name, apiKeyVariable: variable } = environment;
        if (!keys.has(name) || keys.get(name) === apiKey) continue;
        keys.set(name, apiKey);
        logger.info({ environment: name, variable }, 'The API key was replaced');
      }
    },
    async stop() {
      stopping.abort();
      await Promise.all([slack.stop(), loops.stop()]);
      await locks.stop();
      await health.close();
      freeSpace.stop();
      await store.close();
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

/** Resolves with the stop, too. While the store accepts no changes, lookups and probes work, and this tries again each second. */
async function untilStored(logger: Logger, signal: AbortSignal, storing: () => Promise<void>): Promise<void> {
  for (let tries = 1; !signal.aborted; tries += 1) {
    try {
      return await storing();
    } catch (error) {
      if (!(error instanceof StoreTroubleError)) throw error;
      const { trouble, next } = error;
      const sentence = 'started without changes to the database: events are checked once it accepts them';
      if (tries === 1 && !signal.aborted) logger.warn({ trouble, next }, sentence);
    }
    await sleep(SECOND_MS, signal);
  }
}
