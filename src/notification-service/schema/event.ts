import { z } from 'zod';
import type { TriggeredEvent, Workflow } from '../../domain/service/event.ts';
import { EventAnswer } from '../../domain/service/event-answer.ts';
import { Payload } from '../../domain/text/payload.ts';
import { isObject } from '../../domain/text/same-json.ts';
import { dateOf } from './date.ts';
import { anyObject, flag, optional, text, texts } from './fields.ts';
import { jobOf, WireJob } from './job.ts';
import { type BodyReader, reader } from './reader.ts';
import { subscriberOf, WireSubscriber } from './subscriber.ts';

/** Contract, "ActivityTemplate". */
const WireTemplate = z.object({
  _id: text,
  name: text,
  triggers: optional(
    z.array(z.object({ identifier: text, variables: optional(z.array(z.object({ name: z.string() }))) })),
  ),
});

/** Contract, "Activity notification", only the fields that Notif uses. */
const WireEvent = z.object({
  _id: text,
  transactionId: z.string(),
  _environmentId: text,
  _digestedNotificationId: text,
  createdAt: text,
  updatedAt: text,
  subscriber: optional(WireSubscriber),
  // After a subscriber is deleted, its events have none, but this field still names the recipient.
  to: optional(WireSubscriber),
  template: optional(WireTemplate),
  jobs: optional(z.array(WireJob)),
  payload: anyObject,
  channels: texts,
  tags: texts,
  topics: optional(z.array(z.object({ topicKey: z.string() }))),
  contextKeys: texts,
  severity: text,
  critical: flag,
});

/** Reads a triggered event. */
export const readEvent = reader(WireEvent, (wire, lost): TriggeredEvent => {
  const payload = wire.payload ?? {};
  const subscriber = wire.subscriber ?? wire.to;
  return {
    id: wire._id || null,
    transactionId: wire.transactionId,
    serviceEnvironmentId: wire._environmentId || null,
    mergedInto: wire._digestedNotificationId || null,
    createdAt: dateOf(wire.createdAt),
    updatedAt: dateOf(wire.updatedAt),
    subscriber: subscriber ? subscriberOf(subscriber) : null,
    workflow: wire.template ? workflowOf(wire.template) : null,
    jobs: (wire.jobs ?? []).map((job) => jobOf(job, payload)),
    listsSteps: Array.isArray(wire.jobs),
    payload: new Payload(payload),
    channels: wire.channels ?? [],
    tags: wire.tags ?? [],
    topicKeys: (wire.topics ?? []).map(({ topicKey }) => topicKey),
    contextKeys: wire.contextKeys ?? [],
    severity: wire.severity || null,
    critical: wire.critical ?? false,
    unreadable: !lost.includes(DETAILS) && hasUnexplainedFailure(wire) ? [...lost, DETAILS] : lost,
  };
});

const DETAILS = 'jobs.executionDetails';

/** A step that failed has details by the contract. Without them, its failure can't be counted, and mustn't pass for none. */
function hasUnexplainedFailure({ jobs }: z.infer<typeof WireEvent>): boolean {
  return jobs?.some(({ status, executionDetails }) => status === 'failed' && !Array.isArray(executionDetails)) ?? false;
}

/** Returns null for a workflow without a trigger and a name. */
function workflowOf({ _id, name, triggers }: z.infer<typeof WireTemplate>): Workflow | null {
  const identifier = triggers?.find((trigger) => trigger.identifier)?.identifier || name || null;
  if (identifier === null) return null;
  const variables = (triggers ?? []).flatMap((trigger) => (trigger.variables ?? []).map((variable) => variable.name));
  return { id: _id || null, identifier, name: name || identifier, variables: [...new Set(variables)] };
}

/** Reads a triggered event with its raw answer, for people who want to see everything that the service returned. */
export const readEventAnswer: BodyReader<EventAnswer> = (body) =>
  isObject(body) ? { ok: true, value: new EventAnswer(body), odd: [] } : { ok: false, reason: 'item: expected object' };
