import { App } from '@slack/bolt';
import { WebClient } from '@slack/web-api';
import type { Logger } from '../domain/logger.ts';
import { boltLogger } from './connection/bolt-logger.ts';
import { BotIdentity } from './connection/bot-identity.ts';
import { onceOnly, repeating } from './connection/client-options.ts';
import { type Envelope, openSocket, type Socket } from './connection/socket.ts';
import { SocketLink } from './connection/socket-link.ts';
import { SocketPool } from './connection/socket-pool.ts';
import { type AcknowledgementObserver, SocketReceiver } from './connection/socket-receiver.ts';
import { type Backoff, untilConnected } from './connection/until-connected.ts';

export { SlackRefusedError } from './connection/refused-error.ts';

export interface SlackConnectionOptions {
  readonly botToken: string;
  readonly appToken: string;
  /** Another Web API address than Slack's; null for Slack's. */
  readonly apiUrl: string | null;
  readonly logger: Logger;
  /**
   * Gets a SlackRefusedError when Slack refuses the app token after the start: the process has nothing left to do.
   * Called once.
   */
  readonly onFatal: (error: unknown) => void;
  readonly onAcknowledged?: AcknowledgementObserver;
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
  /**
   * Resolves when a first socket is open, or once `stop` was called; tries again for as long as Slack can't be reached.
   * @throws SlackRefusedError where Slack refuses a token.
   */
  start(): Promise<void>;
  /** Waits for running listeners, ten seconds at most, then closes the sockets. Never fails. */
  stop(): Promise<void>;
  isConnected(): boolean;
}

const TIMING: ConnectionTiming = {
  backoff: { firstMs: 500, longestMs: 30_000 },
  openTimeoutMs: 15_000,
  // Slack waits three seconds for an acknowledgement, and wants it on the connection of its delivery.
  overlapMs: 3_000,
  drainMs: 10_000,
};

/** Connects to Slack by Socket Mode, over two sockets that feed one app. Nothing is called before `start`. */
export function createSlackConnection(options: SlackConnectionOptions): SlackConnection {
  const { botToken, appToken, apiUrl, logger, now = Date.now } = options;
  const timing = { ...TIMING, ...options.timing };
  const slackLogger = boltLogger(logger);
  const stopping = new AbortController();
  const attempts = { logger, backoff: timing.backoff, signal: stopping.signal };

  const client = new WebClient(botToken, { ...repeating(apiUrl), logger: slackLogger });
  const deliveryClient = new WebClient(botToken, { ...onceOnly(apiUrl), logger: slackLogger });
  const bot = new BotIdentity(deliveryClient, botToken);
  const receiver = new SocketReceiver({ logger, now, onAcknowledged: options.onAcknowledged ?? (() => {}) });
  const app = new App({
    receiver,
    authorize: async () => bot.authorization(),
    clientOptions: onceOnly(apiUrl),
    logger: slackLogger,
    convoStore: false,
    extendedErrorHandler: true,
  });

  const socketOptions = {
    appToken,
    apiUrl,
    logger: slackLogger,
    openTimeoutMs: timing.openTimeoutMs,
    onEnvelope: (envelope: Envelope) => receiver.receive(envelope),
  };
  const open = (): Promise<Socket> => openSocket(socketOptions, stopping.signal);
  const pool = new SocketPool(
    (onConnected) =>
      new SocketLink({ ...attempts, variable: 'SLACK_APP_TOKEN', open, onConnected, overlapMs: timing.overlapMs, now }),
  );

  return {
    app,
    client,
    deliveryClient,
    isConnected: () => pool.isConnected(),
    async start() {
      const identified = await untilConnected(() => bot.ask(), { ...attempts, variable: 'SLACK_BOT_TOKEN' });
      if (identified !== null) await pool.start(options.onFatal);
    },
    async stop() {
      const deadline = now() + timing.drainMs;
      // First with open sockets, over which acknowledgements go, then what has come in until they were closed.
      await receiver.drain(deadline - now());
      stopping.abort();
      await pool.close();
      const abandoned = await receiver.drain(Math.max(0, deadline - now()));
      if (abandoned > 0)
        logger.warn({ abandoned }, 'The connection to Slack is closed although answers are still under way');
    },
  };
}
