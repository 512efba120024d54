import { z } from 'zod';
import type { TopicSubscription } from '../../domain/subscription.ts';
import { dateOf, text } from './fields.ts';
import { Subscriber } from './subscriber.ts';

/** A topic's subscription (contract, "TopicSubscription"). */
export const Subscription = z
  .object({
    _id: z.string(),
    createdAt: text,
    topic: z.object({ key: z.string(), name: text }),
    subscriber: Subscriber,
  })
  .transform(
    (wire): TopicSubscription => ({
      id: wire._id,
      createdAt: dateOf(wire.createdAt),
      topicKey: wire.topic.key,
      topicName: wire.topic.name ?? null,
      subscriber: wire.subscriber,
    }),
  );
