import { z } from 'zod';
import { ApiError } from './api-error.ts';
import { addressField, type Message, type Subscriber } from './entities.ts';
import type { OperationInput } from './operations.ts';
import { inOrder, isAmong, type MessageRow } from './rows.ts';
import { parameter, parse } from './validation.ts';
import type { World } from './world.ts';

const MessageQuery = z.strictObject({
  channel: parameter.text,
  subscriberId: parameter.text,
  transactionId: parameter.texts,
  contextKeys: parameter.contextKeys,
  page: parameter.integer('page', 0),
  limit: parameter.integer('limit', 10),
});

/** The contract doesn't state a maximum; this is the public implementation's. */
const LARGEST_LIMIT = 1_000;

/** `GET /v1/messages`: newest first by default. `hasMore` is exact: all are counted. An odd channel, page or limit finds nothing. */
export function listMessages(world: World, { query }: OperationInput): object {
  const { page, limit, channel, subscriberId, transactionId, contextKeys } = parse(MessageQuery, query);
  if (limit > LARGEST_LIMIT) throw new ApiError(400, `Limit can not be larger then ${LARGEST_LIMIT}`);
  if (subscriberId !== undefined && !world.subscribers.has(subscriberId))
    throw new ApiError(404, `Subscriber '${subscriberId}' was not found`);
  // The service sorts only what is stored, so keys that aren't sorted in the query find nothing.
  const isWanted = ({ message }: MessageRow) =>
    (channel === undefined || message.channel === channel) &&
    (subscriberId === undefined || message.subscriberId === subscriberId) &&
    isAmong(transactionId, message.transactionId) &&
    (contextKeys === undefined || JSON.stringify(contextKeys) === JSON.stringify(message.contextKeys.toSorted()));
  const all = page < 0 || limit <= 0 ? [] : inOrder(world.messages.all.filter(isWanted), world);
  const data = all.slice(page * limit, (page + 1) * limit).map(({ message }) => shown(world, message));
  return { totalCount: all.length, hasMore: page < 0 || (page + 1) * limit < all.length, data, pageSize: limit, page };
}

function shown(world: World, { subscriberId, workflow: identifier, ...message }: Message): object {
  const subscriber = world.subscribers.get(subscriberId);
  const workflow = world.workflows.get(identifier ?? '');
  const { channel, createdAt } = message;
  return {
    read: false,
    seen: false,
    cta: { action: { buttons: [] } },
    ...(channel === 'in_app' && { _feedId: null, deliveredAt: [createdAt] }),
    ...message,
    ...world.tenancy,
    _templateId: workflow?._id ?? null,
    // The field is required, so a deleted subscriber has an ID of nobody.
    _subscriberId: subscriber?._id ?? '000000000000000000000000',
    ...(subscriber && { subscriber, ...addressesOf(channel, subscriber) }),
    ...(workflow && channel !== 'chat' && channel !== 'push' && { templateIdentifier: workflow.identifier }),
  };
}

function addressesOf(channel: string, { channels, ...person }: Subscriber): object {
  const stored = (id: string) => channels.find(({ providerId }) => providerId === id)?.credentials;
  const field = addressField(channel);
  if (field !== null) return person[field] === null ? {} : { [field]: person[field] };
  if (channel === 'push') return { deviceTokens: stored('fcm')?.deviceTokens ?? [] };
  return channel === 'chat' ? { directWebhookUrl: stored('slack')?.webhookUrl ?? '' } : {};
}
