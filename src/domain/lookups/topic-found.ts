import type { Environment } from '../environment.ts';
import type { Topic, TopicSubscription } from '../service/subscription.ts';

/** The most subscriptions that the service lists at once. */
export const SUBSCRIPTIONS_READ = 100;

export const ORDERS = ['newest', 'oldest'] as const;

export type SubscriptionOrder = (typeof ORDERS)[number];

/** What to list of a topic (contract, operation 2). */
export interface TopicQuestion {
  readonly topicKey: string;
  readonly subscriberId: string | null;
  readonly order: SubscriptionOrder;
  /** Where the list goes on: after the service's cursor, which `before` subscriptions precede. Null for its start. */
  readonly after: { readonly cursor: string; readonly before: number } | null;
}

export type TopicFound = FoundSubscriptions | FoundNoTopic;

interface Asked {
  readonly environment: Environment;
  readonly question: TopicQuestion;
}

export interface FoundSubscriptions extends Asked {
  readonly found: 'subscriptions';
  /** Null if none is listed. */
  readonly topic: Topic | null;
  readonly items: readonly TopicSubscription[];
  readonly unreadable: number;
  readonly next: string | null;
  /** Whether more may follow, or does by the count, although the service gave no cursor to read it. */
  readonly isRestUnread: boolean;
  /** Null if the service does not count; `isCapped`: there are more. */
  readonly totalCount: number | null;
  readonly isCapped: boolean;
}

/** The service has no such topic. */
export interface FoundNoTopic extends Asked {
  readonly found: 'no-topic';
}
