import { z } from 'zod';
import { initials, maskEmail, maskPhone } from '../lib/text/mask.ts';
import type { Page } from './query.ts';
import { all, dateOf, type Fixed, reader, text } from './reader.ts';

export const WireSubscriber = z.object({
  subscriberId: z.string(),
  ...all(text, 'firstName', 'lastName', 'email', 'phone'),
});

/** Contacts and names are masked here and go no further: 'A. L.', 'a•••@example.com', '•••67'. */
export function subscriberOf({ subscriberId, firstName, lastName, email, phone }: z.infer<typeof WireSubscriber>) {
  return {
    subscriberId,
    initials: initials(firstName, lastName),
    maskedEmail: email ? maskEmail(email) : null,
    maskedPhone: phone ? maskPhone(phone) : null,
  };
}

const WireSubscription = z.object({
  _id: z.string(),
  createdAt: text,
  topic: z.object({ key: z.string(), name: text, createdAt: text, updatedAt: text }),
  subscriber: WireSubscriber.nullish(),
});

/** `subscriber` is null after it was deleted. */
export type TopicSubscription = Fixed<ReturnType<typeof subscriptionOf>>;
export type Topic = TopicSubscription['topic'];

function subscriptionOf(wire: z.infer<typeof WireSubscription>) {
  const { key, name, createdAt, updatedAt } = wire.topic;
  return {
    id: wire._id,
    createdAt: dateOf(wire.createdAt),
    topic: { key, name: name || null, createdAt: dateOf(createdAt), updatedAt: dateOf(updatedAt) },
    subscriber: wire.subscriber ? subscriberOf(wire.subscriber) : null,
  };
}

export const readSubscription = reader(WireSubscription, (wire): TopicSubscription => subscriptionOf(wire));

/** Query parameters of the topic subscription list (contract, operation 2). `after` is a page's cursor. */
export interface SubscriptionQuery {
  readonly after?: string;
  /** 1 to 100. */
  readonly limit?: number;
  readonly orderDirection?: 'ASC' | 'DESC';
  readonly orderBy?: string;
  readonly subscriberId?: string;
}

export interface SubscriptionPage extends Page<TopicSubscription> {
  readonly next: string | null;
  /** At most 50,000; `totalCountCapped` says that there are more. Null if the service does not count. */
  readonly totalCount: number | null;
  readonly totalCountCapped: boolean;
}
