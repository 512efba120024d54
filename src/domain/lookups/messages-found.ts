import type { Environment } from '../environment.ts';
import type { Message } from '../service/message.ts';

/** How many messages stand on a page; the service's own pages are as long. */
export const MESSAGES_A_PAGE = 10;

/** Which messages somebody asks for (contract, operation 4). Nothing in it: all of them. */
export interface MessageFilter {
  readonly channel: string | null;
  readonly subscriberId: string | null;
  readonly transactionIds: readonly string[];
  /** Each `type:id`; a message must have exactly these. */
  readonly contextKeys: readonly string[];
}

export const ALL_MESSAGES: MessageFilter = { channel: null, subscriberId: null, transactionIds: [], contextKeys: [] };

export type MessagesFound = FoundMessages | FoundNoSubscriber;

/** A part of the messages that a filter takes. */
export interface FoundMessages {
  readonly found: 'messages';
  readonly environment: Environment;
  readonly filter: MessageFilter;
  /** Of the first of them, counted from 0. */
  readonly offset: number;
  readonly items: readonly Message[];
  /** How many of this page couldn't be read. */
  readonly unreadable: number;
  /** Null where the service does not count. */
  readonly totalCount: number | null;
  /** Where the next page begins; null after the last. */
  readonly next: number | null;
}

/** The service knows no such subscriber; `elsewhere` are the environments that do. */
export interface FoundNoSubscriber {
  readonly found: 'no-subscriber';
  readonly environment: Environment;
  readonly filter: MessageFilter;
  readonly elsewhere: readonly Environment[];
}
