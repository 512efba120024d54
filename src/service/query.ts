import { InputError } from '../lib/errors.ts';
import { exampleOf, type FilterKey } from '../lib/input/filters.ts';

/** People's requests have a queue of their own. */
export interface Call {
  who: 'person' | 'poller';
  signal?: AbortSignal;
}

export const PERSON: Call = { who: 'person' };

export interface EventQuery {
  channels?: readonly string[] | undefined;
  /** The service's own IDs, not identifiers. */
  workflowIds?: readonly string[];
  emails?: readonly string[] | undefined;
  subscriberIds?: readonly string[] | undefined;
  severity?: readonly string[] | undefined;
  transactionId?: string | undefined;
  topicKey?: string | undefined;
  contextKeys?: readonly string[] | undefined;
  search?: string | undefined;
  after?: Date | undefined;
  before?: Date | undefined;
  limit?: number;
}

export interface MessageQuery {
  channel?: string | undefined;
  subscriberId?: string | undefined;
  transactionIds?: readonly string[];
  contextKeys?: readonly string[];
  page?: number;
  limit?: number;
}

export interface SubscriptionQuery {
  after?: string | undefined;
  limit?: number;
  orderDirection?: 'ASC' | 'DESC';
  subscriberId?: string | undefined;
}

export const PAGE_SIZE = 50;

/** `key` is the item's ID or a hash; `wrong` says where it breaks the contract. */
export interface UnreadableItem {
  key: string;
  createdAt: Date | null;
  wrong?: string;
}

/** An item that was listed, but doesn't fit these filters of the query. */
export interface Misfit {
  key: string;
  filters: readonly FilterKey[];
}

export type MisfitsOf = (item: unknown) => readonly FilterKey[];

export interface Page<Item> {
  items: readonly Item[];
  unreadable: readonly UnreadableItem[];
  misfits?: readonly Misfit[];
  hasMore: boolean;
  totalCount?: number | null;
  next?: string | null;
}

export function typedContextKey(text: string): string {
  if (/^[^:\s]+:\S/.test(text)) return text;
  throw new InputError('context', `A context is named type:id, and ${text} is not.`, exampleOf('context'));
}
