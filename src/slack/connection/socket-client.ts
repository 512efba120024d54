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

export interface SocketClientOptions {
  readonly appToken: string;
  readonly apiUrl: string | null;
  readonly logger: SlackLogger;
  /** How long opening may take, from asking for the address to Slack's hello. Milliseconds. */
  readonly openTimeoutMs: number;
  readonly onEnvelope: (envelope: Envelope) => void;
}

const SlackEvent = z.object({
  envelope_id: z.string(),
  type: z.string(),
  body: z.record(z.string(), z.unknown()),
  retry_num: z.number().optional(),
  retry_reason: z.string().optional(),
  ack: z.custom<Envelope['acknowledge']>((value) => typeof value === 'function'),
});

const DisconnectNotice = z.object({ type: z.literal('disconnect') });

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
  return typeof data === 'string' && DisconnectNotice.safeParse(JSON.parse(data)).success;
}

/** Makes a client for one connection. Nothing is called before its `start`. */
export function createSocketClient({
  appToken,
  apiUrl,
  logger,
  openTimeoutMs,
  onEnvelope,
}: SocketClientOptions): SocketModeClient {
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
