import { oneOf } from '../lib/closed-list.ts';
import { InputError } from '../lib/errors.ts';
import { EXAMPLES } from '../lib/input/filters.ts';

export interface Call {
  readonly who: 'person' | 'poller';
  readonly signal?: AbortSignal;
}

/** The longest that the client holds the poller's requests back, so that people can ask. */
export const LONGEST_HOLD_MS = 60_000;

export interface ServiceTime {
  /** Returns how far the service's clock is ahead of ours, in milliseconds; null if its responses don't say. */
  clockAheadMs(): number | null;
}

/** Every query parameter of the event list except `page` (contract, operation 5). */
export interface EventQuery {
  readonly channels?: readonly string[] | undefined;
  /** Workflow database ids, not identifiers (field notes, "Lists"). */
  readonly workflowIds?: readonly string[];
  readonly emails?: readonly string[] | undefined;
  readonly subscriberIds?: readonly string[] | undefined;
  readonly severity?: readonly string[] | undefined;
  readonly transactionId?: string | undefined;
  readonly topicKey?: string | undefined;
  readonly contextKeys?: readonly string[] | undefined;
  /** A part of an email address, or a subscriber ID. The contract calls it deprecated. */
  readonly search?: string | undefined;
  readonly after?: Date | undefined;
  /** Inclusive. Reading several pages requires pinning it, since new events push items from page to page. */
  readonly before?: Date;
  readonly limit?: number;
}

/** The contract's maximum of a page of events: the fewest requests. */
export const PAGE_SIZE = 50;

/** An item of a list that couldn't be read. `key` (its ID or, without one, a hash of its content) prevents counting it twice. */
export interface UnreadableItem {
  readonly key: string;
  readonly createdAt: Date | null;
  /** The field and its problem. */
  readonly wrong?: string;
}

export interface Page<Item> {
  readonly items: readonly Item[];
  readonly unreadable: readonly UnreadableItem[];
  readonly hasMore: boolean;
}

export type Listed<Item> = Pick<Page<Item>, 'items' | 'unreadable'>;

export const CHANNELS = ['in_app', 'email', 'sms', 'chat', 'push'] as const;

export function channelAsMeant(typed: string): string {
  return typed.trim().toLowerCase().replaceAll(/[\s-]/g, '_');
}

export function knownChannel(typed: string): (typeof CHANNELS)[number] {
  return oneOf({ key: 'channel' }, typed, CHANNELS);
}

const CONTEXT_KEY = /^[^:\s]+:\S/;

/** Contract, operations 4 and 5: `type:id`. Throws an `InputError` for anything else. */
export function typedContextKey(text: string): string {
  if (CONTEXT_KEY.test(text)) return text;
  throw new InputError('context', `A context is named type:id, and ${text} is not.`, EXAMPLES.context);
}
