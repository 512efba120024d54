import type { Logger as SlackLogger } from '@slack/bolt';
import { SocketModeClient } from '@slack/socket-mode';
import { z } from 'zod';
import type { SlackDelivery } from './delivery.ts';

export interface SocketClientOptions {
  readonly appToken: string;
  readonly apiUrl: string | null;
  readonly logger: SlackLogger;
  /** From requesting the address to Slack's hello. */
  readonly openTimeoutMs: number;
  readonly onDelivery: (delivery: SlackDelivery) => void;
}

const SlackEvent = z.object({
  envelope_id: z.string(),
  type: z.string(),
  body: z.record(z.string(), z.unknown()),
  retry_num: z.number().optional(),
  retry_reason: z.string().optional(),
  ack: z.custom<SlackDelivery['acknowledge']>((value) => typeof value === 'function'),
});

const DisconnectNotice = z.object({ type: z.literal('disconnect') });

/**
 * Without two habits of Slack's client: it closes a connection as soon as Slack announces its end, some ten seconds
 * ahead, so that nobody listens until the next one is open; and a message that it can't parse is an unhandled
 * rejection.
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

/** For one connection. Makes no calls before its `start`. */
export function createSocketClient({
  appToken,
  apiUrl,
  logger,
  openTimeoutMs,
  onDelivery,
}: SocketClientOptions): SocketModeClient {
  const client = new PatientSocketModeClient({
    appToken,
    logger,
    autoReconnectEnabled: false,
    // A new object, because the client modifies it. One try, because the link itself retries.
    clientOptions: {
      ...(apiUrl === null ? {} : { slackApiUrl: apiUrl }),
      retryConfig: { retries: 0 },
      timeout: openTimeoutMs,
      rejectRateLimitedCalls: true,
    },
  });
  client.on('unreadable', (error: unknown) => logger.warn("A message on the socket couldn't be read", error));
  client.on('slack_event', (event: unknown) => {
    const read = SlackEvent.safeParse(event);
    if (read.success) onDelivery(deliveryOf(read.data));
    else logger.warn("A delivery on the socket couldn't be read", read.error);
  });
  return client;
}

function deliveryOf(event: z.output<typeof SlackEvent>): SlackDelivery {
  return {
    id: event.envelope_id,
    type: event.type,
    body: event.body,
    retryNum: event.retry_num,
    retryReason: event.retry_reason,
    acknowledge: event.ack,
    // Slack repeats what isn't acknowledged.
    abandon: () => {},
  };
}
