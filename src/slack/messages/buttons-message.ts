import type { MessageFilter } from '../../domain/lookups/messages-found.ts';
import { parseValue, writeValue } from '../blocks/button-value.ts';

export const MORE = 'messages.more';
export const SHARE = 'messages.share';
/** Another environment's messages, as a separate answer. */
export const SHOW = 'messages.show';

/** `offset` is counted from 0. */
export interface MessagesRequest {
  readonly environment: string;
  readonly filter: MessageFilter;
  readonly offset: number;
}

/** The prefix of each entry of a list in a button's value. */
const TRANSACTION = 't';
const CONTEXT = 'c';

export function writeRequest({ environment, filter, offset }: MessagesRequest): string {
  const { channel, subscriberId, transactionIds, contextKeys } = filter;
  const lists = [...transactionIds.map((id) => TRANSACTION + id), ...contextKeys.map((key) => CONTEXT + key)];
  return writeValue([environment, String(offset), channel ?? '', subscriberId ?? '', ...lists]);
}

export function parseRequest(value: string): MessagesRequest | null {
  const [environment, offset = '', channel, subscriberId, ...lists] = parseValue(value) ?? [];
  if (environment === undefined || channel === undefined || subscriberId === undefined) return null;
  if (!/^\d{1,9}$/.test(offset)) return null;
  const listed = (kind: string) => lists.filter((entry) => entry.startsWith(kind)).map((entry) => entry.slice(1));
  const [transactionIds, contextKeys] = [listed(TRANSACTION), listed(CONTEXT)];
  if (transactionIds.length + contextKeys.length < lists.length) return null;
  const filter = { channel: channel || null, subscriberId: subscriberId || null, transactionIds, contextKeys };
  return { environment, filter, offset: Number(offset) };
}
