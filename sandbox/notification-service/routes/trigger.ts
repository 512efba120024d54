import { z } from 'zod';
import type { Json, Workflow } from '../entities.ts';
import type { OperationInput } from '../operations.ts';
import { transactionId as newTransactionId } from '../random.ts';
import { startRun } from '../runs/start.ts';
import { parse } from '../validation.ts';
import type { World } from '../world.ts';
import { peopleFor, Recipients } from './recipients.ts';

const jsonObject = (name: string) => z.record(z.string(), z.unknown(), `${name} must be an object`);
const text = (name: string) => z.string(`${name} must be a string`);

const TriggerItem = z.object({
  name: text('name').min(1, 'name should not be empty'),
  payload: jsonObject('payload').default({}),
  overrides: jsonObject('overrides').default({}),
  to: Recipients,
  transactionId: text('transactionId').optional(),
  actor: z.union([z.string(), jsonObject('actor')], 'actor must be a string').optional(),
  tenant: z.union([z.string(), z.object({ identifier: z.string() })], 'tenant must be a string').optional(),
  context: jsonObject('context').default({}),
});
type TriggerItem = z.infer<typeof TriggerItem>;

const TriggerBody = z.object({
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

/** `POST /v1/events/trigger/bulk`: a result for each item, at the item's index, acknowledged whatever became of it. */
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
  const tenant = typeof item.tenant === 'object' ? item.tenant.identifier : item.tenant;
  if (tenant !== undefined && !world.tenants.has(tenant)) return { status: 'no_tenant_found' };
  if (item.to.length > 0 && item.to.every((recipient) => recipient.kind === 'invalid'))
    return { status: 'invalid_recipients' };
  return undefined;
}

/** How long the queue takes for each person, in milliseconds: 5,000 of them appear within 20 seconds. */
const EACH_PERSON_MS = 4;

/** The events appear a moment later, one after the other, as they do behind a queue; a topic makes one for each of its subscribers. */
function send(world: World, workflow: Workflow, item: TriggerItem, transactionId: string): void {
  world.transactions.add(transactionId);
  const { payload, overrides } = item;
  for (const [nth, { subscriber, topicKey }] of peopleFor(world, item.to).entries()) {
    startRun(world, {
      workflow,
      subscriberId: subscriber.subscriberId,
      transactionId,
      payload,
      overrides,
      topics: topicKey === null ? [] : [topicKey],
      contextKeys: contextKeysOf(item.context),
      at: world.now() + world.random.between(300, 800) + nth * EACH_PERSON_MS,
    });
  }
}

function contextKeysOf(context: Json): string[] {
  return Object.entries(context).map(([type, id]) => `${type}:${typeof id === 'string' ? id : JSON.stringify(id)}`);
}
