import type { FreeText } from '../lib/text/free-text.ts';
import type { Page } from './query.ts';

/** Contract, "Message". Reading drops its content, payload, overrides, webhook address and device tokens. Open lists as in `TriggeredEvent`. */
export interface Message {
  readonly id: string | null;
  readonly eventId: string;
  readonly transactionId: string;
  readonly channel: string;
  /** sent, error, warning, or an unknown one. */
  readonly status: string;
  readonly provider: string | null;
  /** The identifier used in triggers; null if the service doesn't name the workflow. */
  readonly workflow: string | null;
  readonly subscriberId: string | null;
  readonly isSubscriberDeleted: boolean;
  /** Where it went: 'a•••@example.com' */
  readonly maskedEmail: string | null;
  /** '•••67' */
  readonly maskedPhone: string | null;
  readonly devices: number;
  readonly hasWebhook: boolean;
  readonly subject: FreeText | null;
  /** An error's ID or name, scrubbed. */
  readonly errorId: string | null;
  readonly errorText: FreeText | null;
  readonly createdAt: Date | null;
  /** Several after a snooze. */
  readonly deliveredAt: readonly Date[];
  readonly seen: boolean;
  readonly read: boolean;
  readonly lastSeenAt: Date | null;
  readonly lastReadAt: Date | null;
  readonly snoozedUntil: Date | null;
  readonly contextKeys: readonly string[];
}

/** Every query parameter of the message list (contract, operation 4). */
export interface MessageQuery {
  readonly channel?: string;
  readonly subscriberId?: string;
  readonly transactionIds?: readonly string[];
  readonly contextKeys?: readonly string[];
  /** From 0. */
  readonly page?: number;
  /** The contract gives no maximum; 10 by default. */
  readonly limit?: number;
}

export interface MessagePage extends Page<Message> {
  /** Null if the service does not count. */
  readonly totalCount: number | null;
}
