import { z } from 'zod';
import type { Message, Subscriber, Workflow } from '../entities.ts';
import { ApiError } from '../errors.ts';
import type { OperationInput } from '../operations.ts';
import { parameter, parse } from '../validation.ts';
import type { MessageRow, World } from '../world.ts';
import { hasContextKeys } from './context-keys.ts';

const MessageQuery = z.strictObject({
  channel: parameter.oneOf('channel', ['in_app', 'email', 'sms', 'chat', 'push']),
  subscriberId: parameter.text(),
  transactionId: parameter.texts(),
  contextKeys: parameter.texts(),
  page: parameter.integer('page', { min: 0, fallback: 0 }),
  limit: parameter.integer('limit', { min: 1, max: 1000, fallback: 10 }),
});
type MessageQuery = z.infer<typeof MessageQuery>;

const allTime = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };

/** `GET /v1/messages`: newest first. */
export function listMessages(world: World, { query }: OperationInput): object {
  const wanted = parse(MessageQuery, query);
  if (wanted.subscriberId !== undefined && !world.subscribers.has(wanted.subscriberId)) {
    throw new ApiError(404, `Subscriber not found for id ${wanted.subscriberId}`);
  }
  const matches = matcherOf(wanted);
  const rows = world.messages.page(allTime, wanted.page * wanted.limit, wanted.limit, matches);
  return {
    totalCount: world.messages.count(matches),
    hasMore: rows.length === wanted.limit,
    data: rows.map(({ message }) => messageOnTheWire(world, message)),
    pageSize: wanted.limit,
    page: wanted.page,
  };
}

function matcherOf({ channel, subscriberId, transactionId, contextKeys }: MessageQuery): (row: MessageRow) => boolean {
  return ({ message }) =>
    (channel === undefined || message.channel === channel) &&
    (subscriberId === undefined || message.subscriberId === subscriberId) &&
    (transactionId === undefined || transactionId.includes(message.transactionId)) &&
    (contextKeys === undefined || hasContextKeys(message.contextKeys, contextKeys));
}

function messageOnTheWire(world: World, { subscriberId, workflow: identifier, ...message }: Message): object {
  const subscriber = world.subscribers.get(subscriberId);
  const workflow = identifier === null ? undefined : world.workflows.get(identifier);
  return {
    deliveredAt: message.status === 'sent' ? [message.createdAt] : [],
    read: false,
    seen: false,
    cta: { data: {} },
    ...message,
    ...world.tenancy,
    _templateId: workflow?._id ?? null,
    _subscriberId: subscriber?._id ?? '000000000000000000000000',
    ...(subscriber && { subscriber }),
    ...(workflow && { template: workflowOnTheWire(world, workflow), templateIdentifier: workflow.identifier }),
    ...addressesOf(message.channel, subscriber),
    _feedId: null,
  };
}

/** Where the message went: the address, telephone number, device or webhook, in clear, as the service shows them. */
function addressesOf(channel: string, subscriber: Subscriber | undefined): object {
  if (!subscriber) return {};
  const own = (providerId: string) =>
    subscriber.channels.find((settings) => settings.providerId === providerId)?.credentials;
  if (channel === 'email') return subscriber.email === null ? {} : { email: subscriber.email };
  if (channel === 'sms') return subscriber.phone === null ? {} : { phone: subscriber.phone };
  if (channel === 'push') return { deviceTokens: own('fcm')?.deviceTokens ?? [] };
  if (channel === 'chat') return { directWebhookUrl: own('slack')?.webhookUrl ?? '' };
  return {};
}

function workflowOnTheWire(world: World, workflow: Workflow): object {
  const creator = '000000000000000000000001';
  return {
    ...world.tenancy,
    _id: workflow._id,
    name: workflow.name,
    description: workflow.description,
    active: workflow.active,
    draft: false,
    preferenceSettings: { email: true, sms: true, in_app: true, chat: true, push: true },
    critical: workflow.critical,
    tags: workflow.tags,
    steps: workflow.steps.map(({ activity }) => activity),
    triggers: workflow.template.triggers,
    _creatorId: creator,
    _notificationGroupId: creator,
    deleted: false,
    deletedAt: '',
    deletedBy: '',
  };
}
