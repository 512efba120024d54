import { z } from 'zod';
import type { Message, Subscriber, Workflow, WorkflowStep } from '../entities.ts';
import { ApiError } from '../errors.ts';
import type { OperationInput } from '../operations.ts';
import { contextOf, type messageKeys } from '../rows.ts';
import { allTime, type Wanted } from '../store.ts';
import { parameter, parse } from '../validation.ts';
import type { World } from '../world.ts';

const MessageQuery = z.strictObject({
  channel: parameter.oneOf('channel', ['in_app', 'email', 'sms', 'chat', 'push']),
  subscriberId: parameter.text(),
  transactionId: parameter.texts(),
  contextKeys: parameter.texts(),
  page: parameter.integer('page', { min: 0, fallback: 0 }),
  limit: parameter.integer('limit', { min: 1, fallback: 10 }),
});
type MessageQuery = z.infer<typeof MessageQuery>;

const MOST_ON_A_PAGE = 1000;

/** `GET /v1/messages`: newest first. They are counted, so `hasMore` is exact. */
export function listMessages(world: World, { query }: OperationInput): object {
  const { page, limit, ...asked } = parse(MessageQuery, query);
  if (limit > MOST_ON_A_PAGE) throw new ApiError(400, `Limit can not be larger then ${MOST_ON_A_PAGE}`);
  if (asked.subscriberId !== undefined && !world.subscribers.has(asked.subscriberId))
    throw new ApiError(404, `Subscriber not found for id ${asked.subscriberId}`);
  const wanted = wantedOf(asked);
  const rows = world.messages.page(allTime, page * limit, limit, wanted);
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
  return { _id, _templateId, name, active, filters, shouldStopOnFail: stopsOnFail, ...(metadata && { metadata }) };
}
