import type { Environment } from '../domain/environment.ts';
import { ServiceError } from '../domain/errors.ts';
import type { TriggeredEvent } from '../domain/event.ts';
import type { LookupTarget } from '../domain/ids.ts';
import { judge } from '../domain/judge.ts';
import type { FoundEvent, LookedUp } from '../domain/looked-up.ts';
import type { MessagePage, MessageQuery } from '../domain/message.ts';
import type { Call, EventQuery, Page } from '../domain/query.ts';
import { addToTally, emptyTally } from '../domain/transaction.ts';

export interface EventLookup {
  retrieveEvent(id: string, call: Call): Promise<TriggeredEvent | null>;
  eventPages(query: EventQuery & { readonly before: Date }, call: Call): AsyncIterable<Page<TriggeredEvent>>;
  listMessages(query: MessageQuery, call: Call): Promise<MessagePage | null>;
}

export interface LookUpParts {
  readonly environment: Environment;
  readonly service: EventLookup;
  readonly now: () => Date;
}

/** A transaction's events are read up to this many pages of fifty, or for this long; the answer says when that was not all. */
const MOST_PAGES = 40;
const LONGEST_READING_MS = 10_000;

const CALL: Call = { who: 'person' };

/** Looks an event or a transaction up in one environment. Throws `ServiceError` when the service can't be read. */
export async function lookUpEvent(target: LookupTarget, parts: LookUpParts): Promise<LookedUp> {
  if (target.kind === 'event') {
    const event = await parts.service.retrieveEvent(target.id, CALL);
    if (event !== null) return withMessages(event, parts);
  }
  return lookUpTransaction(target, parts);
}

async function lookUpTransaction(target: LookupTarget, parts: LookUpParts): Promise<LookedUp> {
  const { environment, service, now } = parts;
  const started = now();
  let tally = emptyTally(target.id);
  let only: TriggeredEvent | null = null;
  let pages = 0;
  // A generous end: the service's clock may be ahead of ours.
  const before = new Date(started.getTime() + 60 * 60_000);
  for await (const page of service.eventPages({ transactionId: target.id, before, limit: 50 }, CALL)) {
    pages += 1;
    for (const event of page.items) {
      only = tally.events === 0 ? event : null;
      tally = addToTally(tally, event, judge(event, now()));
    }
    tally = { ...tally, unreadable: tally.unreadable + page.unreadable.length };
    if (page.hasMore && (pages >= MOST_PAGES || now().getTime() - started.getTime() >= LONGEST_READING_MS)) {
      return { found: 'transaction', environment, tally: { ...tally, isComplete: false } };
    }
  }
  if (tally.events === 0 && tally.unreadable === 0) return { found: 'nothing', environment, target };
  if (only !== null) return withMessages(await completed(only, service), parts);
  return { found: 'transaction', environment, tally };
}

/** The retrieve operation carries what the list may leave out. */
async function completed(event: TriggeredEvent, service: EventLookup): Promise<TriggeredEvent> {
  return event.id === null ? event : ((await service.retrieveEvent(event.id, CALL)) ?? event);
}

async function withMessages(event: TriggeredEvent, parts: LookUpParts): Promise<FoundEvent> {
  const judgement = judge(event, parts.now());
  const messages = await messagesOf(event, parts.service);
  return { found: 'event', environment: parts.environment, event, judgement, messages };
}

async function messagesOf(event: TriggeredEvent, service: EventLookup): Promise<FoundEvent['messages']> {
  const query: MessageQuery = {
    transactionIds: [event.transactionId],
    ...(event.subscriber && { subscriberId: event.subscriber.subscriberId }),
    limit: 100,
  };
  try {
    const items = (await service.listMessages(query, CALL))?.items ?? [];
    return { read: true, items: items.filter((message) => event.id === null || message.eventId === event.id) };
  } catch (error) {
    if (error instanceof ServiceError) return { read: false, error };
    throw error;
  }
}
