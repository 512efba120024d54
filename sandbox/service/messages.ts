import { z } from 'zod';
import { channels, type Message, type Subscriber, type Workflow } from './entities.ts';
import { ApiError } from './faults.ts';
import type { OperationInput } from './operations.ts';
import { hasContext, inOrder, isAmong, type MessageRow } from './rows.ts';
import { parameter, parse } from './validation.ts';
import type { World } from './world.ts';

const MessageQuery = z.strictObject({
  ...{ channel: parameter.oneOf(channels), subscriberId: parameter.text, transactionId: parameter.texts },
  ...{ contextKeys: parameter.contextKeys, page: parameter.integer(0, 0), limit: parameter.integer(1, 10) },
});

/** The contract doesn't state a maximum; this is the public implementation's. */
const LARGEST_LIMIT = 1_000;

/** `GET /v1/messages`: newest first by default. They are counted, so `hasMore` is exact. */
export function listMessages(world: World, { query }: OperationInput): object {
  const { page, limit, channel, subscriberId, transactionId, contextKeys } = parse(MessageQuery, query);
  if (limit > LARGEST_LIMIT) throw new ApiError(400, `Limit can not be larger then ${LARGEST_LIMIT}`);
  if (subscriberId !== undefined && !world.subscribers.has(subscriberId))
    throw new ApiError(404, `Subscriber not found for id ${subscriberId}`);
  const isWanted = ({ message }: MessageRow) =>
    (channel === undefined || message.channel === channel) &&
    (subscriberId === undefined || message.subscriberId === subscriberId) &&
    isAmong(transactionId, message.transactionId) &&
    hasContext(contextKeys, message.contextKeys);
  const all = inOrder(world.messages.all.filter(isWanted), world);
  const data = all.slice(page * limit, (page + 1) * limit).map(({ message }) => shown(world, message));
  return { totalCount: all.length, hasMore: (page + 1) * limit < all.length, data, pageSize: limit, page };
}

function shown(world: World, { subscriberId, workflow: identifier, ...message }: Message): object {
  const subscriber = world.subscribers.get(subscriberId);
  const workflow = world.workflows.get(identifier ?? '');
  return {
    deliveredAt: message.status === 'error' ? [] : [message.createdAt],
    ...{ read: false, seen: false, cta: { data: {} }, _feedId: null },
    ...message,
    ...world.tenancy,
    _templateId: workflow?._id ?? null,
    _subscriberId: subscriber?._id ?? '000000000000000000000000',
    ...(subscriber && { subscriber, ...addressesOf(message.channel, subscriber) }),
    ...(workflow && { template: shownWorkflow(world, workflow), templateIdentifier: workflow.identifier }),
  };
}

function addressesOf(channel: string, { email, phone, channels }: Subscriber): object {
  const stored = (id: string) => channels.find(({ providerId }) => providerId === id)?.credentials;
  if (channel === 'email') return email === null ? {} : { email };
  if (channel === 'sms') return phone === null ? {} : { phone };
  if (channel === 'push') return { deviceTokens: stored('fcm')?.deviceTokens ?? [] };
  return channel === 'chat' ? { directWebhookUrl: stored('slack')?.webhookUrl ?? '' } : {};
}

function shownWorkflow(
  { tenancy }: World,
  { identifier: _, severity, variables, template, steps, ...workflow }: Workflow,
): object {
  const nobody = '000000000000000000000001';
  return {
    ...tenancy,
    ...workflow,
    ...{ draft: false, deleted: false, deletedAt: '', deletedBy: '', _creatorId: nobody, _notificationGroupId: nobody },
    preferenceSettings: Object.fromEntries(channels.map((channel) => [channel, true])),
    steps: steps.map(({ activity, stopsOnFail }) => ({
      ...activity,
      uuid: activity._id,
      shouldStopOnFail: stopsOnFail,
    })),
    triggers: template.triggers,
  };
}
