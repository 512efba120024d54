import type { Button } from '@slack/types';
import type { FoundSubscriptions, Place, TopicQuestion } from '../../domain/topic-found.ts';
import { button } from '../blocks/blocks.ts';
import { readValue, writeValue } from '../blocks/button-value.ts';

/** In place of the page that was clicked on: another one of it. */
export const PREVIOUS = 'topic.previous';
export const NEXT = 'topic.next';
export const ORDER = 'topic.order';
export const START = 'topic.start';
/** Answers of their own: around a subscription, or in another environment. */
export const AROUND = 'topic.around';
export const SHOW = 'topic.show';
export const SHARE = 'topic.share';

/** What `/notif topic` asks, and of which environment. */
export interface TopicRequest {
  readonly environment: string;
  readonly question: TopicQuestion;
}

/** A request as a button's value; the same question is asked again when it is clicked. */
export function writeRequest({ environment, question }: TopicRequest): string {
  const { topicKey, subscriberId, order, place } = question;
  const cursor = place.at === 'start' ? '' : place.cursor;
  return writeValue([environment, topicKey, subscriberId ?? '', order, place.at, cursor]);
}

/** What `writeRequest` wrote, or null. */
export function readRequest(value: string): TopicRequest | null {
  const [environment, topicKey, subscriberId, order, at = '', cursor, ...others] = readValue(value) ?? [];
  if (environment === undefined || topicKey === undefined || subscriberId === undefined) return null;
  if ((order !== 'newest' && order !== 'oldest') || cursor === undefined || others.length > 0) return null;
  const place = placeAt(at, cursor);
  if (place === null) return null;
  return { environment, question: { topicKey, subscriberId: subscriberId || null, order, place } };
}

function placeAt(at: string, cursor: string): Place | null {
  if (at === 'start') return { at };
  return at === 'after' || at === 'before' || at === 'from' ? { at, cursor } : null;
}

/** The buttons under a page. */
export function pageButtons({ environment, question, items, next, previous }: FoundSubscriptions): Button[] {
  const ask = (label: string, actionId: string, change: Partial<TopicQuestion>) =>
    button(label, actionId, writeRequest({ environment: environment.name, question: { ...question, ...change } }));
  const start: Place = { at: 'start' };
  const other = question.order === 'newest' ? 'oldest' : 'newest';
  const [first] = items;
  const isOne = question.subscriberId !== null && first !== undefined;
  const isLong = next !== null || previous !== null || question.place.at !== 'start';
  return [
    ...(previous === null ? [] : [ask('Previous', PREVIOUS, { place: { at: 'before', cursor: previous } })]),
    ...(next === null ? [] : [ask('Next', NEXT, { place: { at: 'after', cursor: next } })]),
    ...(isOne ? [ask('Around it', AROUND, { subscriberId: null, place: { at: 'from', cursor: first.id } })] : []),
    ...(isLong
      ? [ask(other === 'oldest' ? 'Oldest first' : 'Newest first', ORDER, { order: other, place: start })]
      : []),
    ...(items.length === 0 ? [] : [ask('Share', SHARE, {})]),
  ];
}
