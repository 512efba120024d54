import type { Message, TriggeredEvent } from './entities.ts';
import type { Row } from './rows-in-order.ts';
import type { Keys } from './store.ts';

export interface EventRow extends Row {
  readonly event: TriggeredEvent;
  readonly disguise?: (event: TriggeredEvent) => unknown;
}

export interface MessageRow extends Row {
  readonly message: Message;
}

/** The filters of the event list. */
export const eventKeys = {
  channels: ({ event }) => event.channels,
  templates: ({ event }) => (event._templateId === undefined ? [] : [event._templateId]),
  subscribers: ({ event }) => (event.subscriber ? [event.subscriber.subscriberId] : []),
  severity: ({ event }) => [event.severity],
  topic: ({ event }) => event.topics.map(({ topicKey }) => topicKey),
  context: ({ event }) => [contextOf(event.contextKeys)],
} satisfies Keys<EventRow>;

/** The filters of the message list. */
export const messageKeys = {
  channel: ({ message }) => [message.channel],
  subscriber: ({ message }) => [message.subscriberId],
  context: ({ message }) => [contextOf(message.contextKeys)],
} satisfies Keys<MessageRow>;

/** Returns one key for all: context keys match as a whole, in any order. */
export function contextOf(keys: readonly string[]): string {
  return JSON.stringify([...new Set(keys)].sort());
}
