import { z } from 'zod';
import { invalidField } from './api-error.ts';
import type { Subscriber, Workflow } from './entities.ts';
import type { OperationInput } from './operations.ts';
import { transactionId as newTransactionId } from './random.ts';
import { startRuns } from './runs.ts';
import { ChannelUpdate, changeSubscriber, updateChannel } from './subscribers.ts';
import { complaints } from './validation.ts';
import type { World } from './world.ts';

const text = z.string().optional();
const json = z.record(z.string(), z.unknown());

/** A topic, a subscriber's definition (contract, "Trigger event item"), or a plain subscriber ID: a definition with nothing else. */
const Recipient = z.preprocess(
  (recipient) => (typeof recipient === 'string' ? { subscriberId: recipient } : recipient),
  z.object({
    subscriberId: text,
    firstName: text,
    lastName: text,
    email: text,
    phone: text,
    avatar: text,
    locale: text,
    timezone: text,
    data: json.optional(),
    channels: z.array(ChannelUpdate).default([]),
    topicKey: text,
  }),
);
type Recipient = z.infer<typeof Recipient>;

const TriggerItem = z.object({
  to: z.array(Recipient),
  identifier: z.string('identifier must be a string'),
  payload: z.union([json, z.string()]),
  overrides: json.default({}).catch({}),
  transactionId: z.string('transactionId must be a string').optional(),
  tenant: text,
  context: z.record(z.string(), z.string()).default({}),
});
type TriggerItem = z.infer<typeof TriggerItem>;

/** `POST /v1/events/trigger/bulk`. */
export function triggerEvents(world: World, { body }: OperationInput): object[] {
  const events = typeof body === 'object' && body && 'events' in body ? body.events : undefined;
  const refused = (...messages: string[]) => invalidField('ProcessBulkTriggerCommand', 'events', events, ...messages);
  const [tooMany, empty] = ['events must contain no more than 100 elements', 'events should not be empty'];
  if (!Array.isArray(events)) throw refused(tooMany, empty, 'events must be an array');
  if (events.length === 0) throw refused(empty);
  if (events.length > 100) throw refused(tooMany);
  return events.map((given) => {
    const { name: identifier, ...item } = given ?? {};
    const parsed = TriggerItem.safeParse({ identifier, ...item }, { reportInput: true });
    if (parsed.success) return trigger(world, parsed.data);
    const why = parsed.error.issues.map((issue) => `${String(issue.path[0])}: ${complaints(issue).join(', ')}`);
    return failed(`Validation failed for ParseEventRequestMulticastCommand: ${why.join('; ')}`);
  });
}

const failed = (error: string): object => ({ acknowledged: true, status: 'error', error: [error] });

/** The status `processed` says that the service took the trigger. Without recipients or steps, it makes no event and is no error. */
function trigger(world: World, item: TriggerItem): object {
  const { transactionId = newTransactionId(world.random), payload, overrides, context } = item;
  const workflow = world.workflows.get(item.identifier);
  if (!workflow) return failed('workflow_not_found');
  if (typeof payload === 'string') return failed('Payload validation failed: root: must be object');
  const missing = workflow.variables.find(({ name, required }) => required && !(name in payload))?.name;
  if (missing) return failed(`Payload validation failed: root.${missing}: must have required property '${missing}'`);
  const status = statusOf(world, workflow, item);
  if (status === 'processed' && !world.transactions.has(transactionId)) {
    const contextKeys = Object.entries(context).map((pair) => pair.join(':'));
    const shared = { workflow, transactionId, payload, overrides, contextKeys: contextKeys.sort() };
    // A topic has no subscriber's ID, so it isn't among these.
    const people = new Set(item.to.filter(isValid).map((recipient) => upsert(world, recipient).subscriberId));
    startRuns(world, [...people], { ...shared, topics: [] });
    for (const { topicKey = '' } of item.to) {
      const members = world.topics.get(topicKey)?.subscriptions.map(({ subscriberId }) => subscriberId);
      startRuns(world, members ?? [], { ...shared, topics: [topicKey] });
    }
  }
  return { acknowledged: true, status, transactionId };
}

const isValid = ({ subscriberId = '' }: Recipient): boolean => /^[\w.@+|:-]+$/.test(subscriberId);

function statusOf(world: World, workflow: Workflow, { tenant, to }: TriggerItem): string {
  if (!workflow.active) return 'trigger_not_active';
  const isPaused = workflow.steps.length > 0 && !workflow.steps.some(({ activity }) => activity.active);
  if (isPaused) return 'no_workflow_active_steps_defined';
  if (tenant !== undefined && !world.tenants.has(tenant)) return 'no_tenant_found';
  const isMalformed = (recipient: Recipient) => recipient.subscriberId && !isValid(recipient);
  return to.length > 0 && to.every(isMalformed) ? 'invalid_recipients' : 'processed';
}

function upsert(world: World, { subscriberId = '', channels, topicKey: _, ...profile }: Recipient): Subscriber {
  const subscriber = world.subscriber(subscriberId);
  for (const channel of channels) updateChannel(world, subscriber, channel);
  const given = Object.entries(profile).filter(([, value]) => value !== undefined);
  if (given.length > 0) changeSubscriber(world, subscriber, Object.fromEntries(given));
  return subscriber;
}
