import { oneOf } from '../../domain/closed-list.ts';
import { InputError } from '../../domain/errors.ts';
import { type FilterKey, onlyValue } from '../../domain/input/filters.ts';
import { refuseMasked } from '../../domain/lookups/masked-id.ts';
import { ORDERS } from '../../domain/lookups/topic-found.ts';
import { type TopicRequest, writeTopic } from '../blocks/buttons/topic-button.ts';
import { BUTTON_VALUE } from '../blocks/limits.ts';
import type { Asked } from '../interactions/command.ts';

const COMMAND = '/notif topic';
const EXAMPLE = `${COMMAND} news-readers`;
export const TOPIC_FILTERS: readonly FilterKey[] = ['subscriber', 'sort', 'env'];
/** The longest cursor that fits in a button's value. The service's cursors are IDs. */
const CURSOR_ROOM = 200;

/** Throws `InputError` for no key or several, and for a filter that can't be applied. */
export function parseTopicRequest({ words, filters, environment }: Asked): TopicRequest {
  const [topicKey, ...others] = words;
  if (topicKey === undefined) throw new InputError('topic', 'Which topic? Give its key.', EXAMPLE);
  if (others.length > 0) {
    throw new InputError('topic', 'A topic’s key is one word.', `${COMMAND} "${words.join(' ')}"`);
  }
  const subscriber = onlyValue('subscriber', filters);
  refuseMasked(subscriber ?? '');
  const request: TopicRequest = {
    environment: environment.name,
    question: {
      topicKey,
      subscriberId: subscriber ?? null,
      order: oneOf({ key: 'sort', noun: 'order' }, onlyValue('sort', filters) ?? 'newest', ORDERS),
      after: null,
    },
  };
  if (writeTopic(request).length > BUTTON_VALUE - CURSOR_ROOM) {
    throw new InputError('topic', "These IDs are too long for Slack's buttons.", EXAMPLE);
  }
  return request;
}
