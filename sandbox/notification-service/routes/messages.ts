import { z } from 'zod';
import { channels, type Message, type Subscriber, type Workflow, type WorkflowStep } from '../entities.ts';
import { ApiError } from '../http.ts';
import type { OperationInput } from '../operations.ts';
import { contextOf, type messageKeys, pageInOrder } from '../rows.ts';
import { allTime, type Wanted } from '../timeline.ts';
import { parameter, parse } from '../validation.ts';
import type { World } from '../world.ts';

const MessageQuery = z.strictObject({
  channel: parameter.oneOf('channel', channels),
  subscriberId: parameter.text('subscriberId'),
  transactionId: parameter.texts(),
  contextKeys: parameter.contextKeys('contextKeys'),
  page: parameter.integer('page', { min: 0, fallback: 0 }),
  limit: parameter.integer('limit', { min: 1, fallback: 10 }),
});
type MessageQuery = z.infer<typeof MessageQuery>;

/** The contract doesn't state a maximum; this is the public implementation's. */
const LARGEST_LIMIT = 1_000;

/** `GET /v1/messages`: newest first by default. They are counted, so `hasMore` is exact. */
export function listMessages(world: World, { query }: OperationInput): object {
  const { page, limit, ...asked } = parse(MessageQuery, query);
  if (limit > LARGEST_LIMIT) throw new ApiError(400, `Limit can not be larger then ${LARGEST_LIMIT}`);
  if (asked.subscriberId !== undefined && !world.subscribers.has(asked.subscriberId))
    throw new ApiError(404, `Subscriber not found for id ${asked.subscriberId}`);
  const wanted = wantedOf(asked);
  const rows = pageInOrder(world, world.messages, { span: allTime, skip: page * limit, limit, wanted });
  const totalCount = world.messages.count(wanted);
  return {
    totalCount,
    hasMore: page * limit + rows.length < totalCount,
    data: rows.map(({ message }) => messageOnTheWire(world, message)),
    pageSize: limit,
    page,
  };
}

function wantedOf({ channel, subscriberId, transactionId, contextKeys }: Omit<MessageQuery, 'page' | 'limit'>) {
  return {
    channel: channel && [channel],
    subscriber: subscriberId === undefined ? undefined : [subscriberId],
    context: contextKeys && [contextOf(contextKeys)],
    transaction: transactionId,
  } satisfies Wanted & Record<keyof typeof messageKeys, unknown>;
}

function messageOnTheWire(world: World, { subscriberId, workflow: identifier, ...message }: Message): object {
  const subscriber = world.subscribers.get(subscriberId);
  const workflow = identifier === null ? undefined : world.workflows.get(identifier);
  return {
    deliveredAt: message.status === 'error' ? [] : [message.createdAt],
    read: false,
    seen: false,
    cta: { data: {} },
    _feedId: null,
    ...message,
    ...world.tenancy,
    _templateId: workflow?._id ?? null,
    _subscriberId: subscriber?._id ?? '000000000000000000000000',
    ...(subscriber && { subscriber }),
    ...(workflow && { template: workflowOnTheWire(world, workflow), templateIdentifier: workflow.identifier }),
    ...addressesOf(message.channel, subscriber),
  };
}

/** Returns where the message went: the address, phone number, device or webhook, unmasked, as the service shows them. */
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
    steps: workflow.steps.map(stepOnTheWire),
    triggers: workflow.template.triggers,
    _creatorId: creator,
    _notificationGroupId: creator,
    deleted: false,
    deletedAt: '',
    deletedBy: '',
  };
}

function stepOnTheWire({ _id, _templateId, name, active, filters, stopsOnFail, activity }: WorkflowStep): object {
  const { metadata } = activity;
  return {
    ...{ _id, uuid: _id, _templateId, name, active, filters, shouldStopOnFail: stopsOnFail },
    ...(metadata && { metadata }),
  };
}
