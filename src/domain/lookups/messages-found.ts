import type { Environment } from '../environment.ts';
import type { Message } from '../service/message.ts';

/** The number of messages on a page, like the service's own pages. */
export const MESSAGES_A_PAGE = 10;

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

/** A page of the messages that match a filter. */
export interface FoundMessages {
  readonly found: 'messages';
  readonly environment: Environment;
  readonly filter: MessageFilter;
  /** The index of the page's first message, counted from 0. */
  readonly offset: number;
  readonly items: readonly Message[];
  /** How many of this page couldn't be read. */
  readonly unreadable: number;
  /** Null if the service does not count. */
  readonly totalCount: number | null;
  /** Where the next page begins; null for the last page. */
  readonly next: number | null;
}

/** The service has no such subscriber; `elsewhere` are the environments that do. */
export interface FoundNoSubscriber {
  readonly found: 'no-subscriber';
  readonly environment: Environment;
  readonly filter: MessageFilter;
  readonly elsewhere: readonly Environment[];
}
