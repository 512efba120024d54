import { min } from 'date-fns';
import { environmentIdOfNewestEvent } from '../changes/changes.ts';
import { workflowsIn } from '../changes/workflows.ts';
import { isDelivered } from '../judging/attempts.ts';
import type { JudgedEvent } from '../judging/judge.ts';
import { notInList } from '../lib/closed-list.ts';
import type { Environment } from '../lib/environment.ts';
import { ServiceError } from '../lib/errors.ts';
import { isAmong } from '../lib/fold.ts';
import { EVENT_ID } from '../lib/input/ids.ts';
import { datedAhead, listEnd } from '../lib/time/service-clock.ts';
import { CHANNELS } from '../service/channels.ts';
import { isDelivery } from '../service/event.ts';
import { type Integration, serviceEnvironmentIdIn, type TopicSubscription } from '../service/lists.ts';
import { type NotificationService, stepsBudget } from '../service/operations.ts';
import { type EventQuery, type Misfit, PERSON } from '../service/query.ts';
import type { Db } from '../store/db.ts';
import type { ReadCtx } from './event.ts';
import { needsEyes, outcomeOf } from './outcome.ts';
import { judgedEvents, transactionPages } from './transaction.ts';

export async function workflowIdsOf(db: Db, environment: Environment, typed: readonly string[]): Promise<string[]> {
  if (typed.length === 0) return [];
  const seen = (await workflowsIn(db, environment.name)).filter(({ id }) => id !== null);
  return typed.flatMap((word) => {
    const ids = seen.flatMap(({ id, identifier, name }) => (isAmong([identifier, name], [word]) ? (id ?? []) : []));
    if (ids.length > 0) return ids;
    if (EVENT_ID.test(word)) return [word];
    const names = seen.flatMap(({ identifier, name }) => [identifier, name]);
    throw notInList('workflow', word, names);
  });
}

/** A piece of the list that fits into a message; `next` is where the following one begins. */
export interface EventList {
  events: readonly JudgedEvent[];
  from: number;
  unreadable: number;
  misfits: readonly Misfit[];
  next: number | null;
  end: Date;
  /** How far the service dates one of them into our future; null: none. */
  aheadMs: number | null;
}

/** More don't fit into a message. */
export const EVENTS_LISTED = 30;

export async function listEvents(
  { service, now }: ReadCtx,
  query: EventQuery,
  { from, end: pinned }: { from: number; end: Date | null },
): Promise<EventList> {
  const end = pinned ?? query.before ?? listEnd(now(), service.clockAheadMs());
  const page = Math.floor(from / EVENTS_LISTED);
  const list = (after: Date | undefined) =>
    service.listEvents({ ...query, after, before: end, page, limit: EVENTS_LISTED }, PERSON);
  const listed = await list(query.after).catch(async (error: unknown) => {
    const isRefused = error instanceof ServiceError && error.problem.kind === 'refused';
    // Only a refused beginning says how far the plan reaches.
    if (isRefused && query.after === undefined) await list(end);
    throw error;
  });
  const { items, unreadable, misfits = [], hasMore } = listed;
  return {
    // Unreadable events don't count within a page.
    events: await judgedEvents(items.slice(from % EVENTS_LISTED), { service, now }, stepsBudget()),
    from,
    unreadable: unreadable.length,
    misfits,
    next: hasMore ? (page + 1) * EVENTS_LISTED : null,
    end,
    aheadMs: datedAhead(
      items.map(({ createdAt }) => createdAt),
      now(),
    ),
  };
}

export interface IntegrationsFound {
  items: readonly Integration[];
  isEnvironmentKnown: boolean;
  inactiveChannels: readonly string[];
  unreadable: number;
}

export function inOrder(integrations: readonly Integration[]): Integration[] {
  const sortKeyOf = ({ channel, deleted, active, primary, name, identifier }: Integration) => {
    const rank = CHANNELS.indexOf(channel);
    const state = [deleted, !active, !primary].map(Number);
    return [rank === -1 ? CHANNELS.length : rank, channel, ...state, name, identifier].join('\n');
  };
  return integrations.toSorted((a, b) => sortKeyOf(a).localeCompare(sortKeyOf(b)));
}

export const isSending = ({ active, deleted }: Integration): boolean => active && !deleted;

export async function listIntegrations(
  service: NotificationService,
  filter: { channels: readonly string[]; providers: readonly string[] },
): Promise<IntegrationsFound> {
  const [{ items: listed, unreadable }, named] = await Promise.all([
    service.listIntegrations(PERSON),
    environmentIdOfNewestEvent(service, PERSON),
  ]);
  const environmentId = serviceEnvironmentIdIn(listed, named);
  const here = inOrder(listed.filter((item) => environmentId === null || item.serviceEnvironmentId === environmentId));
  const isEnvironmentKnown = environmentId !== null;
  const active = new Set(here.filter(isSending).map(({ channel }) => channel));
  const channels = isEnvironmentKnown && unreadable.length === 0 ? here.map(({ channel }) => channel) : [];
  const items = here.filter(
    ({ channel, provider }) => isAmong([channel], filter.channels) && isAmong([provider], filter.providers),
  );
  return {
    items,
    isEnvironmentKnown,
    inactiveChannels: [...new Set(channels.filter((channel) => !active.has(channel)))],
    unreadable: unreadable.length,
  };
}

/** A subscriber of the topic, with the channels that didn't reach them: null if none did. */
interface MissedSubscription extends TopicSubscription {
  missed: readonly string[] | null;
}

export interface Missed {
  missing: readonly MissedSubscription[];
  subscribed: number;
  /** Who subscribed after it was sent. */
  later: number;
  deleted: number;
  /** Whose events don't show what became of them. */
  unknown: number;
  events: number;
  isAll: boolean;
}

const SUBSCRIPTIONS_READ = 100;
const MOST_PAGES = 100;

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
    const listed = await ctx.service.listTopicSubscriptions(topicKey, { limit: SUBSCRIPTIONS_READ, after }, PERSON);
    if (listed === null) return null;
    subscriptions.push(...listed.items);
    after = listed.next ?? null;
    ctx.progress(recipients.events + subscriptions.length);
  }
  const { sentAt } = recipients;
  const subscribed = subscriptions.filter(({ createdAt }) => createdAt === null || createdAt <= sentAt);
  const missing: MissedSubscription[] = [];
  let unknown = 0;
  for (const item of subscribed) {
    const id = item.subscriber?.subscriberId;
    const reached = id === undefined ? undefined : recipients.reached.get(id);
    const isUnknown = id !== undefined && recipients.unknown.has(id);
    if (isUnknown) unknown += 1;
    if (id === undefined || isUnknown) continue;
    const channels = [...(reached ?? [])];
    const missed = channels.flatMap(([channel, isReached]) => (isReached ? [] : [channel]));
    const gotNothing = reached === undefined || (channels.length > 0 && missed.length === channels.length);
    if (gotNothing || missed.length > 0) missing.push({ ...item, missed: gotNothing ? null : missed });
  }
  return {
    missing: missing.sort((a, b) => (a.missed?.length ?? 0) - (b.missed?.length ?? 0)),
    subscribed: subscribed.length,
    later: subscriptions.length - subscribed.length,
    deleted: subscribed.filter(({ subscriber }) => subscriber === null).length,
    unknown,
    events: recipients.events,
    isAll: recipients.isAll && after === null,
  };
}

/** Of each recipient, whether each channel that is over reached them, by any of their events. */
async function recipientsOf(ctx: Required<ReadCtx>, transactionId: string) {
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
        if (isDelivery(job) && (isReached || needsEyes(verdict)))
          channels.set(job.type, isReached || channels.get(job.type) === true);
      }
      sentAt = min([sentAt, event.createdAt ?? sentAt]);
    }
    events += page.events.length + page.unreadable;
    isAll = page.isLast;
    ctx.progress(events);
  }
  return { reached, unknown, events, sentAt, isAll };
}
