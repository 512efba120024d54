import { knownChannel } from '../../domain/delivery-channels.ts';
import { InputError } from '../../domain/errors.ts';
import { EXAMPLES, type FilterKey, onlyValue } from '../../domain/input/filters.ts';
import { refuseMasked } from '../../domain/lookups/masked-id.ts';
import { isContextKey } from '../../domain/service/context-key.ts';
import { refuseTooLong } from '../blocks/buttons/refuse-too-long.ts';
import type { Asked } from '../interactions/command.ts';
import { type MessagesRequest, writeRequest } from './buttons-message.ts';

const COMMAND = '/notif messages';
export const MESSAGE_FILTERS: readonly FilterKey[] = ['channel', 'subscriber', 'tx', 'context', 'env'];

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
  refuseTooLong(writeRequest({ ...request, offset: 999_999_999 }), `${COMMAND} tx:txn_8f2c91`);
  return request;
}

function contextKey(value: string): string {
  if (isContextKey(value)) return value;
  throw new InputError('context', `A context is named type:id, and ${value} is not.`, EXAMPLES.context);
}
