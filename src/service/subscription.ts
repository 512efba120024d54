import type { EventSubscriber } from './event.ts';
import type { Page } from './query.ts';

/** A subscriber's subscription to a topic (contract, "TopicSubscription"). */
export interface TopicSubscription {
  readonly id: string;
  readonly createdAt: Date | null;
  readonly topic: Topic;
  /** Null if the subscriber was deleted. */
  readonly subscriber: EventSubscriber | null;
}

export interface Topic {
  readonly key: string;
  readonly name: string | null;
  readonly createdAt: Date | null;
  readonly updatedAt: Date | null;
}

/** Every query parameter of the topic subscription list (contract, operation 2). Cursors come from a page. */
export interface SubscriptionQuery {
  readonly after?: string;
  readonly before?: string;
  /** 1 to 100. */
  readonly limit?: number;
  readonly orderDirection?: 'ASC' | 'DESC';
  readonly orderBy?: string;
  readonly includeCursor?: boolean;
  readonly subscriberId?: string;
}

export interface SubscriptionPage extends Page<TopicSubscription> {
  readonly next: string | null;
  /** At most 50,000; `totalCountCapped` says that there are more. Null if the service does not count. */
  readonly totalCount: number | null;
  readonly totalCountCapped: boolean;
}
