import type { Seal } from '../../domain/access/seal.ts';
import type { Environment } from '../../domain/environment.ts';
import { InputError } from '../../domain/errors.ts';
import type { EventListRequest } from '../../domain/lookups/event-list.ts';
import type { FoundNothing } from '../../domain/lookups/looked-up.ts';
import type { Audience } from '../../domain/text/audience.ts';
import { isContact } from '../../domain/text/shown-id.ts';
import { type EventLister, listEvents } from '../../use-cases/lookups/list-events.ts';
import type { SubscriptionReader } from '../../use-cases/lookups/list-subscriptions.ts';
import { badge } from '../blocks/badge.ts';
import { actions, type MessageContent, message, section } from '../blocks/blocks.ts';
import { type TopicRequest, topicButton } from '../blocks/buttons.ts';
import { audienceOf, type Reader } from '../blocks/reader.ts';
import { idCode } from '../blocks/shown-id.ts';
import { code, mrkdwn } from '../blocks/text.ts';
import { foundAnswer, type LookupAnswer } from '../blocks/words/lookup-answer.ts';
import { whatNext } from '../blocks/words/what-next.ts';
import { listButton, listMessage } from './list-message.ts';

export interface UnknownIdParts {
  readonly serviceOf: (environment: string) => EventLister & SubscriptionReader;
  readonly now: () => Date;
  /** For an ID that is a contact: Slack stores it in a button. */
  readonly seal: Seal;
}

/** Another flow's answer. */
export type ShowTopic = (request: TopicRequest, reader: Reader) => Promise<MessageContent>;

/** With that subscriber's events or that topic, or a choice of both. Throws `ServiceError` if they can't be read. */
export async function answerUnknownId(
  { target: { id }, environment }: FoundNothing,
  reader: Reader,
  showTopic: ShowTopic,
  { serviceOf, now, seal }: UnknownIdParts,
): Promise<LookupAnswer> {
  const ofSubscriber = subscriberRequest(id, environment, now());
  const [list, isTopic] = await Promise.all([
    listEvents(ofSubscriber, { serviceOf, now, environment }),
    hasSubscriptions(id, serviceOf(environment.name)),
  ]);
  const isSubscriber = list.events.length + list.unreadable > 0;
  if (isSubscriber && isTopic) return foundAnswer(bothMessage(id, ofSubscriber, environment, audienceOf(reader), seal));
  if (isSubscriber) return foundAnswer(listMessage(list, { isForAll: reader.is === 'channel', seal }));
  if (isTopic) return foundAnswer(await showTopic(topicRequest(id, environment), reader));
  const nothing = mrkdwn`No event, transaction, subscriber or topic ${idCode(id, audienceOf(reader))} in ${badge(environment)}.`;
  const why = mrkdwn`It may be past retention, or too new to be listed. Upper and lower case matter, and so does ${code('env:')}.`;
  return { isFound: false, content: whatNext(nothing, why) };
}

export function subscriberRequest(id: string, { name }: Environment, now: Date): EventListRequest {
  return { environment: name, owner: { kind: 'subscriber', id }, before: now, end: null, from: 0 };
}

function topicRequest(id: string, { name }: Environment): TopicRequest {
  return { environment: name, question: { topicKey: id, subscriberId: null, order: 'newest', after: null } };
}

/** A button's value is part of the message: none would show everyone a contact. */
export function bothMessage(
  id: string,
  ofSubscriber: EventListRequest,
  environment: Environment,
  audience: Audience,
  seal: Seal,
): MessageContent {
  const which = mrkdwn`${idCode(id, audience)} is the ID of a subscriber and of a topic in ${badge(environment)}.`;
  const hidesTopic = audience === 'everyone' && isContact(id);
  const topic = hidesTopic ? [] : [topicButton(topicRequest(id, environment))];
  return message(which, [section(which), ...actions([listButton('View events', ofSubscriber, seal), ...topic])]);
}

/** A service may return an empty page for an unknown topic: one without subscriptions can't be told apart from it. */
async function hasSubscriptions(key: string, service: SubscriptionReader): Promise<boolean> {
  try {
    const page = await service.listTopicSubscriptions(key, { limit: 1 }, { who: 'person' });
    return page !== null && page.items.length + page.unreadable.length + (page.totalCount ?? 0) > 0;
  } catch (error) {
    // A key that can't be part of a URL belongs to no topic.
    if (error instanceof InputError) return false;
    throw error;
  }
}
