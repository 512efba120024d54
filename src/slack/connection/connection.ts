import type { IncomingMessage, ServerResponse } from 'node:http';
import { type AuthorizeResult, HTTPReceiver } from '@slack/bolt';
import { type AuthTestResponse, WebClient } from '@slack/web-api';
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

const TIMING = {
  /** Between two tries to connect. */
  backoff: { firstMs: 500, longestMs: 30_000 },
  /** For opening a socket. */
  openTimeoutMs: 15_000,
  /** A stop waits so long for running answers. */
  drainMs: 6_000,
};

/** The workspace of the bot token, nulls until Slack has said it. */
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
  /** Slack repeats posts that it believes lost; sockets don't need it. */
  isFirst?: IsFirst;
  observeCalls: Observer;
  now: () => number;
  timing?: Partial<typeof TIMING>;
}

type AnswerRequest = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

export interface SlackConnection {
  app: NotifApp;
  /** Repeats lost calls, and waits for rate limits. */
  client: WebClient;
  /** Tries once: a post whose answer is lost may have arrived. */
  postingClient: WebClient;
  /** Repeats lost calls, but doesn't wait for rate limits, which would delay the calls behind it. */
  askingClient: WebClient;
  start: () => Promise<void>;
  stop: () => Promise<void>;
  /** Answers Slack's posts; null with sockets. */
  answerRequest: AnswerRequest | null;
  homeTeam: () => HomeTeam;
  /** Whether the workspace was checked, and Notif isn't stopping. */
  isAtHome: () => boolean;
  isConnected: () => boolean;
  newerKinds: Calls['newerKinds'];
  /** Has Slack say again how many connections the app has. */
  recount: () => void;
  tokenChecks: DoctorCtx['tokenChecks'];
}

export function createSlackConnection(options: SlackConnectionOptions): SlackConnection {
  const { botToken, transport, apiUrl, logger, now } = options;
  const { openTimeoutMs, drainMs, backoff } = { ...TIMING, ...options.timing };
  const stopping = new AbortController();
  const attempts = { logger, backoff, signal: stopping.signal };

  const calls = createCalls(apiUrl, options.storeCode, options.observeCalls, logger);
  const client = new WebClient(botToken, calls.repeating());
  const postingClient = new WebClient(botToken, calls.once());
  const askingClient = new WebClient(botToken, { ...calls.repeating(), rejectRateLimitedCalls: true });
  let authorization: AuthorizeResult = { botToken };
  let homeTeam: HomeTeam = { teamId: null, enterpriseId: null };

  const appToken = transport.mode === 'socket' ? transport.appToken : null;
  const { onHello } = options;
  const sockets = appToken === null ? null : createSockets({ ...attempts, appToken, apiUrl, openTimeoutMs, onHello });
  const posts = transport.mode === 'http' ? receivedPosts(transport.signingSecret, logger, now) : null;
  const receivers = sockets?.receivers ?? (posts === null ? [] : [posts.receiver]);
  // With `token`, Bolt would call auth.test itself and refuse everything if it fails.
  const appOptions = { logger: boltLogger(logger), authorize: async () => authorization, convoStore: false as const };
  const { onAcknowledged, isFirst = async () => true } = options;
  const app = new NotifApp(receivers, appOptions, { logger, onAcknowledged, isFirst: posts && isFirst });

  async function start(): Promise<void> {
    const identify = async (): Promise<AuthTestResponse> => {
      const bot = await postingClient.auth.test();
      await options.onWorkspace?.({ id: bot.team_id ?? bot.enterprise_id ?? '', name: bot.team ?? '' });
      return bot;
    };
    const bot = await untilConnected(identify, 'SLACK_BOT_TOKEN', attempts);
    if (bot === null || stopping.signal.aborted) return;
    const { bot_id: botId, user_id: botUserId } = bot;
    homeTeam = { teamId: bot.team_id ?? null, enterpriseId: bot.enterprise_id ?? null };
    authorization = { botToken, ...(botId && { botId }), ...(botUserId && { botUserId }) };
    warnOfMissingScopes(bot.response_metadata?.scopes ?? NEEDED_SCOPES, logger);
    app.isTaking = true;
    await Promise.all([calls.newerKinds.check(), sockets?.open(options.onFatal)]);
  }

  async function stop(): Promise<void> {
    const abandoned = await app.drain(drainMs);
    app.isTaking = false;
    stopping.abort();
    await sockets?.close();
    if (abandoned > 0) logger.warn({ abandoned }, 'Left Slack with answers still under way');
  }

  return {
    app,
    client,
    postingClient,
    askingClient,
    start,
    stop,
    answerRequest: posts?.answerRequest ?? null,
    homeTeam: () => homeTeam,
    isAtHome: () => app.isTaking,
    isConnected: () => app.isTaking && (sockets?.isOpen() ?? true),
    newerKinds: calls.newerKinds,
    recount: () => sockets?.recount(),
    tokenChecks: createTokenChecks(botToken, appToken, calls, now),
  };
}

/** Bolt gets only posts that Slack has signed. */
function receivedPosts(
  signingSecret: string,
  logger: Logger,
  now: () => number,
): { receiver: HTTPReceiver; answerRequest: AnswerRequest } {
  const receiver = new HTTPReceiver({ signingSecret, logger: boltLogger(logger) });
  const mayLog = createSparseLog(now);
  const answerRequest: AnswerRequest = async (request, response) => {
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const post = await readPost(request, signingSecret, now());
    if ('rawBody' in post) return void receiver.requestListener(Object.assign(request, post), response);
    const { why, status } = post;
    if (why !== null && mayLog(why)) logger.warn({ why }, 'A post was refused that should be from Slack');
    response.writeHead(status, status === 413 ? { connection: 'close' } : {}).end();
  };
  return { receiver, answerRequest };
}

function warnOfMissingScopes(granted: readonly string[], logger: Logger): void {
  const missing = NEEDED_SCOPES.filter((scope) => !granted.includes(scope));
  const next = 'reinstall the Slack app with the scopes of manifest.yml: docs/slack-app.md';
  if (missing.length > 0) logger.warn({ missing, next }, "Slack didn't grant a scope that Notif needs");
}
