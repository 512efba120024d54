import type { Environment } from '../environment.ts';
import type { Topic, TopicSubscription } from '../service/subscription.ts';

/** The number of subscriptions on a page. */
export const SUBSCRIPTIONS_A_PAGE = 10;

export const ORDERS = ['newest', 'oldest'] as const;

export type SubscriptionOrder = (typeof ORDERS)[number];

/** The position of a page in a list. Cursors come from the service; `from` has the ID of the subscription with which the page begins. */
export type PagePosition =
  | { readonly at: 'start' }
  | { readonly at: 'after' | 'before' | 'from'; readonly cursor: string };

/** What to list of a topic (contract, operation 2). */
export interface TopicQuestion {
  readonly topicKey: string;
  readonly subscriberId: string | null;
  readonly order: SubscriptionOrder;
  readonly place: PagePosition;
}

export type TopicFound = FoundSubscriptions | FoundNoTopic | FoundNoPlace;

interface Asked {
  readonly environment: Environment;
  readonly question: TopicQuestion;
}

/** A page of a topic's subscriptions. */
export interface FoundSubscriptions extends Asked {
  readonly found: 'subscriptions';
  /** The topic as its subscriptions describe it; null if none is listed. */
  readonly topic: Topic | null;
  readonly items: readonly TopicSubscription[];
  readonly unreadable: number;
  readonly next: string | null;
  readonly previous: string | null;
  /** Where more may follow, or does by the count, although the service gave no cursor to read it. */
  readonly unreadSides: readonly ('next' | 'previous')[];
  /** Null if the service does not count; `isCapped`: there are more. */
  readonly totalCount: number | null;
  readonly isCapped: boolean;
}

/** The service has no such topic; `elsewhere` are the environments that do. */
export interface FoundNoTopic extends Asked {
  readonly found: 'no-topic';
  readonly elsewhere: readonly Environment[];
}

/** The service doesn't accept the position in the list anymore, because what was there is gone. */
export interface FoundNoPlace extends Asked {
  readonly found: 'no-place';
}
