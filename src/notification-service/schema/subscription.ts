import { z } from 'zod';
import type { TopicSubscription } from '../../domain/service/subscription.ts';
import { dateOf } from './date.ts';
import { optional, text } from './fields.ts';
import { reader } from './reader.ts';
import { subscriberOf, WireSubscriber } from './subscriber.ts';

const WireSubscription = z.object({
  _id: z.string(),
  createdAt: text,
  topic: z.object({ key: z.string(), name: text, createdAt: text, updatedAt: text }),
  subscriber: optional(WireSubscriber),
});

/** Contract, "TopicSubscription". */
export const readSubscription = reader(
  WireSubscription,
  (wire): TopicSubscription => ({
    id: wire._id,
    createdAt: dateOf(wire.createdAt),
    topic: {
      key: wire.topic.key,
      name: wire.topic.name || null,
      createdAt: dateOf(wire.topic.createdAt),
      updatedAt: dateOf(wire.topic.updatedAt),
    },
    subscriber: wire.subscriber ? subscriberOf(wire.subscriber) : null,
  }),
);
