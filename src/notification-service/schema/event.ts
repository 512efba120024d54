import { z } from 'zod';
import type { EventSubscriber, TriggeredEvent, Workflow } from '../../domain/event.ts';
import { Payload } from '../../domain/payload.ts';
import { anything, dateOf, flag, isObject, text, texts } from './fields.ts';
import { jobOf, WireJob } from './job.ts';
import { reader } from './reader.ts';
import { readSubscriber, subscriberOf, WireSubscriber } from './subscriber.ts';

const WireTrigger = z.object({ identifier: text, variables: z.array(z.object({ name: z.string() })).nullish() });

const WireTemplate = z.object({ _id: text, name: z.string(), triggers: z.array(WireTrigger).nullish() });

const WireEvent = z.object({
  _id: text,
  transactionId: z.string(),
  _environmentId: text,
  _digestedNotificationId: text,
  createdAt: text,
  updatedAt: text,
  subscriber: WireSubscriber.nullish(),
  to: anything,
  template: WireTemplate.nullish(),
  jobs: z.array(WireJob).nullish(),
  payload: anything,
  channels: texts,
  tags: texts,
  topics: z.array(z.object({ topicKey: z.string() })).nullish(),
  contextKeys: texts,
  severity: text,
  critical: flag,
});

/** A triggered event (contract, "Activity notification"), only the fields that are used. */
export const readEvent = reader(
  WireEvent,
  (wire): TriggeredEvent => ({
    id: wire._id ?? null,
    transactionId: wire.transactionId,
    serviceEnvironmentId: wire._environmentId ?? '',
    mergedInto: wire._digestedNotificationId ?? null,
    createdAt: dateOf(wire.createdAt),
    updatedAt: dateOf(wire.updatedAt),
    subscriber: wire.subscriber ? subscriberOf(wire.subscriber) : recipientOf(wire.to),
    workflow: wire.template ? workflowOf(wire.template) : null,
    jobs: (wire.jobs ?? []).map(jobOf),
    payload: new Payload(isObject(wire.payload) ? wire.payload : {}),
    channels: wire.channels ?? [],
    tags: wire.tags ?? [],
    topicKeys: (wire.topics ?? []).map(({ topicKey }) => topicKey),
    contextKeys: wire.contextKeys ?? [],
    severity: wire.severity ?? null,
    critical: wire.critical ?? false,
  }),
);

/** A deleted subscriber leaves events without one: whom they were for still stands in `to`. */
function recipientOf(to: unknown): EventSubscriber | null {
  const recipient = readSubscriber(to);
  return recipient.ok ? recipient.value : null;
}

function workflowOf({ _id, name, triggers }: z.infer<typeof WireTemplate>): Workflow {
  const variables = (triggers ?? []).flatMap((trigger) => trigger.variables ?? []);
  return {
    id: _id ?? null,
    identifier: triggers?.[0]?.identifier ?? name,
    name,
    variables: [...new Set(variables.map((variable) => variable.name))],
  };
}
