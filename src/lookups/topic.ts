import { min } from 'date-fns';
import type { TopicSubscription } from '../service/lists.ts';
import type { NotificationService } from '../service/operations.ts';
import { PERSON } from '../service/query.ts';
import { readTransaction } from './event.ts';

export type WithoutEvent = NonNullable<Awaited<ReturnType<typeof subscribersWithoutEvent>>>;

const PAGE = 100;
const MOST_PAGES = 100;

/** The topic's subscribers without an event of the transaction. Null: there is no such topic. */
export async function subscribersWithoutEvent(
  ctx: { service: NotificationService; now: () => Date; progress: (read: number) => void },
  topicKey: string,
  transactionId: string,
) {
  const { events, unreadable, isAll } = await readTransaction(ctx, transactionId);
  const subscriptions: TopicSubscription[] = [];
  let after: string | null | undefined;
  for (let page = 0; page < MOST_PAGES && after !== null; page++) {
    const listed = await ctx.service.listTopicSubscriptions(topicKey, { limit: PAGE, after }, PERSON);
    if (listed === null) return null;
    subscriptions.push(...listed.items);
    after = listed.next;
    ctx.progress(events.length + subscriptions.length);
  }
  const reached = new Set(events.map(({ event }) => event.subscriber?.subscriberId));
  const times = events.flatMap(({ event }) => event.createdAt ?? []);
  const sentAt = times.length === 0 ? ctx.now() : min(times);
  const then = subscriptions.filter(({ createdAt }) => createdAt === null || createdAt <= sentAt);
  return {
    subscriptions: then.filter(({ subscriber }) => !reached.has(subscriber?.subscriberId)),
    subscribed: then.length,
    later: subscriptions.length - then.length,
    events: events.length + unreadable,
    isAll: isAll && after === null,
  };
}
