import { min } from 'date-fns';
import { isDelivered } from '../judging/attempts.ts';
import { isDelivery } from '../service/event.ts';
import type { TopicSubscription } from '../service/lists.ts';
import { PERSON } from '../service/query.ts';
import type { ReadCtx } from './event.ts';
import { needsEyes, outcomeOf } from './outcome.ts';
import { transactionPages } from './transaction.ts';

/** The service's limit. */
const SUBSCRIPTIONS_A_PAGE = 100;
/** A topic with more subscribers is read in part. */
const MOST_PAGES = 100;

/** A subscriber of the topic, with the channels that didn't reach them: null if none did. */
interface MissedSubscription extends TopicSubscription {
  missed: readonly string[] | null;
}

export interface Missed {
  missing: readonly MissedSubscription[];
  /** How many subscribed before it was sent. */
  subscribed: number;
  /** How many subscribed after it was sent. */
  later: number;
  /** How many of the subscribed were deleted. */
  deleted: number;
  /** How many subscribed have events that don't show what became of them. */
  unknown: number;
  /** The transaction's events. */
  events: number;
  /** False: the transaction or the topic is too long to be read whole. */
  isAll: boolean;
}

/** Returns null without such a topic. */
export async function findMissed(
  ctx: Required<ReadCtx>,
  topicKey: string,
  transactionId: string,
): Promise<Missed | null> {
  const recipients = await recipientsOf(ctx, transactionId);
  const subscriptions: TopicSubscription[] = [];
  let after: string | null | undefined;
  for (let page = 0; page < MOST_PAGES && after !== null; page++) {
    const listed = await ctx.service.listTopicSubscriptions(topicKey, { limit: SUBSCRIPTIONS_A_PAGE, after }, PERSON);
    if (listed === null) return null;
    subscriptions.push(...listed.items);
    after = listed.next ?? null;
    ctx.progress(recipients.events + subscriptions.length);
  }
  const { sentAt } = recipients;
  const subscribed = subscriptions.filter(({ createdAt }) => createdAt === null || createdAt <= sentAt);
  const living = subscribed.filter(({ subscriber }) => subscriber !== null);
  const known = living.filter(({ subscriber }) => !recipients.unknown.has(subscriber?.subscriberId ?? ''));
  return {
    // Whom no channel reached come first.
    missing: known
      .flatMap((subscription) => missedBy(subscription, recipients.reached) ?? [])
      .sort((a, b) => (a.missed?.length ?? 0) - (b.missed?.length ?? 0)),
    subscribed: subscribed.length,
    later: subscriptions.length - subscribed.length,
    deleted: subscribed.length - living.length,
    unknown: living.length - known.length,
    events: recipients.events,
    isAll: recipients.isAll && after === null,
  };
}

/** Returns null if every channel that is over reached the subscriber. */
function missedBy(subscription: TopicSubscription, reached: Recipients['reached']): MissedSubscription | null {
  const channels = reached.get(subscription.subscriber?.subscriberId ?? '');
  if (channels === undefined) return { ...subscription, missed: null };
  const missed = [...channels].flatMap(([channel, isReached]) => (isReached ? [] : [channel]));
  if (missed.length === 0) return null;
  return { ...subscription, missed: missed.length === channels.size ? null : missed };
}

interface Recipients {
  /** By subscriber ID: whether each channel that is over reached them, by any of their events. */
  reached: ReadonlyMap<string, ReadonlyMap<string, boolean>>;
  /** IDs of subscribers with events that don't show what became of them. */
  unknown: ReadonlySet<string>;
  events: number;
  /** When the first event was created. */
  sentAt: Date;
  isAll: boolean;
}

async function recipientsOf(ctx: Required<ReadCtx>, transactionId: string): Promise<Recipients> {
  const reached = new Map<string, Map<string, boolean>>();
  const unknown = new Set<string>();
  let [events, sentAt, isAll] = [0, ctx.now(), true];
  for await (const page of transactionPages(ctx, transactionId)) {
    for (const { event, judgment } of page.events) {
      const id = event.subscriber?.subscriberId ?? '';
      if (outcomeOf(event, judgment) === 'not-shown') unknown.add(id);
      const channels = reached.get(id) ?? new Map<string, boolean>();
      reached.set(id, channels);
      for (const { job, verdict, attempts } of judgment.steps) {
        const isReached = attempts.some(isDelivered) && verdict !== 'bounced';
        const isOver = isReached || needsEyes(verdict);
        if (isDelivery(job) && isOver) channels.set(job.type, isReached || channels.get(job.type) === true);
      }
      sentAt = min([sentAt, event.createdAt ?? sentAt]);
    }
    events += page.events.length + page.unreadable;
    isAll = page.isLast;
    ctx.progress(events);
  }
  return { reached, unknown, events, sentAt, isAll };
}
