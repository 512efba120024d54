import { at } from './event.testing.ts';
import type { TopicSubscription } from './subscription.ts';

export function aSubscription(change: Partial<TopicSubscription> = {}): TopicSubscription {
  return {
    id: '66000000000000000000000a',
    createdAt: at(0),
    topic: { key: 'launch', name: 'Launch news', createdAt: at(-86_400), updatedAt: at(-3_600) },
    subscriber: { subscriberId: 'user-1', initials: 'A. L.', maskedEmail: 'a•••@example.com', maskedPhone: null },
    ...change,
  };
}
