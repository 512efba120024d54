import { z } from 'zod';
import { withOldestDetails, withTransactionsSteps } from './analytics.ts';
import { ApiError, invalidField } from './api-error.ts';
import { channels, type Subscriber, severities } from './entities.ts';
import type { OperationInput } from './operations.ts';
import { type EventRow, hasContext, inOrder, isAmong } from './rows.ts';
import { parameter, parse } from './validation.ts';
import type { World } from './world.ts';

const { text, texts, someOf, contextKeys, integer } = parameter;
const EventQuery = z.strictObject({
  channels: someOf(channels),
  severity: someOf(severities),
  templates: texts,
  emails: texts,
  subscriberIds: texts,
  contextKeys,
  search: text,
  transactionId: text,
  topicKey: text,
  after: text,
  before: text,
  page: integer('page', 0, 0),
  limit: integer('limit', 10, 1, 50),
});
type EventQuery = z.infer<typeof EventQuery>;

/** `GET /v1/notifications`: newest first by default. `hasMore` only says that the page is full, so the last page can be empty. */
export function listEvents(world: World, { query }: OperationInput): object {
  const wanted = parse(EventQuery, query);
  const { page, limit, transactionId, topicKey, templates } = wanted;
  if (templates && !templates.every(isId))
    throw invalidField(
      'GetActivityFeedCommand',
      'templates',
      templates,
      'each value in templates must be a mongodb id',
    );
  const { from, to } = spanOf(world, wanted);
  const people = peopleSought(world, wanted);
  const isWanted = ({ at, event }: EventRow) =>
    at >= from &&
    at <= to &&
    (transactionId === undefined || event.transactionId === transactionId) &&
    (topicKey === undefined || event.topics.some((topic) => topic.topicKey === topicKey)) &&
    isAmong(people, event.subscriber?.subscriberId) &&
    isAmong(wanted.channels, ...event.channels) &&
    isAmong(templates, event._templateId) &&
    isAmong(wanted.severity, event.severity) &&
    hasContext(wanted.contextKeys, event.contextKeys);
  const rows = inOrder(world.events.all.filter(isWanted), world).slice(page * limit, (page + 1) * limit);
  const data = shown(world, rows).map((item) => without(item, world.behavior.eventListLacks));
  return { hasMore: rows.length === limit, data, pageSize: limit, page };
}

/** `GET /v1/notifications/:notificationId`. In one mode of the service, it has steps of its transaction's other events. */
export function retrieveEvent(world: World, { path: [notificationId = ''] }: OperationInput): unknown {
  if (!isId(notificationId))
    throw invalidField('GetActivityCommand', 'notificationId', notificationId, 'notificationId must be a mongodb id');
  const row = world.events.byId(notificationId);
  if (!row) throw new ApiError(404, 'Notification not found');
  const transaction = world.events.byTransaction(row.transactionId).map((each) => each.event);
  const hasOwnSteps = world.behavior.stepsOfRetrievedEvent === 'its own';
  const event = hasOwnSteps ? row.event : withTransactionsSteps(row.event, transaction);
  const [answer] = shown(world, [{ ...row, event }]);
  return answer;
}

const isId = (text: string): boolean => /^[0-9a-f]{24}$/i.test(text);

/** Returns what the API shows of events: with fewer details by `Behavior`, and something unreadable for an event that was planted so. */
function shown(world: World, rows: readonly EventRow[]): unknown[] {
  const all = rows.map(({ event }) => event);
  const events = world.behavior.detailsOfPage === 'all' ? all : withOldestDetails(all);
  return events.map((event, index) => rows[index]?.disguise?.(event) ?? event);
}

function without(item: unknown, fields: readonly string[]): unknown {
  if (fields.length === 0 || typeof item !== 'object' || item === null) return item;
  return Object.fromEntries(Object.entries(item).filter(([name]) => !fields.includes(name)));
}

/** Returns undefined if nobody is searched for. `search` is a part of an email address or a whole ID. */
function peopleSought(
  world: World,
  { subscriberIds = [], emails = [], search = '' }: EventQuery,
): string[] | undefined {
  if (subscriberIds.length === 0 && emails.length === 0 && search === '') return undefined;
  const isSought = ({ subscriberId, email }: Subscriber) =>
    subscriberIds.includes(subscriberId) ||
    (email !== null && emails.includes(email)) ||
    (search !== '' && (subscriberId === search || email?.toLowerCase().includes(search.toLowerCase()) === true));
  return [...world.subscribers.values()].filter(isSought).map(({ subscriberId }) => subscriberId);
}

const HOUR_MS = 3_600_000;

/** Returns the requested time range within what the plan keeps. The service allows an extra hour for slow requests. */
function spanOf(world: World, { after, before }: EventQuery): { from: number; to: number } {
  const { behavior } = world;
  const earliest = world.now() - behavior.planKeepsMs;
  const from = after === undefined ? earliest : timeOf('after', after);
  const to = before === undefined ? world.now() : timeOf('before', before);
  if (from > to)
    throw new ApiError(400, 'Invalid date range: start date (after) must be earlier than end date (before)');
  if (from < earliest - HOUR_MS) throw beyondPlan(earliest);
  return {
    from: after !== undefined && behavior.after === 'exclusive' ? from + 1 : from,
    to: before !== undefined && behavior.before === 'exclusive' ? to - 1 : to,
  };
}

const IsoTime = z.union([z.iso.date(), z.iso.datetime({ offset: true })]);

function timeOf(name: 'after' | 'before', text: string): number {
  const time = IsoTime.safeParse(text).success ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time)) {
    const why = `Invalid date format for parameter '${name}': ${text}. Please provide a valid ISO 8601 date string.`;
    throw new ApiError(400, why);
  }
  return time;
}

function beyondPlan(earliest: number): ApiError {
  const [day] = new Date(earliest).toISOString().split('T');
  return new ApiError(
    402,
    `Requested date range exceeds your plan's retention period. The earliest accessible date for your plan is ${day}. Please upgrade your plan to access older activities.`,
  );
}
