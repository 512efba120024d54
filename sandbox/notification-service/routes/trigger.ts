import { z } from 'zod';
import type { Subscriber, Workflow } from '../entities.ts';
import type { OperationInput } from '../operations.ts';
import { transactionId as newTransactionId } from '../random.ts';
import { startRuns } from '../runs/steps.ts';
import { parse } from '../validation.ts';
import type { World } from '../world.ts';
import { RecipientChannel, storeCredentials } from './subscribers.ts';

const optionalText = (name: string) => z.string(`${name} must be a string`).optional();

const Profile = z.strictObject({
  subscriberId: optionalText('subscriberId'),
  firstName: optionalText('firstName'),
  lastName: optionalText('lastName'),
  email: optionalText('email'),
  phone: optionalText('phone'),
  avatar: optionalText('avatar'),
  locale: optionalText('locale'),
  timezone: optionalText('timezone'),
  data: z.record(z.string(), z.unknown(), 'data must be an object').optional(),
  channels: z.array(RecipientChannel, 'channels must be an array').optional(),
});
type Profile = z.infer<typeof Profile>;

export type Recipient = { kind: 'subscriber'; profile: Profile & { subscriberId: string } } | { kind: 'invalid' };

/** A plain subscriber ID (field notes, "Trigger") is parsed as a definition with nothing else. */
const Definition = z.preprocess(
  (recipient) => (typeof recipient === 'string' ? { subscriberId: recipient } : recipient),
  Profile,
);

/**
 * `to`: a list of subscriber definitions (contract, "Trigger event item"), or of plain IDs, as the field notes have them for sending again.
 * Other forms are "not shown" and refused. A definition with a missing or malformed `subscriberId` is an invalid recipient.
 */
const Recipients = z
  .array(Definition.transform(toRecipient), 'to must be an array of subscriber definitions')
  .min(1, 'to should not be empty');

function toRecipient({ subscriberId = '', ...profile }: Profile): Recipient {
  if (!/^[\w.@+|:-]+$/.test(subscriberId)) return { kind: 'invalid' };
  return { kind: 'subscriber', profile: { ...profile, subscriberId } };
}

/** Returns each person once. A profile with more than its ID updates the subscriber. */
function peopleFor(world: World, recipients: readonly Recipient[]): readonly Subscriber[] {
  const people = recipients.flatMap((recipient) =>
    recipient.kind === 'subscriber' ? [upsert(world, recipient.profile)] : [],
  );
  return [...new Set(people)];
}

function upsert(
  world: World,
  { subscriberId, channels = [], ...profile }: Profile & { subscriberId: string },
): Subscriber {
  const subscriber = world.subscriber(subscriberId);
  for (const channel of channels) storeCredentials(world, subscriber, channel);
  const given = Object.entries(profile).filter(([, value]) => value !== undefined);
  if (given.length === 0) return subscriber;
  return Object.assign(subscriber, Object.fromEntries(given), {
    updatedAt: new Date(world.now()).toISOString(),
    __v: subscriber.__v + 1,
  });
}

const jsonObject = (name: string) => z.record(z.string(), z.unknown(), `${name} must be an object`);
const text = (name: string) => z.string(`${name} must be a string`);

const TriggerItem = z.strictObject({
  name: text('name').min(1, 'name should not be empty'),
  payload: jsonObject('payload').default({}),
  overrides: jsonObject('overrides').default({}),
  to: Recipients,
  transactionId: text('transactionId').optional(),
  actor: text('actor').optional(),
  tenant: text('tenant').optional(),
  context: z
    .record(z.string(), z.string('each value in context must be a string'), 'context must be an object')
    .default({}),
});
type TriggerItem = z.infer<typeof TriggerItem>;

const TriggerBody = z.strictObject({
  events: z
    .array(TriggerItem, 'events must be an array')
    .min(1, 'events should not be empty')
    .max(100, 'events must contain no more than 100 elements'),
});

interface TriggerResult {
  acknowledged: true;
  status:
    | 'error'
    | 'trigger_not_active'
    | 'no_workflow_active_steps_defined'
    | 'no_workflow_steps_defined'
    | 'processed'
    | 'no_tenant_found'
    | 'invalid_recipients';
  error?: string[];
  transactionId?: string;
}

/** `POST /v1/events/trigger/bulk`: a result for each item at the item's index, acknowledged whatever the outcome. */
export function triggerEvents(world: World, { body }: OperationInput): TriggerResult[] {
  return parse(TriggerBody, body).events.map((item) => trigger(world, item));
}

function trigger(world: World, item: TriggerItem): TriggerResult {
  const workflow = world.workflows.get(item.name);
  if (!workflow) return { acknowledged: true, status: 'error', error: ['workflow_not_found'] };
  const transactionId = item.transactionId ?? newTransactionId(world.random);
  const refusal = refusalOf(world, workflow, item);
  if (refusal) return { acknowledged: true, ...refusal, ...(refusal.status !== 'error' && { transactionId }) };
  if (!world.transactions.has(transactionId)) send(world, workflow, item, transactionId);
  return { acknowledged: true, status: 'processed', transactionId };
}

function refusalOf(
  world: World,
  workflow: Workflow,
  item: TriggerItem,
): Pick<TriggerResult, 'status' | 'error'> | undefined {
  if (!workflow.active) return { status: 'trigger_not_active' };
  if (workflow.steps.length === 0) return { status: 'no_workflow_steps_defined' };
  if (!workflow.steps.some(({ active }) => active)) return { status: 'no_workflow_active_steps_defined' };
  const missing = workflow.variables.filter(({ name, required }) => required && !(name in item.payload));
  const names = missing.map(({ name }) => `${name} (String)`).join(', ');
  if (names) return { status: 'error', error: [`payload is missing required key(s) and type(s): ${names}`] };
  if (item.tenant !== undefined && !world.tenants.has(item.tenant)) return { status: 'no_tenant_found' };
  if (item.to.length > 0 && item.to.every((recipient) => recipient.kind === 'invalid'))
    return { status: 'invalid_recipients' };
  return undefined;
}

function send(world: World, workflow: Workflow, item: TriggerItem, transactionId: string): void {
  const { payload, overrides, context, to } = item;
  const contextKeys = Object.entries(context).map(([type, id]) => `${type}:${id}`);
  const people = peopleFor(world, to).map(({ subscriberId }) => subscriberId);
  startRuns(world, people, { workflow, transactionId, payload, overrides, topics: [], contextKeys });
}
