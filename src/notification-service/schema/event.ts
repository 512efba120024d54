import { z } from 'zod';
import type { ExecutionDetail, Job, TriggeredEvent, Workflow } from '../../domain/event.ts';
import { FreeText } from '../../domain/free-text.ts';
import { Payload } from '../../domain/payload.ts';
import { anything, count, dateOf, flag, freeTextOf, isObject, text, texts } from './fields.ts';
import { Subscriber } from './subscriber.ts';
import { waitOf } from './wait.ts';

const Detail = z
  .object({
    _id: z.string(),
    status: z.string(),
    detail: text,
    raw: text,
    source: text,
    isRetry: flag,
    isTest: flag,
    providerId: text,
    createdAt: text,
  })
  .transform(
    (wire): ExecutionDetail => ({
      id: wire._id,
      status: wire.status,
      detail: new FreeText(wire.detail ?? ''),
      raw: freeTextOf(wire.raw),
      source: wire.source ?? '',
      isRetry: wire.isRetry ?? false,
      isTest: wire.isTest ?? false,
      provider: wire.providerId ?? null,
      createdAt: dateOf(wire.createdAt),
    }),
  );

const EventJob = z
  .object({
    _id: z.string(),
    type: z.string(),
    status: z.string(),
    providerId: text,
    updatedAt: text,
    step: z.object({ name: text, metadata: anything }).nullish(),
    digest: anything,
    executionDetails: z.array(Detail).nullish(),
    overrides: anything,
    scheduleExtensionsCount: count,
  })
  .transform(
    (wire): Job => ({
      id: wire._id,
      type: wire.type,
      status: wire.status,
      provider: wire.providerId ?? null,
      stepName: wire.step?.name ?? null,
      updatedAt: dateOf(wire.updatedAt),
      details: wire.executionDetails ?? [],
      waitMs: waitOf(wire.digest) ?? waitOf(wire.step?.metadata),
      scheduleExtensions: wire.scheduleExtensionsCount ?? 0,
      hasOverrides: isObject(wire.overrides) && Object.keys(wire.overrides).length > 0,
    }),
  );

const Trigger = z.object({ identifier: text, variables: z.array(z.object({ name: z.string() })).nullish() });

const Template = z.object({ _id: text, name: z.string(), triggers: z.array(Trigger).nullish() }).transform(
  (wire): Workflow => ({
    id: wire._id ?? null,
    identifier: wire.triggers?.[0]?.identifier ?? wire.name,
    name: wire.name,
    variables: [...new Set(wire.triggers?.flatMap(({ variables }) => variables?.map(({ name }) => name) ?? []))],
  }),
);

/** A triggered event (contract, "Activity notification"), only the fields that are used. */
export const Event = z
  .object({
    _id: text,
    transactionId: z.string(),
    _environmentId: text,
    _digestedNotificationId: text,
    createdAt: text,
    updatedAt: text,
    subscriber: Subscriber.nullish(),
    to: anything,
    template: Template.nullish(),
    jobs: z.array(EventJob).nullish(),
    payload: anything,
    channels: texts,
    tags: texts,
    topics: z.array(z.object({ topicKey: z.string() })).nullish(),
    contextKeys: texts,
    severity: text,
    critical: flag,
  })
  .transform(
    (wire): TriggeredEvent => ({
      id: wire._id ?? null,
      transactionId: wire.transactionId,
      serviceEnvironmentId: wire._environmentId ?? '',
      mergedInto: wire._digestedNotificationId ?? null,
      createdAt: dateOf(wire.createdAt),
      updatedAt: dateOf(wire.updatedAt),
      subscriber: wire.subscriber ?? recipientOf(wire.to),
      workflow: wire.template ?? null,
      jobs: wire.jobs ?? [],
      payload: new Payload(isObject(wire.payload) ? wire.payload : {}),
      channels: wire.channels ?? [],
      tags: wire.tags ?? [],
      topicKeys: wire.topics?.map(({ topicKey }) => topicKey) ?? [],
      contextKeys: wire.contextKeys ?? [],
      severity: wire.severity ?? null,
      critical: wire.critical ?? false,
    }),
  );

/** A deleted subscriber leaves events without one: whom they were for still stands in `to`. */
function recipientOf(to: unknown): TriggeredEvent['subscriber'] {
  return Subscriber.safeParse(to).data ?? null;
}
