import { randomUUID } from 'node:crypto';
import { addMinutes } from 'date-fns';
import manifest from '../package.json' with { type: 'json' };
import { alertmanagerTrouble, createAlertmanagerLoop, forgetAlertmanager } from './alerts/pager.ts';
import { createFlows } from './app/flows.ts';
import { createKinds } from './app/kinds.ts';
import { ANNOUNCE, DELIVER, type LoopsCtx, loopTable, pollLoop } from './app/loops.ts';
import { createExplainCause } from './causes/explain-cause.ts';
import { noteDeploy } from './changes/changes.ts';
import type { Config } from './config.ts';
import type { DoctorCtx } from './health/doctor.ts';
import { environmentHealth } from './health/environment-health.ts';
import { freeBytesIn } from './health/free-bytes.ts';
import { readinessOf } from './health/readiness.ts';
import { createSlackCheck, type SlackCheck } from './health/slack-check.ts';
import { createStrangers } from './health/strangers.ts';
import { createUnreadable } from './health/unreadable.ts';
import { explainAgain } from './incidents/mask-causes.ts';
import { openRows } from './incidents/open-incidents.ts';
import { createTraffic } from './judging/traffic.ts';
import { callAddress } from './lib/http.ts';
import type { Logger } from './lib/logger.ts';
import { createLoops } from './lib/loop.ts';
import { createSeal } from './lib/seal.ts';
import { hashOf } from './lib/text/hash.ts';
import { createClockGuard } from './lib/time/clock-guard.ts';
import { HOUR_MS, SECOND_MS } from './lib/time/durations.ts';
import { realTimer, type Sleep, sleep, type Timer } from './lib/time/waiting.ts';
import { together } from './lib/together.ts';
import { backlogOf } from './outbox/backlog.ts';
import { hurry, LOOK_AGAIN_MS, releaseClaims } from './outbox/claims.ts';
import { noteIdentity } from './people/identity.ts';
import { createPolls } from './polling/check-now.ts';
import { answerDeploys } from './process/deploys.ts';
import { createMetrics, type Metrics } from './process/metrics.ts';
import type { Runnable } from './process/run-until-stopped.ts';
import { secretIn } from './process/secret.ts';
import { startServer } from './process/server.ts';
import { continueSendings } from './sendings/sending-loop.ts';
import { createNotificationService } from './service/operations.ts';
import { createSlackConnection, NEEDED_SCOPES } from './slack/connection/connection.ts';
import { SOCKETS } from './slack/connection/sockets.ts';
import type { SlackCtx } from './slack/ctx.ts';
import { pagerWords } from './slack/features/posts/pager-words.ts';
import { createPublisher } from './slack/features/posts/publisher.ts';
import { newReference } from './slack/kit/error-card.ts';
import { createAccessControl } from './slack/router/authorization.ts';
import { registerRoutes } from './slack/router/register.ts';
import { createChannels } from './slack/workspace/channels.ts';
import { claimHome } from './slack/workspace/claim-home.ts';
import { createWorkspace } from './slack/workspace/workspace.ts';
import { changeChannelId, currentChannelId } from './store/channel-id.ts';
import { claimKey } from './store/kv.ts';
import { openDb } from './store/open.ts';
import { storeCodeOf } from './store/store-code.ts';
import { configureWatch } from './watches/watches.ts';

/** Twice as long as a signature is accepted. */
const REPLAYED_MINUTES = 10;

/** What all parts act with. */
type AppCtx = SlackCtx &
  DoctorCtx &
  Omit<LoopsCtx, 'kinds' | 'publisher' | 'continueSendings' | 'notifyAlertmanager' | 'callHeartbeat'> & {
    slackCheck: SlackCheck;
  };

interface AppOptions {
  logger: Logger;
  onFatal: (error: unknown) => void;
  now?: () => Date;
  timer?: Timer;
  /** Ends the waits for what others owe a person or a message: a poll, Slack, a service. */
  patience?: Sleep;
}

export async function createApp(config: Config, options: AppOptions): Promise<Runnable> {
  const { logger, onFatal, now = () => new Date(), timer = realTimer, patience = sleep } = options;
  const { database, digestChannel, heartbeatUrl, operators, deployToken, alertmanager } = config;
  const version = [manifest.version, process.env.BUILD_COMMIT].filter(Boolean).join('+');
  const isEmbedded = database.kind === 'embedded';
  const metrics = createMetrics(version);
  const { onAcknowledged, observeCalls, countRecorded } = metrics;
  const environments = config.environments.map(({ environment }) => environment);
  const names = environments.map(({ name }) => name);
  const server = await startServer({ host: config.host, port: config.port, logger, sleep });
  const store = await openDb(database, { logger, onLost: onFatal, environments: names }).catch(
    async (error: unknown) => {
      await server.close();
      throw error;
    },
  );
  const { db } = store;
  const storeCode = await storeCodeOf(db);
  const { botToken } = config.slack;
  const secret = config.secretFile === null ? null : await secretIn(config.secretFile);
  const clock = () => now().getTime();
  // A clock that is handed in is all the time that there is.
  const elapsedMs = options.now === undefined ? () => performance.now() : clock;
  const replicaId = randomUUID();
  const recount = () => slack.recount();
  const strangers = createStrangers({ db, logger, now, replicaId, socketsEach: SOCKETS, recount });
  const slack = createSlackConnection({
    ...config.slack,
    storeCode,
    logger,
    onHello: (connections) => void strangers.noteHello(connections),
    onFatal,
    now: clock,
    onAcknowledged,
    observeCalls,
    onWorkspace: (workspace) => claimHome(db, workspace, config.isTeamChanged),
    isFirst: (interaction) =>
      claimKey(db, `interaction:${hashOf(interaction, 32)}`, addMinutes(now(), REPLAYED_MINUTES)),
  });
  const { askingClient: client, tokenChecks } = slack;
  let isStopping = false;
  const serviceOf = createServices(config, metrics, logger, clock);
  const heldForMs = (environment: string) => serviceOf(environment).heldForMs();
  const loops = createLoops({
    logger,
    now,
    timer,
    count: (loop, isSuccess) => metrics.countLoop(loop, isSuccess, now()),
  });
  const { wake, behind } = loops;
  const polls = createPolls({ sleep: patience, heldForMs, wakePoll: (environment) => wake(pollLoop(environment)) });
  const explainCause = createExplainCause(config.customCauses);
  const workspace = createWorkspace({
    client,
    logger,
    now,
    sleep: patience,
    noteIdentity: (identity) => noteIdentity(db, identity),
  });
  const sendWhatWaits = async () => {
    await hurry(db, now());
    await wake(DELIVER);
  };
  const noteChannelId = async (from: string, to: string) => {
    await changeChannelId(db, from, to);
    logger.info({ from, to }, 'A channel has another ID in Slack: what is stored follows it');
    await sendWhatWaits();
  };
  const channels = createChannels({ client, logger, now, sleep: patience, noteChannelId });
  const digestChannelNow = async () => digestChannel && currentChannelId(db, digestChannel);
  const slackCheck = createSlackCheck({
    tokenChecks,
    channels,
    digestChannel: digestChannelNow,
    logger,
    onRecovered: sendWhatWaits,
  });
  const ctx: AppCtx = {
    db,
    vacuum: store.vacuum,
    isOurs: store.isOurs,
    lockTrouble: store.lockTrouble,
    client,
    postingClient: slack.postingClient,
    newerKinds: slack.newerKinds,
    tokenChecks,
    isAtHome: slack.isAtHome,
    environments,
    operators,
    serviceOf,
    heldForMs,
    polls,
    traffic: createTraffic(),
    explainCause,
    workspace,
    channels,
    noteChannelId,
    slackCheck,
    storeCode,
    strangers,
    logger,
    now,
    sleep: patience,
    wake,
    behind,
    pollMs: config.pollSeconds * SECOND_MS,
    horizonMs: config.horizonHours * HOUR_MS,
    readUnreadable: createUnreadable(db),
    readFreeBytes: () => freeBytesIn(isEmbedded ? database.folder : null, logger),
    isSlackConnected: () => slack.isConnected() && slackCheck.trouble() === null,
    countRecorded,
    newReference,
    newId: randomUUID,
    seal: secret === null ? createSeal(botToken) : createSeal(secret, botToken),
    retentionDays: config.retentionDays,
    clock: createClockGuard({ now, elapsedMs }),
    isEmbedded,
    accessControl: createAccessControl({ operators, logger }, workspace, config.guests, slack.homeTeam),
    wakeOutbox: () => wake(DELIVER),
    wakeAnnouncing: () => wake(ANNOUNCE),
    checkNow: polls.checkNow,
    neededScopes: NEEDED_SCOPES,
    warnings: config.warnings,
    hasHeartbeat: heartbeatUrl !== null,
    running: { version, startedAt: now() },
  };
  registerRoutes(ctx, slack.app, createFlows(ctx).routes);
  const readShared = async () => ({
    health: await environmentHealth(db, now()),
    backlog: await backlogOf(db, now()),
    open: await openRows(db, names, now()),
    isPaging: alertmanager && (await alertmanagerTrouble(db)) === null,
  });
  server.serve({
    // Anybody may ask, and each answer costs the database.
    readiness: together(() => readinessOf(ctx)),
    scrape: config.hasMetrics ? together(() => metrics.scrape({ ...ctx, readShared })) : null,
    answerSlack: slack.answerRequest,
    answerDeploys:
      deployToken === null
        ? null
        : answerDeploys({ ...ctx, token: deployToken, noteDeploy: (deploy) => noteDeploy(ctx, deploy) }),
  });
  const running = { version, database: database.kind, environments: names, mode: config.slack.transport.mode };
  logger.info({ ...running, port: server.port }, 'Notif starts. Listening for health checks');

  async function startLoops() {
    await configureWatch({ db, logger, now }, await digestChannelNow());
    // The process that made the claims has ended.
    if (isEmbedded) await releaseClaims(db, LOOK_AGAIN_MS);
    if (alertmanager === null) await forgetAlertmanager(db);
    await explainAgain(db, explainCause, now());
    const table = loopTable({
      ...ctx,
      kinds: createKinds({ ...ctx, retentionDays: config.retentionDays }),
      publisher: slackCheck.watching(createPublisher(ctx)),
      continueSendings: (signal) => continueSendings(ctx, signal),
      notifyAlertmanager:
        alertmanager &&
        createAlertmanagerLoop({ ...ctx, alertmanager, wordsOf: (incident) => pagerWords(incident, explainCause) }),
      callHeartbeat: heartbeatUrl === null ? null : (stopping) => callAddress(heartbeatUrl, { stopping }),
    });
    if (!isStopping) loops.start(table);
  }

  return {
    async start() {
      await Promise.all([slack.start().then(sendWhatWaits), startLoops()]);
    },
    async backUp() {
      const folder = await store.backUp?.();
      const next = 'back it up with its own tools';
      if (folder === undefined) logger.warn({ next }, 'No backup was made: the database is on a server');
      else logger.info({ folder }, 'Backup made');
    },
    async stop() {
      isStopping = true;
      await Promise.all([slack.stop(), loops.stop()])
        .finally(() => server.close())
        .finally(() => store.close());
    },
  };
}

function createServices({ environments }: Config, metrics: Metrics, logger: Logger, now: () => number) {
  const services = new Map(
    environments.map(({ environment, apiUrl: url, apiKey }) => {
      const observe = metrics.observeRequestsTo(environment.name);
      return [environment.name, createNotificationService({ environment, url, apiKey, logger, observe, now })];
    }),
  );
  return (environment: string) => {
    const service = services.get(environment);
    if (service === undefined) throw new Error(`there is no environment ${environment}`);
    return service;
  };
}
