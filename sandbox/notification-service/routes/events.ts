import { z } from 'zod';
import { ApiError } from '../errors.ts';
import type { OperationInput } from '../operations.ts';
import { parameter, parse, requireObjectId } from '../validation.ts';
import type { EventRow, World } from '../world.ts';
import { hasContextKeys } from './context-keys.ts';

const EventQuery = z.strictObject({
  channels: parameter.texts(),
  templates: parameter.texts(),
  emails: parameter.texts(),
  search: parameter.text(),
  subscriberIds: parameter.texts(),
  severity: parameter.texts(),
  page: parameter.integer('page', { min: 0, fallback: 0 }),
  limit: parameter.integer('limit', { min: 1, max: 50, fallback: 10 }),
  transactionId: parameter.text(),
  topicKey: parameter.text(),
  contextKeys: parameter.texts(),
  after: parameter.timestamp('after'),
  before: parameter.timestamp('before'),
});
type EventQuery = z.infer<typeof EventQuery>;

/** `GET /v1/notifications`: newest first; `hasMore` only says that the page is full, so the last page can be empty. */
export function listEvents(world: World, { query }: OperationInput): object {
  const wanted = parse(EventQuery, query);
  const span = spanOf(world, wanted);
  const rows = rowsOf(world, wanted, span);
  return { hasMore: rows.length === wanted.limit, data: rows.map(served), pageSize: wanted.limit, page: wanted.page };
}

/** `GET /v1/notifications/:notificationId` */
export function retrieveEvent(world: World, { path: [notificationId = ''] }: OperationInput): unknown {
  requireObjectId('notificationId', notificationId);
  const row = world.events.byId(notificationId);
  if (!row) throw new ApiError(404, `Notification with id ${notificationId} not found`);
  return served(row);
}

function spanOf(world: World, { after, before }: EventQuery): { from: number; to: number } {
  const earliest = world.now() - world.planDays * 86_400_000;
  if (after !== undefined && before !== undefined && after > before) {
    throw new ApiError(400, 'Invalid date range: after must be earlier than before');
  }
  if (after !== undefined && after < earliest) {
    throw new ApiError(
      402,
      `Your plan keeps ${world.planDays} days of activity: after must not be earlier than ${new Date(earliest).toISOString()}`,
    );
  }
  return { from: after ?? earliest, to: before ?? world.now() };
}

function rowsOf(world: World, wanted: EventQuery, span: { from: number; to: number }): EventRow[] {
  const { page, limit, transactionId } = wanted;
  const matches = matcherOf(world, wanted);
  if (transactionId === undefined) return world.events.page(span, page * limit, limit, matches);
  const ofTransaction = world.events.byTransaction(transactionId);
  const inSpan = ofTransaction.filter((row) => row.at >= span.from && row.at <= span.to && (matches?.(row) ?? true));
  return inSpan.toSorted((a, b) => b.at - a.at).slice(page * limit, (page + 1) * limit);
}

/** Undefined when no filter narrows the list, so that a plain page need not look at the rows before it. */
function matcherOf(world: World, wanted: EventQuery): ((row: EventRow) => boolean) | undefined {
  const { channels, templates, emails, subscriberIds, severity, topicKey, contextKeys, search } = wanted;
  const tests: ((row: EventRow) => boolean)[] = [];
  if (channels) tests.push(({ event }) => event.channels.some((channel) => channels.includes(channel)));
  if (templates) tests.push(({ event }) => event._templateId !== undefined && templates.includes(event._templateId));
  if (emails) tests.push(({ event }) => emails.includes(subscriberOf(world, event)?.email ?? ''));
  if (subscriberIds) tests.push(({ event }) => subscriberIds.includes(event.subscriber?.subscriberId ?? ''));
  if (severity) tests.push(({ event }) => severity.includes(event.severity));
  if (topicKey !== undefined) tests.push(({ event }) => event.topics.some((topic) => topic.topicKey === topicKey));
  if (contextKeys) tests.push(({ event }) => hasContextKeys(event.contextKeys, contextKeys));
  if (search) tests.push(({ event }) => matchesSearch(subscriberOf(world, event), search));
  return tests.length === 0 ? undefined : (row) => tests.every((test) => test(row));
}

function subscriberOf(world: World, event: EventRow['event']) {
  return event.subscriber ? world.subscribers.get(event.subscriber.subscriberId) : undefined;
}

function matchesSearch(
  subscriber: { subscriberId: string; email: string | null } | undefined,
  search: string,
): boolean {
  const text = search.toLowerCase();
  return (
    subscriber !== undefined &&
    (subscriber.subscriberId.toLowerCase() === text || (subscriber.email ?? '').includes(text))
  );
}

function served({ event, disguise }: EventRow): unknown {
  return disguise ? disguise(event) : event;
}
