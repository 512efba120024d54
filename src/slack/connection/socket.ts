import { setTimeout as wait } from 'node:timers/promises';
import type { Logger as SlackLogger } from '@slack/bolt';
import { SocketModeClient } from '@slack/socket-mode';
import { z } from 'zod';

/** One delivery over a socket, and the way to acknowledge it. */
export interface Envelope {
  readonly id: string;
  /** `slash_commands`, `interactive` or `events_api`. */
  readonly type: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** Which repeat of an event this is, and Slack's reason for it. */
  readonly retryNum: number | undefined;
  readonly retryReason: string | undefined;
  /** @throws where the socket has closed in between. */
  readonly acknowledge: (response: unknown) => Promise<void>;
}

/** A connection over which Slack has said hello. */
export interface Socket {
  /** Resolves when Slack asks for a successor, or the connection closes: whichever comes first. */
  readonly ending: Promise<void>;
  readonly closed: Promise<void>;
  /** Closes it, in two seconds at most. Never fails. */
  close(): Promise<void>;
}

export interface SocketOptions {
  readonly appToken: string;
  readonly apiUrl: string | null;
  readonly logger: SlackLogger;
  /** How long opening may take, from asking for the address to Slack's hello. Milliseconds. */
  readonly openTimeoutMs: number;
  readonly onEnvelope: (envelope: Envelope) => void;
}

/** No hello came, or the connection broke before it. */
export class SocketNotOpenedError extends Error {
  override readonly name = 'SocketNotOpenedError';
}

const CLOSE_TIMEOUT_MS = 2_000;

const SlackEvent = z.object({
  envelope_id: z.string(),
  type: z.string(),
  body: z.record(z.string(), z.unknown()),
  retry_num: z.number().optional(),
  retry_reason: z.string().optional(),
  ack: z.custom<Envelope['acknowledge']>((value) => typeof value === 'function'),
});

/**
 * Slack's client, but for two habits: it closes as soon as Slack announces that a connection will end, some ten seconds
 * ahead, so that nobody listens until the next one is open; and a message that it can't read is an unhandled rejection.
 */
class PatientSocketModeClient extends SocketModeClient {
  protected override async onWebSocketMessage(data: string | ArrayBuffer, isBinary: boolean): Promise<void> {
    try {
      if (isDisconnectNotice(data)) this.emit('retiring');
      else await super.onWebSocketMessage(data, isBinary);
    } catch (error) {
      this.emit('unreadable', error);
    }
  }
}

function isDisconnectNotice(data: string | ArrayBuffer): boolean {
  return typeof data === 'string' && z.object({ type: z.literal('disconnect') }).safeParse(JSON.parse(data)).success;
}

/**
 * Opens one Socket Mode connection. It is not opened again when it ends: whoever holds it opens the next.
 * @throws the Web API client's error of `apps.connections.open`; SocketNotOpenedError; the signal's reason once it is
 * aborted.
 */
export async function openSocket(options: SocketOptions, signal: AbortSignal): Promise<Socket> {
  const client = createClient(options);
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

function createClient({ appToken, apiUrl, logger, openTimeoutMs, onEnvelope }: SocketOptions): SocketModeClient {
  const client = new PatientSocketModeClient({
    appToken,
    logger,
    autoReconnectEnabled: false,
    // An object of its own: the client changes what it is given. One try, since the link's own loop is what tries again.
    clientOptions: {
      ...(apiUrl === null ? {} : { slackApiUrl: apiUrl }),
      retryConfig: { retries: 0 },
      timeout: openTimeoutMs,
      rejectRateLimitedCalls: true,
    },
  });
  client.on('unreadable', (error: unknown) => logger.warn('A message on the socket could not be read', error));
  client.on('slack_event', (event: unknown) => {
    const read = SlackEvent.safeParse(event);
    if (read.success) onEnvelope(envelopeOf(read.data));
    else logger.warn('A delivery on the socket could not be read', read.error);
  });
  return client;
}

function envelopeOf(event: z.output<typeof SlackEvent>): Envelope {
  return {
    id: event.envelope_id,
    type: event.type,
    body: event.body,
    retryNum: event.retry_num,
    retryReason: event.retry_reason,
    acknowledge: event.ack,
  };
}

/** Settles as `opened` does, but rejects when the time is over or `signal` is aborted. */
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
 * Gives up a connection that may still come up. Closing ends one that waits for hello; one that still asks for its
 * address is closed once it has come up, or it would take deliveries that nobody expects.
 */
function abandon(client: SocketModeClient, opened: Promise<unknown>): void {
  void client.disconnect();
  const close = (): void => void client.disconnect();
  const alreadyReported = (): void => {};
  opened.then(close, alreadyReported);
}
