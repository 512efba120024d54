import { min } from 'date-fns';
import type { JudgedEvent } from '../judging/judge.ts';
import { MASK } from '../lib/text/mask.ts';
import { askableId } from '../lib/text/shown-id.ts';
import { listEnd, listStart } from '../lib/time/service-clock.ts';
import type { ReadCtx } from '../lookups/event.ts';
import { judgedEvents } from '../lookups/transaction.ts';
import { eventKey, type TriggeredEvent } from '../service/event.ts';
import type { EventReader, NotificationService } from '../service/operations.ts';
import { type Call, PAGE_SIZE } from '../service/query.ts';
import { mayBeAboutTheRequest, ServiceError } from '../service/service-error.ts';
import { retrieveWithOwnSteps, stepsBudget } from '../service/steps.ts';
import { type NewestEvent, noteNewest } from './newest-events.ts';
import type { BrokenEvent, Reread } from './resend-plan.ts';

export type TriggerService = EventReader & Pick<NotificationService, 'listEvents' | 'triggerEvents'>;

export type RereadCtx = ReadCtx<TriggerService> & { call: Call };

/** IDs have up to 255 characters; proxies refuse URLs above 4 kB. */
const SUBSCRIBERS_A_QUERY = 12;

/** Yields pages: an outage of a day can have tens of thousands of events. */
export async function* eventsOfSubscribers(
  ids: Iterable<string>,
  since: Date,
  { service, now, call }: RereadCtx,
): AsyncGenerator<readonly TriggeredEvent[]> {
  const aheadMs = service.clockAheadMs();
  const window = { after: listStart(since, aheadMs), before: listEnd(now(), aheadMs) };
  const idsLeft = [...new Set(ids)];
  while (idsLeft.length > 0) {
    const subscriberIds = idsLeft.splice(0, SUBSCRIBERS_A_QUERY);
    for await (const { items } of service.eventPages({ subscriberIds, ...window, limit: PAGE_SIZE }, call)) yield items;
  }
}

/** Lists by subscriber, which also shows newer events, and retrieves the rest by ID. */
export async function reread(broken: readonly BrokenEvent[], ctx: RereadCtx): Promise<Reread> {
  const since = min([ctx.now(), ...broken.map(({ createdAt }) => createdAt)]);
  const wanted = new Set(broken.map((event) => event.eventKey));
  const budget = stepsBudget(broken.length);
  const events = new Map<string, JudgedEvent>();
  const newest = new Map<string, NewestEvent>();
  const take = async (listed: readonly TriggeredEvent[]) => {
    for (const judged of await judgedEvents(listed, ctx, budget)) {
      const key = eventKey(judged.event);
      if (wanted.has(key) && !events.has(key)) events.set(key, judged);
      noteNewest(newest, judged);
    }
  };
  const known = broken.flatMap(({ subscriberId }) => subscriberId ?? []).filter((id) => !id.includes(MASK));
  for await (const listed of eventsOfSubscribers(known, since, ctx)) await take(listed);
  const missing = broken.filter((event) => !events.has(event.eventKey));
  const retrieved = await eventsOf(missing, ctx);
  await take(retrieved);
  // A contact is stored masked: only its event says whose newer events to list.
  const contacts = retrieved.flatMap(({ subscriber }) => subscriber?.subscriberId ?? []);
  for await (const listed of eventsOfSubscribers(contacts, since, ctx)) await take(listed);
  return { events, newest };
}

/** More would fill the queue of people's requests. */
const AT_ONCE = 12;

async function eventsOf(broken: readonly BrokenEvent[], ctx: RereadCtx): Promise<readonly TriggeredEvent[]> {
  const events: TriggeredEvent[] = [];
  for (let first = 0; first < broken.length; first += AT_ONCE) {
    const answers = broken.slice(first, first + AT_ONCE).map((event) => eventOf(event, ctx));
    events.push(...(await Promise.all(answers)).filter((event) => event !== null));
  }
  return events;
}

/** If the service fails on this event, the others can still be sent. */
async function eventOf(
  { eventId, eventKey: key, transactionId }: BrokenEvent,
  { service, call }: RereadCtx,
): Promise<TriggeredEvent | null> {
  try {
    const id = askableId(eventId);
    if (id !== null) return await retrieveWithOwnSteps(id, service, call);
    const { items } = await service.listEvents({ transactionId, limit: PAGE_SIZE }, call);
    return items.find((event) => eventKey(event) === key) ?? null;
  } catch (error) {
    if (!(error instanceof ServiceError && mayBeAboutTheRequest(error.problem))) throw error;
    // Throws if the service fails on everything.
    await service.listEvents({ limit: 1 }, call);
    return null;
  }
}
