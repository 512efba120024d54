import { oneOf } from '../lib/closed-list.ts';
import { InputError } from '../lib/errors.ts';
import { EXAMPLES } from '../lib/input/filters.ts';

export interface Call {
  readonly who: 'person' | 'poller';
  readonly signal?: AbortSignal;
}

export const PERSON: Call = { who: 'person' };

export const LONGEST_HOLD_MS = 60_000;

export interface EventQuery {
  readonly channels?: readonly string[] | undefined;
  /** Database IDs (field notes, "Lists"). */
  readonly workflowIds?: readonly string[];
  readonly emails?: readonly string[] | undefined;
  readonly subscriberIds?: readonly string[] | undefined;
  readonly severity?: readonly string[] | undefined;
  readonly transactionId?: string | undefined;
  readonly topicKey?: string | undefined;
  readonly contextKeys?: readonly string[] | undefined;
  readonly search?: string | undefined;
  readonly after?: Date | undefined;
  readonly before?: Date;
  readonly limit?: number;
}

export const PAGE_SIZE = 50;

/** `key`: its ID, or a hash of its content. */
export interface UnreadableItem {
  readonly key: string;
  readonly createdAt: Date | null;
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

export function typedContextKey(text: string): string {
  if (CONTEXT_KEY.test(text)) return text;
  throw new InputError('context', `A context is named type:id, and ${text} is not.`, EXAMPLES.context);
}
