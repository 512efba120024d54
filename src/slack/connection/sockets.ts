import { SocketModeReceiver } from '@slack/bolt';
import { WebAPIRateLimitedError } from '@slack/web-api';
import { EnvHttpProxyAgent, getGlobalDispatcher } from 'undici';
import type { Logger } from '../../lib/logger.ts';
import { doubled, inTime, sleep } from '../../lib/time/waiting.ts';
import { boltLogger } from './calls.ts';
import { parseFrame } from './incoming.ts';
import { refusalOf, type TokenVariable } from './tokens.ts';

/** Each replica has two: one stays open while Slack refreshes the other. */
export const SOCKETS = 2;

const CLOSE_TIMEOUT_MS = 2_000;

export interface ConnectAttempts {
  logger: Logger;
  backoff: { firstMs: number; longestMs: number };
  signal: AbortSignal;
}

/** Hears how many connections the Slack app has, each time that one opens. */
export type OnHello = (connections: number) => void;

type SocketsOptions = ConnectAttempts & {
  appToken: string;
  /** Null for Slack's own. */
  apiUrl: string | null;
  openTimeoutMs: number;
  onHello: OnHello;
};

export interface Sockets {
  receivers: readonly SocketModeReceiver[];
  isOpen: () => boolean;
  /** Resolves once the first socket is open. Later refusals go to `onFatal`. */
  open(onFatal: (error: unknown) => void): Promise<void>;
  /** Closes a socket: Slack tells only a new one how many there are. */
  recount(): void;
  close(): Promise<void>;
}

/** Tries until it works. Null if `signal` aborts first; rejects if Slack refuses the token. */
export async function untilConnected<T>(
  attempt: () => Promise<T>,
  variable: TokenVariable,
  attempts: ConnectAttempts,
): Promise<T | null> {
  const { logger, backoff, signal } = attempts;
  for (let failures = 0; !signal.aborted; failures += 1) {
    try {
      return await attempt();
    } catch (err) {
      const refusal = refusalOf(err, variable);
      if (refusal !== null) throw refusal;
      if (signal.aborted) return null;
      const rateLimitMs = err instanceof WebAPIRateLimitedError ? err.retryAfter * 1000 : 0;
      const waitMs = Math.max(doubled(backoff.firstMs, failures, backoff.longestMs), rateLimitMs);
      logger.warn({ err, failures: failures + 1, waitMs }, "Slack can't be reached; trying again");
      await sleep(waitMs, signal);
    }
  }
  return null;
}

/** Bolt's own reconnecting waits five seconds and hides a refused token. */
export function createSockets({ appToken, apiUrl, openTimeoutMs, onHello, ...attempts }: SocketsOptions): Sockets {
  const { logger, backoff, signal } = attempts;
  const open = new Set<SocketModeReceiver>();
  // Without a proxy, the socket's own dispatcher also ends hanging connections.
  const dispatcher = getGlobalDispatcher();
  const proxy = dispatcher instanceof EnvHttpProxyAgent && { dispatcher };
  const receivers = Array.from({ length: SOCKETS }, () => {
    const clientOptions = {
      ...(apiUrl !== null && { slackApiUrl: apiUrl }),
      retryConfig: { retries: 0 },
      timeout: openTimeoutMs,
      rejectRateLimitedCalls: true,
    };
    const receiver = new SocketModeReceiver({
      appToken,
      logger: boltLogger(logger),
      autoReconnectEnabled: false,
      installerOptions: { clientOptions },
      ...proxy,
    });
    checkFrames(receiver.client, logger, onHello);
    receiver.client.on('connected', () => open.add(receiver));
    receiver.client.on('disconnected', () => open.delete(receiver));
    return receiver;
  });

  async function start(receiver: SocketModeReceiver): Promise<void> {
    // `disconnect` makes `start` reject without an error.
    const giveUp = setTimeout(() => void receiver.client.disconnect(), openTimeoutMs);
    try {
      await receiver.start();
    } catch (error) {
      throw error ?? new Error('The connection closed before Slack said hello');
    } finally {
      clearTimeout(giveUp);
    }
  }

  async function keepOpen(receiver: SocketModeReceiver): Promise<void> {
    while (!signal.aborted) {
      await untilConnected(() => start(receiver), 'SLACK_APP_TOKEN', attempts);
      const ended = new Promise((resolve) => void receiver.client.once('disconnected', resolve));
      // The connection may have opened after `close`.
      if (signal.aborted) return void receiver.client.disconnect();
      if (open.has(receiver)) await ended;
      if (!signal.aborted) logger.info({}, 'A connection to Slack ends; opening the next');
      await sleep(backoff.firstMs, signal);
    }
  }

  return {
    receivers,
    isOpen: () => open.size > 0,
    async open(onFatal: (error: unknown) => void) {
      const opened = receivers.map(({ client }) => new Promise((resolve) => void client.once('connected', resolve)));
      const running = Promise.all(receivers.map(keepOpen));
      await Promise.race([...opened, running]);
      running.catch(onFatal);
    },
    recount() {
      const [oldest] = open;
      if (open.size === SOCKETS) void oldest?.client.disconnect();
    },
    async close() {
      await inTime(Promise.all(receivers.map(({ client }) => client.disconnect())), CLOSE_TIMEOUT_MS, null);
    },
  };
}

/** Keeps from the client what would end the process, and hears what a `hello` says. */
function checkFrames(client: SocketModeReceiver['client'], logger: Logger, onHello: OnHello): void {
  const listeners = client.listeners('ws_message');
  client.removeAllListeners('ws_message').on('ws_message', (text: unknown, ...more: unknown[]) => {
    const frame = parseFrame(text, (name) => client.listenerCount(name) > 0);
    if (frame?.type === 'hello' && frame.num_connections !== undefined) onHello(frame.num_connections);
    if (frame !== null) for (const hear of listeners) hear(text, ...more);
    else logger.warn({}, "A frame of Slack's socket is malformed, or of a kind that isn't known, and is left out");
  });
}
