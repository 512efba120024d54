import { type Logger as SlackLogger, SocketModeReceiver } from '@slack/bolt';
import { WebAPIRateLimitedError } from '@slack/web-api';
import { EnvHttpProxyAgent, getGlobalDispatcher } from 'undici';
import type { Logger } from '../../lib/logger.ts';
import { doubled, inTime, sleep } from '../../lib/time/waiting.ts';
import { isFrame } from './deliveries.ts';
import { refusalOf, type TokenVariable } from './tokens.ts';

export interface ConnectAttempts {
  logger: Logger;
  backoff: { firstMs: number; longestMs: number };
  signal: AbortSignal;
}

/** Returns null once `signal` aborts. Rejects with `SlackRefusedError` if a retry is useless. */
export async function untilConnected<T>(attempt: () => Promise<T>, variable: TokenVariable, attempts: ConnectAttempts) {
  const { logger, backoff, signal } = attempts;
  for (let failures = 0; !signal.aborted; failures += 1) {
    try {
      return await attempt();
    } catch (err) {
      const refusal = refusalOf(err, variable);
      if (refusal !== null) throw refusal;
      if (signal.aborted) return null;
      const limitMs = err instanceof WebAPIRateLimitedError ? err.retryAfter * 1000 : 0;
      const waitMs = Math.max(doubled(backoff.firstMs, failures, backoff.longestMs), limitMs);
      logger.warn({ err, failures: failures + 1, waitMs }, "Slack can't be reached; trying again");
      await sleep(waitMs, signal);
    }
  }
  return null;
}

type SocketsOptions = ConnectAttempts & {
  appToken: string;
  apiUrl: string | null;
  slackLogger: SlackLogger;
  openTimeoutMs: number;
};

const CLOSE_TIMEOUT_MS = 2_000;

/** Two, so that one stays open. Bolt's own reconnecting waits five seconds and hides a refused token. */
export function createSockets({ appToken, apiUrl, slackLogger, openTimeoutMs, ...attempts }: SocketsOptions) {
  const { logger, backoff, signal } = attempts;
  const open = new Set<SocketModeReceiver>();
  // Without a proxy, the socket's own dispatcher also ends a connection that hangs.
  const dispatcher = getGlobalDispatcher();
  const proxy = dispatcher instanceof EnvHttpProxyAgent && { dispatcher };
  const receivers = [0, 1].map(() => {
    const clientOptions = {
      ...(apiUrl !== null && { slackApiUrl: apiUrl }),
      retryConfig: { retries: 0 },
      timeout: openTimeoutMs,
      rejectRateLimitedCalls: true,
    };
    const receiver = new SocketModeReceiver({
      appToken,
      logger: slackLogger,
      autoReconnectEnabled: false,
      installerOptions: { clientOptions },
      ...proxy,
    });
    checkFrames(receiver.client, logger);
    receiver.client.on('connected', () => open.add(receiver));
    receiver.client.on('disconnected', () => open.delete(receiver));
    return receiver;
  });

  async function start(receiver: SocketModeReceiver) {
    // `start` rejects then, without an error.
    const giveUp = setTimeout(() => void receiver.client.disconnect(), openTimeoutMs);
    try {
      await receiver.start();
    } catch (error) {
      throw error ?? new Error('The connection closed before Slack said hello');
    } finally {
      clearTimeout(giveUp);
    }
  }

  async function keepOpen(receiver: SocketModeReceiver) {
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
    /** Resolves once the first is open. Later refusals go to `onFatal`. */
    async open(onFatal: (error: unknown) => void): Promise<void> {
      const opened = receivers.map(({ client }) => new Promise((resolve) => void client.once('connected', resolve)));
      const running = Promise.all(receivers.map(keepOpen));
      await Promise.race([...opened, running]);
      running.catch(onFatal);
    },
    async close(): Promise<void> {
      await inTime(Promise.all(receivers.map(({ client }) => client.disconnect())), CLOSE_TIMEOUT_MS, null);
    },
  };
}

function checkFrames(client: SocketModeReceiver['client'], logger: Logger) {
  const listeners = client.listeners('ws_message');
  client.removeAllListeners('ws_message').on('ws_message', (frame: unknown, ...more: unknown[]) => {
    if (isFrame(frame, (name) => client.listenerCount(name) > 0)) for (const hear of listeners) hear(frame, ...more);
    else logger.warn({}, "A frame of Slack's socket is malformed, or of a kind that isn't known, and is left out");
  });
}
