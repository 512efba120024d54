import { randomUUID } from 'node:crypto';
import { addMinutes } from 'date-fns';
import manifest from '../package.json' with { type: 'json' };
import { createAlertmanagerLoop, forgetAlertmanager } from './alerts/pager.ts';
import { createFlows } from './app/flows.ts';
import { httpAnswers } from './app/http-answers.ts';
import { createKinds } from './app/kinds.ts';
import { ANNOUNCE, DELIVER, type LoopsCtx, loopTable, pollLoop } from './app/loops.ts';
import { createExplainCause } from './causes/explain-cause.ts';
import type { Config } from './config.ts';
import type { DoctorCtx } from './health/doctor.ts';
import { freeBytesIn } from './health/free-bytes.ts';
import { createSlackCheck, type SlackCheck } from './health/slack-check.ts';
import { createStrangers, type Strangers } from './health/strangers.ts';
import { createUnreadable } from './health/unreadable.ts';
import { explainAgain } from './incidents/mask-causes.ts';
import { createTraffic } from './judging/traffic.ts';
import { callAddress } from './lib/http.ts';
import type { Logger } from './lib/logger.ts';
import { createLoops, type Loops } from './lib/loop.ts';
import { createSeal } from './lib/seal.ts';
import { hashOf } from './lib/text/hash.ts';
import { type ClockGuard, createClockGuard } from './lib/time/clock-guard.ts';
import { HOUR_MS, SECOND_MS } from './lib/time/durations.ts';
import { realTimer, type Sleep, sleep, type Timer } from './lib/time/waiting.ts';
import { hurry, LOOK_AGAIN_MS, releaseClaims } from './outbox/claims.ts';
import { noteIdentity } from './people/identity.ts';
import { createPolls } from './polling/check-now.ts';
import { createMetrics, type Metrics } from './process/metrics.ts';
import type { Runnable } from './process/run-until-stopped.ts';
import { secretIn } from './process/secret.ts';
import { startServer } from './process/server.ts';
import { continueSendings } from './sendings/sending-loop.ts';
import { createNotificationService, type NotificationService } from './service/operations.ts';
import { createSlackConnection, NEEDED_SCOPES, type SlackConnection } from './slack/connection/connection.ts';
import { SOCKETS } from './slack/connection/sockets.ts';
import type { SlackCtx } from './slack/ctx.ts';
import { pagerWords } from './slack/features/posts/pager-words.ts';
import { createPublisher } from './slack/features/posts/publisher.ts';
import { newReference } from './slack/kit/error-card.ts';
import { createAccessControl } from './slack/router/authorization.ts';
import { registerRoutes } from './slack/router/register.ts';
import { createChannels } from './slack/workspace/channels.ts';
import { claimHome, createWorkspace, type People } from './slack/workspace/workspace.ts';
import { changeChannelId, currentChannelId } from './store/channel-id.ts';
import type { Db } from './store/db.ts';
import { claimKey } from './store/kv.ts';
import { type OpenDb, openDb } from './store/open.ts';
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
  /** Sleeps until a person or a message has waited long enough for an answer of a poll, Slack or a service. */
  patience?: Sleep;
}

/** What the parts of `AppCtx` are made with. */
interface Base {
  config: Config;
  version: string;
  logger: Logger;
  onFatal: (error: unknown) => void;
  now: () => Date;
  patience: Sleep;
  metrics: Metrics;
  store: OpenDb;
  storeCode: string;
  loops: Loops;
}

export async function createApp(config: Config, options: AppOptions): Promise<Runnable> {
  const { logger, onFatal, now = () => new Date(), timer = realTimer, patience = sleep } = options;
  const { host, port, database } = config;
  const version = [manifest.version, process.env.BUILD_COMMIT].filter(Boolean).join('+');
  const metrics = createMetrics(version);
  const names = config.environments.map(({ environment }) => environment.name);
  const server = await startServer({ host, port, logger, sleep });
  const store = await openDb(database, { logger, onLost: onFatal, environments: names }).catch(
    async (error: unknown) => {
      await server.close();
      throw error;
    },
  );
  const storeCode = await storeCodeOf(store.db);
  const count = (loop: string, isSuccess: boolean) => metrics.countLoop(loop, isSuccess, now());
  const loops = createLoops({ logger, now, timer, count });
  const base: Base = { config, version, logger, onFatal, now, patience, metrics, store, storeCode, loops };
  const { slack, strangers } = connectionOf(base);
  // Without the real time, what has elapsed is told by the clock that is handed in.
  const elapsedMs = options.now === undefined ? () => performance.now() : () => now().getTime();
  const ctx = await ctxOf(base, slack, strangers, createClockGuard({ now, elapsedMs }));
  registerRoutes(ctx, slack.app, createFlows(ctx).routes);
  server.serve(httpAnswers(ctx, { config, metrics, answerSlack: slack.answerRequest }));
  const running = { version, database: database.kind, environments: names, mode: config.slack.transport.mode };
  logger.info({ ...running, port: server.port }, 'Notif starts. Listening for health checks');
  let isStopping = false;

  async function startLoops(): Promise<void> {
    await prepareStore(ctx, config);
    const table = loopTable(loopsCtxOf(ctx, config));
    if (!isStopping) loops.start(table);
  }

  return {
    async start() {
      await Promise.all([slack.start().then(() => sendWhatWaits(ctx)), startLoops()]);
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

/** Slack, and who else is connected to its app: each is told what the other notices. */
function connectionOf(base: Base): { slack: SlackConnection; strangers: Strangers } {
  const { config, logger, onFatal, now, metrics, store, storeCode } = base;
  const { db } = store;
  const recount = () => slack.recount();
  const strangers = createStrangers({ db, logger, now, replicaId: randomUUID(), socketsEach: SOCKETS, recount });
  const slack = createSlackConnection({
    ...config.slack,
    storeCode,
    logger,
    onHello: (connections) => void strangers.noteHello(connections),
    onFatal,
    now: () => now().getTime(),
    onAcknowledged: metrics.onAcknowledged,
    observeCalls: metrics.observeCalls,
    onWorkspace: (workspace) => claimHome(db, workspace, config.isTeamChanged),
    isFirst: (interaction) =>
      claimKey(db, `interaction:${hashOf(interaction, 32)}`, addMinutes(now(), REPLAYED_MINUTES)),
  });
  return { slack, strangers };
}

async function ctxOf(base: Base, slack: SlackConnection, strangers: Strangers, clock: ClockGuard): Promise<AppCtx> {
  const { config, version, logger, now, patience, metrics, store, storeCode, loops } = base;
  const { db } = store;
  const { database, operators } = config;
  const { wake, behind } = loops;
  const { botToken } = config.slack;
  const secret = config.secretFile === null ? null : await secretIn(config.secretFile);
  const isEmbedded = database.kind === 'embedded';
  const serviceOf = createServices(base);
  const heldForMs = (environment: string) => serviceOf(environment).heldForMs();
  const polls = createPolls({ sleep: patience, heldForMs, wakePoll: (environment) => wake(pollLoop(environment)) });
  const workspaceParts = workspacePartsOf(base, slack);
  const { workspace, slackCheck } = workspaceParts;
  return {
    ...workspaceParts,
    db,
    vacuum: store.vacuum,
    isOurs: store.isOurs,
    lockTrouble: store.lockTrouble,
    client: slack.askingClient,
    postingClient: slack.postingClient,
    newerKinds: slack.newerKinds,
    tokenChecks: slack.tokenChecks,
    isAtHome: slack.isAtHome,
    environments: config.environments.map(({ environment }) => environment),
    operators,
    serviceOf,
    heldForMs,
    polls,
    traffic: createTraffic(),
    explainCause: createExplainCause(config.customCauses),
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
    countRecorded: metrics.countRecorded,
    newReference,
    newId: randomUUID,
    seal: secret === null ? createSeal(botToken) : createSeal(secret, botToken),
    retentionDays: config.retentionDays,
    clock,
    isEmbedded,
    accessControl: createAccessControl({ operators, logger }, workspace, config.guests, slack.homeTeam),
    wakeOutbox: () => wake(DELIVER),
    wakeAnnouncing: () => wake(ANNOUNCE),
    checkNow: polls.checkNow,
    neededScopes: NEEDED_SCOPES,
    warnings: config.warnings,
    hasHeartbeat: config.heartbeatUrl !== null,
    running: { version, startedAt: now() },
  };
}

/** The client of each environment's service, by the environment's name. */
function createServices({ config, logger, metrics, now }: Base): (environment: string) => NotificationService {
  const services = new Map(
    config.environments.map(({ environment, apiUrl: url, apiKey }) => {
      const observe = metrics.observeRequestsTo(environment.name);
      const clock = () => now().getTime();
      return [environment.name, createNotificationService({ environment, url, apiKey, logger, observe, now: clock })];
    }),
  );
  return (environment) => {
    const service = services.get(environment);
    if (service === undefined) throw new Error(`there is no environment ${environment}`);
    return service;
  };
}

interface WorkspaceParts extends Pick<AppCtx, 'channels' | 'noteChannelId' | 'slackCheck'> {
  workspace: People;
}

/** The workspace's people and channels, and whether messages reach them. */
function workspacePartsOf(
  { config, logger, now, patience, store, loops }: Base,
  slack: SlackConnection,
): WorkspaceParts {
  const { db } = store;
  const { wake } = loops;
  const asking = { client: slack.askingClient, logger, now, sleep: patience };
  const workspace = createWorkspace({ ...asking, noteIdentity: (identity) => noteIdentity(db, identity) });
  const noteChannelId = async (from: string, to: string) => {
    await changeChannelId(db, from, to);
    logger.info({ from, to }, 'A channel has another ID in Slack: what is stored follows it');
    await sendWhatWaits({ db, now, wake });
  };
  const channels = createChannels({ ...asking, noteChannelId });
  const slackCheck = createSlackCheck({
    tokenChecks: slack.tokenChecks,
    channels,
    digestChannel: () => digestChannelNow(db, config),
    logger,
    onRecovered: () => sendWhatWaits({ db, now, wake }),
  });
  return { workspace, channels, noteChannelId, slackCheck };
}

/** What Slack couldn't take until now is tried at once, not after its pause. */
async function sendWhatWaits({ db, now, wake }: Pick<AppCtx, 'db' | 'now' | 'wake'>): Promise<void> {
  await hurry(db, now());
  await wake(DELIVER);
}

async function digestChannelNow(db: Db, { digestChannel }: Config): Promise<string | null> {
  return digestChannel && currentChannelId(db, digestChannel);
}

/** Brings what is stored to what this configuration and version say. */
async function prepareStore(ctx: AppCtx, config: Config): Promise<void> {
  const { db, logger, now } = ctx;
  await configureWatch({ db, logger, now }, await digestChannelNow(db, config));
  // The process that made the claims has ended.
  if (ctx.isEmbedded) await releaseClaims(db, LOOK_AGAIN_MS);
  if (config.alertmanager === null) await forgetAlertmanager(db);
  await explainAgain(db, ctx.explainCause, now());
}

function loopsCtxOf(ctx: AppCtx, { retentionDays, heartbeatUrl, alertmanager }: Config): LoopsCtx {
  const { explainCause } = ctx;
  return {
    ...ctx,
    kinds: createKinds({ ...ctx, retentionDays }),
    publisher: ctx.slackCheck.watching(createPublisher(ctx)),
    continueSendings: (signal) => continueSendings(ctx, signal),
    notifyAlertmanager:
      alertmanager &&
      createAlertmanagerLoop({ ...ctx, alertmanager, wordsOf: (incident) => pagerWords(incident, explainCause) }),
    callHeartbeat: heartbeatUrl === null ? null : (stopping) => callAddress(heartbeatUrl, { stopping }),
  };
}
