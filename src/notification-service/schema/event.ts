import type { EventSubscriber, TriggeredEvent, Workflow } from '../../domain/event.ts';
import { Payload } from '../../domain/payload.ts';
import { listAt, maybeFlag, maybeObject, maybeText, objectAt, readerByHand, textAt } from './by-hand.ts';
import { dateOf } from './date.ts';
import { isObject } from './fields.ts';
import { jobAt } from './job.ts';
import { readSubscriber, subscriberOf } from './subscriber.ts';

/** A triggered event (contract, "Activity notification"), only the fields that are used. */
export const readEvent = readerByHand((body): TriggeredEvent => {
  const wire = objectAt(body, 'event');
  const payload = isObject(wire.payload) ? wire.payload : {};
  return {
    id: maybeText(wire._id, '_id'),
    transactionId: textAt(wire.transactionId, 'transactionId'),
    serviceEnvironmentId: maybeText(wire._environmentId, '_environmentId') ?? '',
    mergedInto: maybeText(wire._digestedNotificationId, '_digestedNotificationId'),
    createdAt: dateOf(maybeText(wire.createdAt, 'createdAt')),
    updatedAt: dateOf(maybeText(wire.updatedAt, 'updatedAt')),
    subscriber: subscriberAt(wire.subscriber) ?? recipientOf(wire.to),
    workflow: workflowAt(wire.template),
    jobs: listAt(wire.jobs, 'jobs', (job, field) => jobAt(job, field, payload)),
    listsSteps: Array.isArray(wire.jobs),
    payload: new Payload(payload),
    channels: listAt(wire.channels, 'channels', textAt),
    tags: listAt(wire.tags, 'tags', textAt),
    topicKeys: listAt(wire.topics, 'topics', (topic, field) =>
      textAt(objectAt(topic, field).topicKey, 'topics.topicKey'),
    ),
    contextKeys: listAt(wire.contextKeys, 'contextKeys', textAt),
    severity: maybeText(wire.severity, 'severity'),
    critical: maybeFlag(wire.critical, 'critical'),
  };
});

/** Contract, "ActivitySubscriber". */
function subscriberAt(value: unknown): EventSubscriber | null {
  const wire = maybeObject(value, 'subscriber');
  if (wire === null) return null;
  return subscriberOf({
    subscriberId: textAt(wire.subscriberId, 'subscriber.subscriberId'),
    firstName: maybeText(wire.firstName, 'subscriber.firstName'),
    lastName: maybeText(wire.lastName, 'subscriber.lastName'),
    email: maybeText(wire.email, 'subscriber.email'),
    phone: maybeText(wire.phone, 'subscriber.phone'),
  });
}

/** A deleted subscriber leaves events without one: whom they were for still stands in `to`. */
function recipientOf(to: unknown): EventSubscriber | null {
  const recipient = readSubscriber(to);
  return recipient.ok ? recipient.value : null;
}

/** Contract, "ActivityTemplate". */
function workflowAt(value: unknown): Workflow | null {
  const wire = maybeObject(value, 'template');
  if (wire === null) return null;
  const triggers = listAt(wire.triggers, 'template.triggers', objectAt);
  const name = textAt(wire.name, 'template.name');
  const variables = new Set<string>();
  for (const trigger of triggers) {
    for (const variable of listAt(trigger.variables, 'template.triggers.variables', nameAt)) variables.add(variable);
  }
  return {
    id: maybeText(wire._id, 'template._id'),
    identifier: maybeText(triggers[0]?.identifier, 'template.triggers.identifier') ?? name,
    name,
    variables: [...variables],
  };
}

function nameAt(variable: unknown, field: string): string {
  return textAt(objectAt(variable, field).name, 'template.triggers.variables.name');
}
