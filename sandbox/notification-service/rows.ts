import type { Message, TriggeredEvent } from './entities.ts';
import type { Random } from './random.ts';
import type { Keys, Row, Span, Timeline, Wanted } from './timeline.ts';
import type { World } from './world.ts';

export interface EventRow extends Row {
  readonly event: TriggeredEvent;
  readonly disguise?: (event: TriggeredEvent) => unknown;
}

export interface MessageRow extends Row {
  readonly message: Message;
}

export const eventKeys = {
  channels: ({ event }) => event.channels,
  templates: ({ event }) => (event._templateId === undefined ? [] : [event._templateId]),
  subscribers: ({ event }) => (event.subscriber ? [event.subscriber.subscriberId] : []),
  severity: ({ event }) => [event.severity],
  topic: ({ event }) => event.topics.map(({ topicKey }) => topicKey),
  context: ({ event }) => [contextOf(event.contextKeys)],
} satisfies Keys<EventRow>;

export const messageKeys = {
  channel: ({ message }) => [message.channel],
  subscriber: ({ message }) => [message.subscriberId],
  context: ({ message }) => [contextOf(message.contextKeys)],
} satisfies Keys<MessageRow>;

/** Returns one key for all: context keys match as a whole, in any order. */
export function contextOf(keys: readonly string[]): string {
  return JSON.stringify([...new Set(keys)].sort());
}

interface Asked {
  span: Span;
  skip: number;
  limit: number;
  wanted: Wanted;
}

/**
 * Returns a page of the wanted rows in the order of the service's behavior. Any order except newest first with stable ties has to look at
 * all wanted rows.
 */
export function pageInOrder<R extends Row>(world: World, rows: Timeline<R>, { span, skip, limit, wanted }: Asked): R[] {
  const { order, ties } = world.behavior;
  if (order === 'newest first' && ties === 'stable') return rows.page(span, skip, limit, wanted);
  const all = rows.page(span, 0, Number.POSITIVE_INFINITY, wanted);
  if (order === 'oldest first') all.reverse();
  const ordered = ties === 'shuffled' ? withShuffledTies(all, world.random) : all;
  return ordered.slice(skip, skip + limit);
}

function withShuffledTies<R extends Row>(rows: readonly R[], random: Random): R[] {
  const places = new Map(rows.map((row) => [row, random.next()]));
  const moments = [...new Set(rows.map(({ at }) => at))];
  const moment = new Map(moments.map((at, index) => [at, index]));
  const momentOf = ({ at }: R) => moment.get(at) ?? 0;
  return rows.toSorted((a, b) => momentOf(a) - momentOf(b) || (places.get(a) ?? 0) - (places.get(b) ?? 0));
}

export function lacking(served: unknown, fields: readonly string[]): unknown {
  if (fields.length === 0 || typeof served !== 'object' || served === null) return served;
  return Object.fromEntries(Object.entries(served).filter(([name]) => !fields.includes(name)));
}
