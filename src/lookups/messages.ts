import type { Environment } from '../lib/environment.ts';
import type { Message, MessagePage, MessageQuery } from '../service/message.ts';
import type { Call } from '../service/query.ts';

/** How many messages are read at once (field notes, "Lists": the service takes a limit up to 1,000). */
const MESSAGES_READ = 100;

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

export interface MessageReader {
  listMessages(query: MessageQuery, call: Call): Promise<MessagePage | null>;
}

const CALL: Call = { who: 'person' };

/** `offset` counts from 0. Throws `ServiceError`. */
export async function listMessages(
  filter: MessageFilter,
  offset: number,
  environment: Environment,
  service: MessageReader,
): Promise<MessagesFound> {
  const page = Math.floor(offset / MESSAGES_READ);
  const query = { ...queryOf(filter), page, limit: MESSAGES_READ };
  const found = await service.listMessages(query, CALL);
  if (found === null) return { found: 'no-subscriber', environment, filter };
  const { items, unreadable, hasMore, totalCount } = found;
  const end = page * MESSAGES_READ + items.length + unreadable.length;
  return {
    found: 'messages',
    environment,
    filter,
    offset,
    items: items.slice(offset - page * MESSAGES_READ),
    unreadable: unreadable.length,
    totalCount,
    next: hasMore && (totalCount === null || end < totalCount) ? (page + 1) * MESSAGES_READ : null,
  };
}

function queryOf({ channel, subscriberId, transactionIds, contextKeys }: MessageFilter): MessageQuery {
  return {
    ...(channel !== null && { channel }),
    ...(subscriberId !== null && { subscriberId }),
    transactionIds,
    contextKeys,
  };
}
