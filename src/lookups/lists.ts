import { min } from 'date-fns';
import { environmentIdOfNewestEvent } from '../changes/changes.ts';
import { workflowsIn } from '../changes/workflows.ts';
import { notInList } from '../lib/closed-list.ts';
import type { Environment } from '../lib/environment.ts';
import { ServiceError } from '../lib/errors.ts';
import { isAmong } from '../lib/fold.ts';
import { EVENT_ID } from '../lib/input/ids.ts';
import { listEnd } from '../lib/time/service-clock.ts';
import { CHANNELS } from '../service/channels.ts';
import { isDelivery } from '../service/event.ts';
import { type Integration, serviceEnvironmentIdIn, type TopicSubscription } from '../service/lists.ts';
import { type NotificationService, stepsBudget } from '../service/operations.ts';
import { type EventQuery, type MessageQuery, PERSON } from '../service/query.ts';
import type { Db } from '../store/db.ts';
import { judgedEvents, needsEyes, outcomeOf, type ReadCtx, readTransaction } from './event.ts';

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

export type EventList = Awaited<ReturnType<typeof listEvents>>;

/** More don't fit into a message. */
export const EVENTS_LISTED = 30;

export async function listEvents(
  { service, now }: ReadCtx,
  query: EventQuery,
  { from, end: pinned }: { from: number; end: Date | null },
) {
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
  };
}

export async function listMessages(db: Db, environment: string, service: NotificationService, query: MessageQuery) {
  const page = await service.listMessages(query, PERSON);
  if (page === null || page.items.every(({ workflow }) => workflow !== null)) return page;
  const stored = await workflowsIn(db, environment);
  const names = new Map(stored.map(({ id, identifier }) => [id, identifier]));
  const items = page.items.map(({ workflow, workflowId, ...message }) => {
    return { ...message, workflowId, workflow: workflow ?? names.get(workflowId) ?? workflowId };
  });
  return { ...page, items };
}

export type IntegrationsFound = Awaited<ReturnType<typeof listIntegrations>>;

export function inOrder(integrations: readonly Integration[]) {
  const placeOf = ({ channel, deleted, active, primary, name, identifier }: Integration) => {
    const rank = CHANNELS.indexOf(channel);
    const state = [deleted, !active, !primary].map(Number);
    return [rank === -1 ? CHANNELS.length : rank, channel, ...state, name, identifier].join('\n');
  };
  return integrations.toSorted((a, b) => placeOf(a).localeCompare(placeOf(b)));
}

export const isSending = ({ active, deleted }: Integration): boolean => active && !deleted;

export async function listIntegrations(
  service: NotificationService,
  filter: { channels: readonly string[]; providers: readonly string[] },
) {
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

export type Missed = NonNullable<Awaited<ReturnType<typeof findMissed>>>;

const SUBSCRIPTIONS_READ = 100;
const MOST_PAGES = 100;

/** Returns null without such a topic. `missed` are the channels that failed: none if nothing arrived. */
export async function findMissed(ctx: Required<ReadCtx>, topicKey: string, transactionId: string) {
  const { events, unreadable, isAll } = await readTransaction(ctx, transactionId);
  const subscriptions: TopicSubscription[] = [];
  let after: string | null | undefined;
  for (let page = 0; page < MOST_PAGES && after !== null; page++) {
    const listed = await ctx.service.listTopicSubscriptions(topicKey, { limit: SUBSCRIPTIONS_READ, after }, PERSON);
    if (listed === null) return null;
    subscriptions.push(...listed.items);
    after = listed.next ?? null;
    ctx.progress(events.length + subscriptions.length);
  }
  const failed = new Map<string | undefined, string[]>();
  for (const { event, judgment } of events) {
    const id = event.subscriber?.subscriberId;
    const steps = judgment.steps.filter(({ job }) => isDelivery(job));
    if (needsEyes(outcomeOf(event, judgment)) && !steps.some(({ verdict }) => verdict === 'delivered')) continue;
    const channels = steps.flatMap(({ job, verdict }) => (needsEyes(verdict) ? job.type : []));
    failed.set(id, [...(failed.get(id) ?? []), ...channels]);
  }
  const sentAt = min([ctx.now(), ...events.flatMap(({ event }) => event.createdAt ?? [])]);
  const subscribed = subscriptions.filter(({ createdAt }) => createdAt === null || createdAt <= sentAt);
  const missing = subscribed.flatMap((item) => {
    const missed = failed.get(item.subscriber?.subscriberId);
    return missed?.length === 0 ? [] : { ...item, missed: missed ?? [] };
  });
  return {
    missing: missing.sort((a, b) => a.missed.length - b.missed.length),
    subscribed: subscribed.length,
    later: subscriptions.length - subscribed.length,
    events: events.length + unreadable,
    isAll: isAll && after === null,
  };
}
