import type { FreeText } from '../text/free-text.ts';
import type { Page } from './query.ts';

/**
 * What a step produced on one channel (contract, "Message"). Its content, payload, overrides, webhook address and device tokens
 * are left behind where it is read. Channels, statuses and providers are open lists; what the service leaves out is `null` or empty.
 */
export interface Message {
  readonly id: string | null;
  /** The event that it belongs to. */
  readonly eventId: string;
  readonly transactionId: string;
  readonly channel: string;
  /** sent, error, warning, or one not known yet. */
  readonly status: string;
  readonly provider: string | null;
  /** What triggers name, or null where the service doesn't name the workflow. */
  readonly workflow: string | null;
  readonly subscriberId: string | null;
  readonly isSubscriberDeleted: boolean;
  /** Where it went: 'a•••@example.com' */
  readonly maskedEmail: string | null;
  /** '•••67' */
  readonly maskedPhone: string | null;
  /** To how many devices it was pushed. */
  readonly devices: number;
  /** It went to a webhook of the subscriber's own. */
  readonly hasWebhook: boolean;
  readonly subject: FreeText | null;
  readonly errorId: FreeText | null;
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
  readonly callToAction: CallToAction | null;
}

/** What a message asks its reader to do (contract, "MessageCTA"). */
export interface CallToAction {
  /** An address, of which no more than the host is shown. */
  readonly leadsTo: FreeText | null;
  /** What stands on its buttons. */
  readonly buttons: readonly FreeText[];
  /** pending, done, or one not known yet. */
  readonly status: string | null;
  /** primary, secondary: the button that was clicked, where the service says so. */
  readonly chosen: string | null;
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
  /** Null where the service does not count. */
  readonly totalCount: number | null;
}
