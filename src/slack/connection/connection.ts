import type { IncomingMessage, ServerResponse } from 'node:http';
import { type AuthorizeResult, HTTPReceiver } from '@slack/bolt';
import { WebClient } from '@slack/web-api';
import type { DoctorCtx } from '../../health/doctor.ts';
import { createSparseLog, type Logger, type Observer } from '../../lib/logger.ts';
import { boltLogger, type Calls, createCalls } from './calls.ts';
import { readPost } from './incoming.ts';
import { type AckObserver, type IsFirst, NotifApp } from './notif-app.ts';
import { createSockets, type OnHello, untilConnected } from './sockets.ts';
import { createTokenChecks } from './tokens.ts';

/** The scopes of manifest.yml (docs/slack-app.md). */
export const NEEDED_SCOPES: readonly string[] = [
  ...['channels', 'groups', 'im', 'mpim'].flatMap((kind) => [`${kind}:history`, `${kind}:read`]),
  'commands',
  'app_mentions:read',
  'chat:write',
  'im:write',
  'files:write',
  'users:read',
  'usergroups:read',
];

const TIMING = { backoff: { firstMs: 500, longestMs: 30_000 }, openTimeoutMs: 15_000, drainMs: 6_000 };

export interface HomeTeam {
  teamId: string | null;
  enterpriseId: string | null;
}

export interface SlackConnectionOptions {
  botToken: string;
  transport: { mode: 'socket'; appToken: string } | { mode: 'http'; signingSecret: string };
  apiUrl: string | null;
  storeCode: string;
  logger: Logger;
  onFatal: (error: unknown) => void;
  onHello: OnHello;
  /** Runs before requests are handled; rejects if the workspace is the wrong one. */
  onWorkspace?: (workspace: { id: string; name: string }) => Promise<void>;
  onAcknowledged: AckObserver;
  isFirst?: IsFirst;
  observeCalls: Observer;
  now: () => number;
  timing?: Partial<typeof TIMING>;
}

export interface SlackConnection {
  app: NotifApp;
  client: WebClient;
  postingClient: WebClient;
  askingClient: WebClient;
  start: () => Promise<void>;
  stop: () => Promise<void>;
  /** Null with sockets. */
  answerRequest: ((request: IncomingMessage, response: ServerResponse) => Promise<void>) | null;
  homeTeam: () => HomeTeam;
  /** The workspace was checked, and Notif isn't stopping. */
  isAtHome: () => boolean;
  isConnected: () => boolean;
  newerKinds: Calls['newerKinds'];
  recount: () => void;
  tokenChecks: DoctorCtx['tokenChecks'];
}

export function createSlackConnection(options: SlackConnectionOptions): SlackConnection {
  const { botToken, transport, apiUrl, logger, now, onAcknowledged } = options;
  const { openTimeoutMs, drainMs, backoff } = { ...TIMING, ...options.timing };
  const stopping = new AbortController();
  const attempts = { logger, backoff, signal: stopping.signal };
  const slackLogger = boltLogger(logger);

  const calls = createCalls(apiUrl, options.storeCode, options.observeCalls, logger);
  const client = new WebClient(botToken, calls.repeating());
  // A post may have arrived, so it isn't repeated.
  const postingClient = new WebClient(botToken, calls.once());
  // Its calls don't wait for a rate limit, which would delay those after them.
  const askingClient = new WebClient(botToken, { ...calls.repeating(), rejectRateLimitedCalls: true });
  let authorization: AuthorizeResult = { botToken };
  let homeTeam: HomeTeam = { teamId: null, enterpriseId: null };

  const appToken = transport.mode === 'socket' ? transport.appToken : null;
  const sockets =
    appToken === null
      ? null
      : createSockets({ ...attempts, appToken, apiUrl, openTimeoutMs, onHello: options.onHello });
  const http = transport.mode === 'http' ? new HTTPReceiver({ ...transport, logger: slackLogger }) : null;
  // With `token`, Bolt would call auth.test itself and refuse everything if it fails.
  const appOptions = { logger: slackLogger, authorize: async () => authorization, convoStore: false as const };
  const { isFirst = async () => true } = options;
  const parts = { logger, onAcknowledged, isFirst: http === null ? null : isFirst };
  const app = new NotifApp(sockets?.receivers ?? (http ? [http] : []), appOptions, parts);

  async function start() {
    const identify = async () => {
      const bot = await postingClient.auth.test();
      await options.onWorkspace?.({ id: bot.team_id ?? bot.enterprise_id ?? '', name: bot.team ?? '' });
      return bot;
    };
    const bot = await untilConnected(identify, 'SLACK_BOT_TOKEN', attempts);
    if (bot === null || stopping.signal.aborted) return;
    const { bot_id: botId, user_id: botUserId } = bot;
    homeTeam = { teamId: bot.team_id ?? null, enterpriseId: bot.enterprise_id ?? null };
    authorization = { botToken, ...(botId && { botId }), ...(botUserId && { botUserId }) };
    const { scopes: granted = NEEDED_SCOPES } = bot.response_metadata ?? {};
    const missing = NEEDED_SCOPES.filter((scope) => !granted.includes(scope));
    const next = 'reinstall the Slack app with the scopes of manifest.yml: docs/slack-app.md';
    if (missing.length > 0) logger.warn({ missing, next }, "Slack didn't grant a scope that Notif needs");
    app.isTaking = true;
    await Promise.all([calls.newerKinds.check(), sockets?.open(options.onFatal)]);
  }

  async function stop() {
    const abandoned = await app.drain(drainMs);
    app.isTaking = false;
    stopping.abort();
    await sockets?.close();
    if (abandoned > 0) logger.warn({ abandoned }, 'Left Slack with answers still under way');
  }

  const mayLog = createSparseLog(now);
  async function answerRequest(request: IncomingMessage, response: ServerResponse) {
    if (transport.mode !== 'http' || request.method !== 'POST') return void response.writeHead(405).end();
    const post = await readPost(request, transport.signingSecret, now());
    if ('rawBody' in post) return http?.requestListener(Object.assign(request, post), response);
    const { why } = post;
    if (why !== null && mayLog(why)) logger.warn({ why }, 'A post was refused that should be from Slack');
    response.writeHead(post.status, post.status === 413 ? { connection: 'close' } : {}).end();
  }

  return {
    app,
    client,
    postingClient,
    askingClient,
    start,
    stop,
    answerRequest: http && answerRequest,
    homeTeam: () => homeTeam,
    isAtHome: () => app.isTaking,
    isConnected: () => app.isTaking && (sockets?.isOpen() ?? true),
    newerKinds: calls.newerKinds,
    recount: () => sockets?.recount(),
    tokenChecks: createTokenChecks(botToken, appToken, calls, now),
  };
}
