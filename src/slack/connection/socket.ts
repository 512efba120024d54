import { setTimeout as wait } from 'node:timers/promises';
import type { SocketModeClient } from '@slack/socket-mode';
import { createSocketClient, type SocketClientOptions } from './socket-client.ts';

/** Slack has sent its hello. */
export interface Socket {
  /** Resolves when Slack announces the end or the connection closes, whichever comes first. */
  readonly ending: Promise<void>;
  readonly closed: Promise<void>;
  /** Closes the connection within two seconds. Never fails. */
  close(): Promise<void>;
}

/** There was no hello, or the connection broke before it. */
class SocketNotOpenedError extends Error {
  override readonly name = 'SocketNotOpenedError';
}

const CLOSE_TIMEOUT_MS = 2_000;

/**
 * The caller opens the next one when it ends. @throws the Web API client's error of `apps.connections.open`;
 * SocketNotOpenedError; the signal's reason once it is aborted.
 */
export async function openSocket(options: SocketClientOptions, signal: AbortSignal): Promise<Socket> {
  const client = createSocketClient(options);
  const closed = new Promise<void>((resolve) => void client.once('disconnected', () => resolve()));
  const retiring = new Promise<void>((resolve) => void client.once('retiring', resolve));
  const opened = client.start();
  try {
    await inTime(opened, options.openTimeoutMs, signal);
  } catch (error) {
    abandon(client, opened);
    throw error instanceof Error ? error : new SocketNotOpenedError('The connection closed before Slack said hello');
  }
  return {
    ending: Promise.race([retiring, closed]),
    closed,
    close: () => Promise.race([client.disconnect(), wait(CLOSE_TIMEOUT_MS, undefined, { ref: false })]),
  };
}

/** Settles like `opened`, but rejects when the time is up or `signal` aborts. */
async function inTime(opened: Promise<unknown>, ms: number, signal: AbortSignal): Promise<void> {
  const settled = new AbortController();
  const options = { signal: AbortSignal.any([signal, settled.signal]), ref: false };
  const timeIsOver = wait(ms, undefined, options).then(() => {
    throw new SocketNotOpenedError('Slack did not say hello in time');
  });
  try {
    await Promise.race([opened, timeIsOver]);
  } finally {
    settled.abort();
  }
}

/**
 * Closing ends one that waits for its hello. One that still requests its address is closed once it is open; otherwise
 * it would receive deliveries that nobody handles.
 */
function abandon(client: SocketModeClient, opened: Promise<unknown>): void {
  void client.disconnect();
  const close = (): void => void client.disconnect();
  const alreadyReported = (): void => {};
  opened.then(close, alreadyReported);
}
