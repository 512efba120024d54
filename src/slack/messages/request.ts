import { z } from 'zod';
import { knownChannel } from '../../domain/delivery-channels.ts';
import { InputError } from '../../domain/errors.ts';
import { EXAMPLES, onlyValue } from '../../domain/input/filters.ts';
import { refuseMasked } from '../../domain/lookups/masked-id.ts';
import type { MessageFilter } from '../../domain/lookups/messages-found.ts';
import { isContextKey } from '../../domain/service/context-key.ts';
import { Count, refuseTooLong, valueParser, writeValue } from '../blocks/button-value.ts';
import type { Asked } from '../interactions/command.ts';

/** `offset` is counted from 0. */
export interface MessagesRequest {
  readonly environment: string;
  readonly filter: MessageFilter;
  readonly offset: number;
}

/**
 * All messages by default. Throws `InputError` for a filter that can't be applied, and for more values than a button
 * can hold.
 */
export function parseMessagesRequest({ filters, environment }: Asked): MessagesRequest {
  const channel = onlyValue('channel', filters);
  const subscriber = onlyValue('subscriber', filters);
  refuseMasked(subscriber ?? '');
  const filter = {
    channel: channel === undefined ? null : knownChannel(channel),
    subscriberId: subscriber ?? null,
    transactionIds: filters.tx ?? [],
    contextKeys: (filters.context ?? []).map(contextKey),
  };
  const request = { environment: environment.name, filter, offset: 0 };
  refuseTooLong(writeRequest({ ...request, offset: 999_999_999 }), '/notif messages tx:txn_8f2c91');
  return request;
}

function contextKey(value: string): string {
  if (isContextKey(value)) return value;
  throw new InputError('context', `A context is named type:id, and ${value} is not.`, EXAMPLES.context);
}

/** The prefix of each entry of a list in a button's value. */
const TRANSACTION = 't';
const CONTEXT = 'c';

export function writeRequest({ environment, filter, offset }: MessagesRequest): string {
  const { channel, subscriberId, transactionIds, contextKeys } = filter;
  const lists = [...transactionIds.map((id) => TRANSACTION + id), ...contextKeys.map((key) => CONTEXT + key)];
  return writeValue([environment, String(offset), channel ?? '', subscriberId ?? '', ...lists]);
}

export const parseRequest = valueParser<MessagesRequest | null>(
  z.tuple([z.string(), Count, z.string(), z.string()], z.string()).transform((parts) => {
    const [environment, offset, channel, subscriberId, ...lists] = parts;
    const listed = (kind: string) => lists.filter((entry) => entry.startsWith(kind)).map((entry) => entry.slice(1));
    const [transactionIds, contextKeys] = [listed(TRANSACTION), listed(CONTEXT)];
    if (transactionIds.length + contextKeys.length < lists.length) return null;
    const filter = { channel: channel || null, subscriberId: subscriberId || null, transactionIds, contextKeys };
    return { environment, filter, offset };
  }),
);
