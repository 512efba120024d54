import type { Button } from '@slack/types';
import type { PagePosition, TopicQuestion } from '../../../domain/lookups/topic-found.ts';
import { button } from '../blocks.ts';
import { parseValue, writeValue } from '../button-value.ts';

/** [View subscriptions]: shows the first page of a topic's subscriptions. */
export const SHOW_TOPIC = 'topic.show';

/** A `/notif topic` question and its environment. */
export interface TopicRequest {
  readonly environment: string;
  readonly question: TopicQuestion;
}

/** Encodes a request as a button's value. A click asks the same question again. */
export function writeTopic({ environment, question }: TopicRequest): string {
  const { topicKey, subscriberId, order, place } = question;
  const cursor = place.at === 'start' ? '' : place.cursor;
  return writeValue([environment, topicKey, subscriberId ?? '', order, place.at, cursor]);
}

/** Parses a value of `writeTopic`. Null for anything else. */
export function parseTopic(value: string): TopicRequest | null {
  const [environment, topicKey, subscriberId, order, at = '', cursor, ...others] = parseValue(value) ?? [];
  if (environment === undefined || topicKey === undefined || subscriberId === undefined) return null;
  if ((order !== 'newest' && order !== 'oldest') || cursor === undefined || others.length > 0) return null;
  const place = placeAt(at, cursor);
  if (place === null) return null;
  return { environment, question: { topicKey, subscriberId: subscriberId || null, order, place } };
}

function placeAt(at: string, cursor: string): PagePosition | null {
  if (at === 'start') return { at };
  return at === 'after' || at === 'before' || at === 'from' ? { at, cursor } : null;
}

export function topicButton(request: TopicRequest): Button {
  return button('View subscriptions', SHOW_TOPIC, writeTopic(request));
}
