import type { Environment } from '../environment.ts';
import type { Message } from '../service/message.ts';

/** How many messages are read at once (field notes, "Lists": the service takes a limit up to 1,000). */
export const MESSAGES_READ = 100;

/** Which messages to list (contract, operation 4). Empty: all of them. */
export interface MessageFilter {
  readonly channel: string | null;
  readonly subscriberId: string | null;
  readonly transactionIds: readonly string[];
  /** Each `type:id`; a message must have exactly these. */
  readonly contextKeys: readonly string[];
}

export const ALL_MESSAGES: MessageFilter = { channel: null, subscriberId: null, transactionIds: [], contextKeys: [] };

export type MessagesFound = FoundMessages | FoundNoSubscriber;

export interface FoundMessages {
  readonly found: 'messages';
  readonly environment: Environment;
  readonly filter: MessageFilter;
  readonly offset: number;
  readonly items: readonly Message[];
  readonly unreadable: number;
  /** Null if these are the last. */
  readonly totalCount: number | null;
  /** Where the next ones begin; null if these are the last. */
  readonly next: number | null;
}

/** The service has no such subscriber. */
export interface FoundNoSubscriber {
  readonly found: 'no-subscriber';
  readonly environment: Environment;
  readonly filter: MessageFilter;
}
