import type { Environment } from '../../domain/environment.ts';
import { MESSAGES_READ, type MessageFilter, type MessagesFound } from '../../domain/lookups/messages-found.ts';
import type { MessagePage, MessageQuery } from '../../domain/service/message.ts';
import type { Call } from '../../domain/service/query.ts';

export interface MessageReader {
  listMessages(query: MessageQuery, call: Call): Promise<MessagePage | null>;
}

export interface ListMessagesParts {
  readonly environment: Environment;
  readonly serviceOf: (environment: string) => MessageReader;
}

const CALL: Call = { who: 'person' };

/** `offset` counts from 0. Throws `ServiceError`. */
export async function listMessages(
  filter: MessageFilter,
  offset: number,
  parts: ListMessagesParts,
): Promise<MessagesFound> {
  const { environment, serviceOf } = parts;
  const page = Math.floor(offset / MESSAGES_READ);
  const asked = { ...queryOf(filter), page, limit: MESSAGES_READ };
  const found = await serviceOf(environment.name).listMessages(asked, CALL);
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
