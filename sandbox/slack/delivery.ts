import type { Json } from './page-protocol.ts';

export type EnvelopeType = 'slash_commands' | 'interactive' | 'events_api';

/** Slack's word for why it delivers an event again; over sockets only `timeout` has been seen. */
export type RetryReason = 'timeout' | 'http_timeout' | 'http_error' | 'connection_failed';

/** The mark of an event that is delivered again: the first repetition is attempt 1. */
export interface Repetition {
  readonly attempt: number;
  readonly reason: RetryReason;
}

/** The outcome of one payload; `ackMs` is the time to the acknowledgment, `response` what came with it. */
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
  /** Why an event would be delivered again; null when the bot has asked for no retries (`x-slack-no-retry: 1`). */
  readonly retry: RetryReason | null;
}
