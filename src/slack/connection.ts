import type { IncomingMessage, ServerResponse } from 'node:http';
import { App, type Logger as SlackLogger } from '@slack/bolt';
import { WebClient } from '@slack/web-api';
import type { HomeTeam } from '../domain/access/membership.ts';
import { missingScopes } from '../domain/health/missing-scopes.ts';
import type { SlackTrouble } from '../domain/health/slack-trouble.ts';
import type { TokenChecks } from '../domain/health/token-check.ts';
import type { Logger } from '../domain/logger.ts';
import { type Observer, unobserved } from '../domain/observer.ts';
import { boltLogger } from './connection/bolt-logger.ts';
import { BotIdentity } from './connection/bot-identity.ts';
import { CallRecord } from './connection/call-record.ts';
import { onceOnly, repeating } from './connection/client-options.ts';
import { HttpEntrance } from './connection/http-entrance.ts';
import { type AckObserver, DeliveryReceiver } from './connection/receiver.ts';
import { openSocket } from './connection/socket.ts';
import { SocketLink } from './connection/socket-link.ts';
import { SocketPool } from './connection/socket-pool.ts';
import { createTokenChecks } from './connection/token-checks.ts';
import { type Attempts, type Backoff, untilConnected } from './connection/until-connected.ts';
import { SCOPE_USES } from './scopes.ts';

export { SlackRefusedError } from './connection/refused-error.ts';

/** Over sockets that Notif opens, or by signed HTTP requests. */
export type WayIn =
  | { readonly mode: 'socket'; readonly appToken: string }
  | { readonly mode: 'http'; readonly signingSecret: string };

export interface SlackConnectionOptions {
  readonly botToken: string;
  readonly wayIn: WayIn;
  /** Null for Slack's. */
  readonly apiUrl: string | null;
  readonly logger: Logger;
  /** Called once with a SlackRefusedError when Slack refuses the app token after the start: the process can't do anything then. */
  readonly onFatal: (error: unknown) => void;
  readonly onAcknowledged?: AckObserver;
  readonly observeCalls?: Observer;
  /** In milliseconds. */
  readonly now?: () => number;
  readonly timing?: Partial<ConnectionTiming>;
}

export interface ConnectionTiming {
  readonly backoff: Backoff;
  /** From requesting a socket's address to Slack's hello. */
  readonly openTimeoutMs: number;
  /** How long an ending connection stays open beside its replacement. */
  readonly overlapMs: number;
  /** How long `stop` waits for listeners. */
  readonly drainMs: number;
}

export interface SlackConnection {
  /** Register listeners here before `start`. The client that they get behaves like `deliveryClient`. `app.client` has no token. */
  readonly app: App;
  /**
   * For lookups and edits, which are safe to repeat: retries three times and waits for rate limits. Never for posts: one with a lost
   * response would be posted twice.
   */
  readonly client: WebClient;
  /**
   * For posts: tries once, and a rate limit is an error (WebAPIRateLimitedError), so that the caller decides what a lost response means.
   */
  readonly deliveryClient: WebClient;
  /** Null in Socket Mode. */
  readonly answerRequest: ((request: IncomingMessage, response: ServerResponse) => Promise<void>) | null;
  /** Known once `start` has resolved. */
  homeTeam(): HomeTeam;
  /**
   * Resolves when the first socket is open, or in HTTP mode when the bot's identity is known, or once `stop` was called. Retries for as
   * long as Slack can't be reached.
   * @throws SlackRefusedError if Slack refuses a token.
   */
  start(): Promise<void>;
  /** Waits up to six seconds for running listeners, then closes the sockets or refuses requests. Never fails. */
  stop(): Promise<void>;
  isConnected(): boolean;
  /** Returns this process's last failed call. Null if every call has succeeded. */
  lastTrouble(): SlackTrouble | null;
  readonly tokenChecks: TokenChecks;
}

const TIMING: ConnectionTiming = {
  backoff: { firstMs: 500, longestMs: 30_000 },
  openTimeoutMs: 15_000,
  // Slack waits three seconds for an acknowledgment, and expects it on the connection of its delivery.
  overlapMs: 3_000,
  drainMs: 6_000,
};

/** Makes no calls before `start`. */
export function createSlackConnection(options: SlackConnectionOptions): SlackConnection {
  const { botToken, apiUrl, logger, now = Date.now } = options;
  const timing = { ...TIMING, ...options.timing };
  const stopping = new AbortController();
  const attempts = { logger, backoff: timing.backoff, signal: stopping.signal };
  const slackLogger = boltLogger(logger);

  const calls = new CallRecord(options.observeCalls ?? unobserved, now);
  const client = new WebClient(botToken, { ...repeating(apiUrl, calls.observe, logger), logger: slackLogger });
  const deliveryClient = new WebClient(botToken, { ...onceOnly(apiUrl, calls.observe, logger), logger: slackLogger });
  const bot = new BotIdentity(deliveryClient, botToken);
  const receiver = new DeliveryReceiver({ logger, now, onAcknowledged: options.onAcknowledged ?? (() => {}) });
  const app = new App({
    receiver,
    logger: slackLogger,
    clientOptions: onceOnly(apiUrl, calls.observe, logger),
    authorize: async () => bot.authorization(),
    // By default Bolt looks up every event's channel in a store that nothing fills.
    convoStore: false,
    extendedErrorHandler: true,
  });
  const way = wayInto(receiver, { ...options, timing, attempts, slackLogger, now });

  async function start(): Promise<void> {
    const identified = await untilConnected(() => bot.ask(), { ...attempts, variable: 'SLACK_BOT_TOKEN' });
    if (identified === null) return;
    warnOfMissingScopes(bot.scopes(), logger);
    await way.start(options.onFatal);
  }

  async function stop(): Promise<void> {
    const deadline = now() + timing.drainMs;
    // First with an open connection for acknowledgments, then for what came in until it closed.
    await receiver.drain(timing.drainMs);
    stopping.abort();
    await way.close();
    const abandoned = await receiver.drain(Math.max(0, deadline - now()));
    if (abandoned === 0) return;
    logger.warn({ abandoned }, 'The connection to Slack is closed although answers are still under way');
  }

  return {
    ...{ app, client, deliveryClient, start, stop },
    answerRequest: way.answer ?? null,
    homeTeam: () => bot.homeTeam(),
    isConnected: () => way.isConnected(),
    lastTrouble: () => calls.lastTrouble(),
    tokenChecks: createTokenChecks({
      botToken,
      appToken: options.wayIn.mode === 'socket' ? options.wayIn.appToken : null,
      apiUrl,
      observe: calls.observe,
      logger: slackLogger,
      now,
    }),
  };
}

/** Without `users:read` Notif refuses everyone, so nobody could ask `/notif doctor`. `granted`: null if Slack didn't list them. */
function warnOfMissingScopes(granted: readonly string[] | null, logger: Logger): void {
  const next = 'reinstall the Slack app with the scopes of manifest.yml: docs/slack-app.md';
  for (const { scope, use } of granted === null ? [] : missingScopes(granted, SCOPE_USES))
    logger.warn({ scope, use, next }, 'Slack did not grant a scope that Notif needs');
}

interface Way {
  start(onFatal: (error: unknown) => void): Promise<void>;
  close(): Promise<void>;
  isConnected(): boolean;
  readonly answer?: HttpEntrance['answer'];
}

interface WayParts extends Omit<SlackConnectionOptions, 'timing'> {
  readonly timing: ConnectionTiming;
  readonly attempts: Omit<Attempts, 'variable'>;
  readonly slackLogger: SlackLogger;
  readonly now: () => number;
}

function wayInto(receiver: DeliveryReceiver, parts: WayParts): Way {
  const { wayIn, apiUrl, timing, attempts, slackLogger: logger, now } = parts;
  if (wayIn.mode === 'http') {
    const { signingSecret } = wayIn;
    return new HttpEntrance({ signingSecret, onDelivery: receiver.receive, logger: parts.logger, now });
  }
  const { appToken } = wayIn;
  const socket = { appToken, apiUrl, logger, openTimeoutMs: timing.openTimeoutMs, onDelivery: receiver.receive };
  const link = { ...attempts, ...timing, now, open: () => openSocket(socket, attempts.signal) };
  return new SocketPool((onConnected) => new SocketLink({ ...link, variable: 'SLACK_APP_TOKEN', onConnected }));
}
