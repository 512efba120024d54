import type { Button } from '@slack/types';
import type { TopicQuestion } from '../../../domain/lookups/topic-found.ts';
import { button } from '../blocks.ts';
import { parseValue, writeValue } from '../button-value.ts';

export const SHOW_TOPIC = 'topic.show';

export interface TopicRequest {
  readonly environment: string;
  readonly question: TopicQuestion;
}

export function writeTopic({ environment, question }: TopicRequest): string {
  const { topicKey, subscriberId, order, after } = question;
  const position = after === null ? [] : [String(after.before), after.cursor];
  return writeValue([environment, topicKey, subscriberId ?? '', order, ...position]);
}

export function parseTopic(value: string): TopicRequest | null {
  const [environment, topicKey, subscriberId, order, before, cursor, ...others] = parseValue(value) ?? [];
  if (environment === undefined || topicKey === undefined || subscriberId === undefined) return null;
  if ((order !== 'newest' && order !== 'oldest') || others.length > 0) return null;
  if (before !== undefined && (cursor === undefined || !/^\d{1,9}$/.test(before))) return null;
  const after = cursor === undefined ? null : { cursor, before: Number(before) };
  return { environment, question: { topicKey, subscriberId: subscriberId || null, order, after } };
}

export function topicButton(request: TopicRequest): Button {
  return button('View subscriptions', SHOW_TOPIC, writeTopic(request));
}
