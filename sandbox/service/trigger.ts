import { z } from 'zod';
import { chatAndPushProviders, type Subscriber, type Workflow } from './entities.ts';
import { ApiError } from './faults.ts';
import type { OperationInput } from './operations.ts';
import { transactionId as newTransactionId } from './random.ts';
import { startRuns } from './runs.ts';
import { parse } from './validation.ts';
import type { World } from './world.ts';

const text = z.string().optional();
const json = z.record(z.string(), z.unknown());

const Credentials = z.strictObject({
  ...{ webhookUrl: text, channel: text, deviceTokens: z.array(z.string()).optional() },
  ...{ alertUid: text, title: text, imageUrl: text, state: text, externalUrl: text },
});

const ChannelUpdate = z.strictObject({
  providerId: z.enum(chatAndPushProviders),
  integrationIdentifier: text,
  credentials: Credentials,
});
type ChannelUpdate = z.infer<typeof ChannelUpdate>;

export function updateCredentials(world: World, { path: [subscriberId = ''], body }: OperationInput): Subscriber {
  const update = parse(ChannelUpdate, body);
  const subscriber = world.subscribers.get(subscriberId);
  if (!subscriber) throw new ApiError(400, `Subscriber not found for id ${subscriberId}`);
  if (storeCredentials(world, subscriber, update)) return subscriber;
  const environment = world.tenancy._environmentId;
  throw new ApiError(
    400,
    `Subscribers environment (${environment}) do not have active ${update.providerId} integration.`,
  );
}

/** Replaces the channel's credentials, device tokens included (contract). False if the environment has no active integration for them. */
function storeCredentials(world: World, subscriber: Subscriber, update: ChannelUpdate): boolean {
  const { providerId, integrationIdentifier = '', credentials } = update;
  const integration = world.integrations.find(
    (each) =>
      each._environmentId === world.tenancy._environmentId &&
      each.providerId === providerId &&
      each.active &&
      ['', each.identifier].includes(integrationIdentifier),
  );
  if (!integration) return false;
  const { _id, identifier } = integration;
  const settings = { providerId, integrationIdentifier: identifier, credentials, _integrationId: _id };
  const others = subscriber.channels.filter(({ _integrationId }) => _integrationId !== _id);
  changeSubscriber(world, subscriber, { channels: [...others, settings] });
  return true;
}

function changeSubscriber(world: World, subscriber: Subscriber, change: object): void {
  Object.assign(subscriber, change, { updatedAt: new Date(world.now()).toISOString() });
}

const RecipientChannel = ChannelUpdate.extend({
  credentials: Credentials.pick({ webhookUrl: true, deviceTokens: true }),
});

/** A plain subscriber ID (field notes, "Trigger") is parsed as a definition with nothing else. */
const Recipient = z.preprocess(
  (recipient) => (typeof recipient === 'string' ? { subscriberId: recipient } : recipient),
  z.strictObject({
    ...{ subscriberId: text, firstName: text, lastName: text, email: text, phone: text },
    ...{ avatar: text, locale: text, timezone: text, data: json.optional() },
    channels: z.array(RecipientChannel).default([]),
  }),
);
type Recipient = z.infer<typeof Recipient>;

function isValid({ subscriberId = '' }: Recipient): boolean {
  return /^[\w.@+|:-]+$/.test(subscriberId);
}

/** Recipients are subscriber definitions (contract, "Trigger event item"), or plain IDs. Other forms are "not shown" and refused. */
const TriggerItem = z.strictObject({
  name: z.string().min(1),
  to: z.array(Recipient).min(1),
  ...{ payload: json.default({}), overrides: json.default({}) },
  ...{ transactionId: text, actor: text, tenant: text, context: z.record(z.string(), z.string()).default({}) },
});
type TriggerItem = z.infer<typeof TriggerItem>;

const TriggerBody = z.strictObject({ events: z.array(TriggerItem).min(1).max(100) });

interface Declined {
  status: string;
  error?: readonly string[];
}

export function triggerEvents(world: World, { body }: OperationInput): object[] {
  return parse(TriggerBody, body).events.map((item) => trigger(world, item));
}

function trigger(world: World, item: TriggerItem): object {
  const { transactionId = newTransactionId(world.random), payload, overrides, context } = item;
  const workflow = world.workflows.get(item.name);
  if (!workflow) return { acknowledged: true, status: 'error', error: ['workflow_not_found'] };
  const declined = declinedFor(world, workflow, item);
  if (declined) return { acknowledged: true, ...declined, ...(declined.status !== 'error' && { transactionId }) };
  if (!world.transactions.has(transactionId)) {
    const contextKeys = Object.entries(context).map(([type, id]) => `${type}:${id}`);
    const people = new Set(item.to.filter(isValid).map((recipient) => upsert(world, recipient).subscriberId));
    startRuns(world, [...people], { workflow, transactionId, payload, overrides, topics: [], contextKeys });
  }
  return { acknowledged: true, status: 'processed', transactionId };
}

function declinedFor(world: World, workflow: Workflow, { payload, tenant, to }: TriggerItem): Declined | undefined {
  if (!workflow.active) return { status: 'trigger_not_active' };
  if (workflow.steps.length === 0) return { status: 'no_workflow_steps_defined' };
  if (!workflow.steps.some(({ activity }) => activity.active)) return { status: 'no_workflow_active_steps_defined' };
  const missing = workflow.variables.filter(({ name, required }) => required && !(name in payload));
  const names = missing.map(({ name }) => `${name} (String)`).join(', ');
  if (names) return { status: 'error', error: [`payload is missing required key(s) and type(s): ${names}`] };
  if (tenant !== undefined && !world.tenants.has(tenant)) return { status: 'no_tenant_found' };
  return to.some(isValid) ? undefined : { status: 'invalid_recipients' };
}

function upsert(world: World, { subscriberId = '', channels, ...profile }: Recipient): Subscriber {
  const subscriber = world.subscriber(subscriberId);
  for (const channel of channels) storeCredentials(world, subscriber, channel);
  const given = Object.entries(profile).filter(([, value]) => value !== undefined);
  if (given.length > 0) changeSubscriber(world, subscriber, Object.fromEntries(given));
  return subscriber;
}
