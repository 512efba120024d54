import type { Button } from '@slack/types';
import type { FoundSubscriptions, PagePosition, TopicQuestion } from '../../domain/lookups/topic-found.ts';
import { button } from '../blocks/blocks.ts';
import { writeTopic } from '../blocks/buttons/topic-button.ts';

/** Replaces the page on which a person clicks by another one. */
export const PREVIOUS = 'topic.previous';
export const NEXT = 'topic.next';
export const ORDER = 'topic.order';
export const START = 'topic.start';
/** Shows what surrounds a subscription as a separate answer. */
export const AROUND = 'topic.around';
export const SHARE = 'topic.share';

/** Builds the buttons under a page; [Share] only if there is a channel to share to. */
export function pageButtons(
  { environment, question, items, next, previous }: FoundSubscriptions,
  canShare: boolean,
): Button[] {
  const ask = (label: string, actionId: string, change: Partial<TopicQuestion>) =>
    button(label, actionId, writeTopic({ environment: environment.name, question: { ...question, ...change } }));
  const start: PagePosition = { at: 'start' };
  const other = question.order === 'newest' ? 'oldest' : 'newest';
  const [first] = items;
  const isOne = question.subscriberId !== null && first !== undefined;
  const isLong = next !== null || previous !== null || question.place.at !== 'start';
  return [
    ...(previous === null
      ? []
      : [ask('Previous subscribers', PREVIOUS, { place: { at: 'before', cursor: previous } })]),
    ...(next === null ? [] : [ask('Next subscribers', NEXT, { place: { at: 'after', cursor: next } })]),
    ...(isOne ? [ask('Around it', AROUND, { subscriberId: null, place: { at: 'from', cursor: first.id } })] : []),
    ...(isLong
      ? [ask(other === 'oldest' ? 'Oldest first' : 'Newest first', ORDER, { order: other, place: start })]
      : []),
    ...(items.length > 0 && canShare ? [ask('Share', SHARE, {})] : []),
  ];
}
