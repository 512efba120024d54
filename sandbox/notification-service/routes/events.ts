import { z } from 'zod';
import { channels, type Subscriber, severities } from '../entities.ts';
import { ApiError } from '../http.ts';
import type { OperationInput } from '../operations.ts';
import { contextOf, type EventRow, type eventKeys, lacking, pageInOrder } from '../rows.ts';
import type { Span, Wanted } from '../timeline.ts';
import { parameter, parse, requireObjectId } from '../validation.ts';
import type { World } from '../world.ts';

interface Sought {
  subscriberIds?: string[] | undefined;
  emails?: string[] | undefined;
  search?: string | undefined;
}

/**
 * Returns the IDs of subscribers that match any of the event list's three ways to search for people. `search` is a part of an email
 * address, in any case, or a whole subscriber ID. Undefined if none of the three is given.
 */
function peopleSought(world: World, { subscriberIds = [], emails = [], search = '' }: Sought): string[] | undefined {
  if (subscriberIds.length === 0 && emails.length === 0 && search === '') return undefined;
  const known = subscriberIds.filter((id) => world.subscribers.has(id));
  if (emails.length === 0 && search === '') return known;
  const isSought = ({ subscriberId, email }: Subscriber) =>
    (email !== null && emails.includes(email)) || (search !== '' && isFoundBy(search, subscriberId, email));
  const found = [...world.subscribers.values()].filter(isSought);
  return [...known, ...found.map(({ subscriberId }) => subscriberId)];
}

function isFoundBy(search: string, subscriberId: string, email: string | null): boolean {
  return subscriberId === search || (email?.toLowerCase().includes(search.toLowerCase()) ?? false);
}

const EventQuery = z.strictObject({
  channels: parameter.someOf('channels', channels),
  templates: parameter.texts(),
  emails: parameter.texts(),
  search: parameter.text('search'),
  subscriberIds: parameter.texts(),
  severity: parameter.someOf('severity', severities),
  page: parameter.integer('page', { min: 0, fallback: 0 }),
  limit: parameter.integer('limit', { min: 1, max: 50, fallback: 10 }),
  transactionId: parameter.text('transactionId'),
  topicKey: parameter.text('topicKey'),
  contextKeys: parameter.contextKeys('contextKeys'),
  after: parameter.text('after'),
  before: parameter.text('before'),
});
type EventQuery = z.infer<typeof EventQuery>;

const HOUR_MS = 3_600_000;

/** A date, or a date with a time of day: ISO 8601, as the contract says for timestamps. */
const IsoTime = z.union([z.iso.date(), z.iso.datetime({ offset: true })]);

/** `GET /v1/notifications`: newest first by default. `hasMore` only says that the page is full, so the last page can be empty. */
export function listEvents(world: World, { query }: OperationInput): object {
  const { page, limit, ...asked } = parse(EventQuery, query);
  const span = spanOf(world, asked);
  const subscribers = peopleSought(world, asked);
  if (subscribers?.length === 0) return { hasMore: false, data: [], pageSize: limit, page: 0 };
  const wanted = wantedOf(asked, subscribers);
  const rows = pageInOrder(world, world.events, { span, skip: page * limit, limit, wanted });
  const data = rows.map((row) => lacking(served(row), world.behavior.eventListLacks));
  return { hasMore: rows.length === limit, data, pageSize: limit, page };
}

/** `GET /v1/notifications/:notificationId` */
export function retrieveEvent(world: World, { path: [notificationId = ''] }: OperationInput): unknown {
  requireObjectId('notificationId', notificationId);
  const row = world.events.byId(notificationId);
  if (!row) throw new ApiError(404, `Notification with id ${notificationId} not found`);
  return served(row);
}

/** Returns the requested time range within what the plan keeps. The service allows an extra hour for slow requests. */
function spanOf(world: World, { after, before }: Pick<EventQuery, 'after' | 'before'>): Span {
  const earliest = world.now() - world.planDays * 24 * HOUR_MS;
  const from = after === undefined ? earliest : dateOf('after', after);
  const to = before === undefined ? world.now() : dateOf('before', before);
  if (from > to)
    throw new ApiError(400, 'Invalid date range: start date (after) must be earlier than end date (before)');
  if (Math.min(from, to) < earliest - HOUR_MS) throw beyondPlan(earliest);
  const { behavior } = world;
  return {
    from: after !== undefined && behavior.after === 'exclusive' ? from + 1 : from,
    to: before !== undefined && behavior.before === 'exclusive' ? to - 1 : to,
  };
}

function dateOf(name: 'after' | 'before', text: string): number {
  const time = IsoTime.safeParse(text).success ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time)) throw new ApiError(400, `Invalid "${name}" date`);
  return time;
}

function beyondPlan(earliest: number): ApiError {
  const [day] = new Date(earliest).toISOString().split('T');
  return new ApiError(
    402,
    `Requested date range exceeds your plan's retention period. The earliest accessible date for your plan is ${day}. Please upgrade your plan to access older activities.`,
  );
}

function wantedOf(
  { channels, templates, severity, transactionId, topicKey, contextKeys }: Omit<EventQuery, 'page' | 'limit'>,
  subscribers: readonly string[] | undefined,
) {
  return {
    channels,
    templates,
    subscribers,
    severity,
    topic: topicKey === undefined ? undefined : [topicKey],
    context: contextKeys && [contextOf(contextKeys)],
    transaction: transactionId === undefined ? undefined : [transactionId],
  } satisfies Wanted & Record<keyof typeof eventKeys, unknown>;
}

function served({ event, disguise }: EventRow): unknown {
  return disguise ? disguise(event) : event;
}
