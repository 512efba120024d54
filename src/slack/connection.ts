import type { IncomingMessage, ServerResponse } from 'node:http';
import { App, type Logger as SlackLogger } from '@slack/bolt';
import { WebClient, type WebClientOptions } from '@slack/web-api';
import type { HomeTeam } from '../domain/access/membership.ts';
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

export { SlackRefusedError } from './connection/refused-error.ts';

/** How Slack reaches the bot: over sockets that the bot opens, or by posting to it, signed. */
export type WayIn =
  | { readonly mode: 'socket'; readonly appToken: string }
  | { readonly mode: 'http'; readonly signingSecret: string };

export interface SlackConnectionOptions {
  readonly botToken: string;
  readonly wayIn: WayIn;
  /** Another Web API address than Slack's; null for Slack's. */
  readonly apiUrl: string | null;
  readonly logger: Logger;
  /**
   * Gets a SlackRefusedError when Slack refuses the app token after the start: the process has nothing left to do.
   * Called once.
   */
  readonly onFatal: (error: unknown) => void;
  readonly onAcknowledged?: AckObserver;
  /** Called for each call of the Web API, with its method. */
  readonly observeCalls?: Observer;
  /** Milliseconds; the clock unless given. */
  readonly now?: () => number;
  readonly timing?: Partial<ConnectionTiming>;
}

export interface ConnectionTiming {
  readonly backoff: Backoff;
  /** From asking for a socket's address to Slack's hello. */
  readonly openTimeoutMs: number;
  /** How long an ending connection stays open beside its successor. */
  readonly overlapMs: number;
  /** How long `stop` waits for listeners. */
  readonly drainMs: number;
}

export interface SlackConnection {
  /**
   * Listeners are registered here before `start`; the client they get is of `deliveryClient`'s kind. Its own
   * `app.client` has no token.
   */
  readonly app: App;
  /**
   * For look-ups and edits, which may be repeated: three more tries, rate limits waited for. Never for a post: one
   * whose answer was lost would be posted twice.
   */
  readonly client: WebClient;
  /**
   * For posts: one try, and a rate limit is an error (WebAPIRateLimitedError), so that the caller decides what a lost
   * answer means.
   */
  readonly deliveryClient: WebClient;
  /** Answers what Slack posts; null in Socket Mode, in which it posts nothing. */
  readonly answerRequest: ((request: IncomingMessage, response: ServerResponse) => Promise<void>) | null;
  /** Known once `start` has resolved. */
  homeTeam(): HomeTeam;
  /** What the bot token was granted, once `start` has resolved; null where Slack did not say. */
  grantedScopes(): readonly string[] | null;
  /**
   * Resolves when a first socket is open, in HTTP mode when the bot knows who it is, or once `stop` was called; tries again for as long as Slack can't be reached.
   * @throws SlackRefusedError where Slack refuses a token.
   */
  start(): Promise<void>;
  /** Waits for running listeners, ten seconds at most, then closes the sockets or takes no more requests. Never fails. */
  stop(): Promise<void>;
  isConnected(): boolean;
  /** Of this process; null where every call has succeeded. */
  lastTrouble(): SlackTrouble | null;
  /** Whether Slack takes the tokens, for anyone who asks why something does not work. */
  readonly tokenChecks: TokenChecks;
}

const TIMING: ConnectionTiming = {
  backoff: { firstMs: 500, longestMs: 30_000 },
  openTimeoutMs: 15_000,
  // Slack waits three seconds for an acknowledgment, and wants it on the connection of its delivery.
  overlapMs: 3_000,
  drainMs: 10_000,
};

/** Connects to Slack, by Socket Mode over two sockets that feed one app, or by HTTP. Nothing is called before `start`. */
export function createSlackConnection(options: SlackConnectionOptions): SlackConnection {
  const { botToken, apiUrl, logger, now = Date.now } = options;
  const timing = { ...TIMING, ...options.timing };
  const stopping = new AbortController();
  const attempts = { logger, backoff: timing.backoff, signal: stopping.signal };
  const slackLogger = boltLogger(logger);

  const calls = new CallRecord(options.observeCalls ?? unobserved, now);
  const client = new WebClient(botToken, { ...repeating(apiUrl, calls.observe), logger: slackLogger });
  const deliveryClient = new WebClient(botToken, { ...onceOnly(apiUrl, calls.observe), logger: slackLogger });
  const bot = new BotIdentity(deliveryClient, botToken);
  const receiver = new DeliveryReceiver({ logger, now, onAcknowledged: options.onAcknowledged ?? (() => {}) });
  const app = createBoltApp({ receiver, bot, logger: slackLogger, clientOptions: onceOnly(apiUrl, calls.observe) });
  const way = wayInto(receiver, { ...options, timing, attempts, slackLogger, now });

  async function start(): Promise<void> {
    const identified = await untilConnected(() => bot.ask(), { ...attempts, variable: 'SLACK_BOT_TOKEN' });
    if (identified !== null) await way.start(options.onFatal);
  }

  async function stop(): Promise<void> {
    const deadline = now() + timing.drainMs;
    // First with an open way, over which acknowledgments go, then what has come in until they were closed.
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
    grantedScopes: () => bot.scopes(),
    isConnected: () => way.isConnected(),
    lastTrouble: () => calls.lastTrouble(),
    tokenChecks: createTokenChecks({
      botToken,
      appToken: appTokenOf(options.wayIn),
      apiUrl,
      observe: calls.observe,
      logger: slackLogger,
      now,
    }),
  };
}

function appTokenOf(wayIn: WayIn): string | null {
  return wayIn.mode === 'socket' ? wayIn.appToken : null;
}

/** What `WayIn` comes to. */
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

interface BoltParts {
  readonly receiver: DeliveryReceiver;
  readonly bot: BotIdentity;
  readonly logger: SlackLogger;
  readonly clientOptions: WebClientOptions;
}

function createBoltApp({ bot, ...options }: BoltParts): App {
  return new App({
    ...options,
    authorize: async () => bot.authorization(),
    // Its default looks every event's channel up in a store that nothing fills.
    convoStore: false,
    extendedErrorHandler: true,
  });
}
