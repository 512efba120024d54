import type { Json } from './page-protocol.ts';

export type EnvelopeType = 'slash_commands' | 'interactive' | 'events_api';

/** Slack's word for the reason of a redelivery. Over sockets only `timeout` has been seen. */
export type RetryReason = 'timeout' | 'http_timeout' | 'http_error' | 'connection_failed';

/** The mark of a redelivered event. The first redelivery is attempt 1. */
export interface Repetition {
  readonly attempt: number;
  readonly reason: RetryReason;
}

/** The outcome of one payload: `ackMs` is the time to the acknowledgment, `response` its contents. */
export type Delivery = Acknowledged | Unacknowledged;

export interface Acknowledged {
  readonly ok: true;
  readonly ackMs: number;
  readonly response: Json;
}

export interface Unacknowledged {
  readonly ok: false;
  readonly ackMs: number;
  readonly error: 'operation_timeout' | 'dispatch_failed';
  /** The reason for a redelivery; null if the bot asked for no retries (`x-slack-no-retry: 1`). */
  readonly retry: RetryReason | null;
}
