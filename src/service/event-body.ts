import { z } from 'zod';
import { isObject, Payload } from '../lib/text/payload.ts';
import { AuthoredText, FreeText, jsonIn } from '../lib/text/scrub.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, WEEK_MS } from '../lib/time/durations.ts';
import {
  type ExecutionDetail,
  type Job,
  STRUCTURAL_STEPS,
  type StepCondition,
  type TriggeredEvent,
  type Wait,
} from './event.ts';
import { SubscriberBody, topicKey, WorkflowBody } from './lists.ts';
import { count, date, dateOf, fields, flag, items, list, optional, readable, text, texts } from './schema.ts';

// What is parsed for each event, step and detail names its fields: rests and spreads of objects take a quarter of the time.

const UNIT_MS: ReadonlyMap<string | null, number> = new Map([
  ['seconds', SECOND_MS],
  ['minutes', MINUTE_MS],
  ['hours', HOUR_MS],
  ['days', DAY_MS],
  ['weeks', WEEK_MS],
  // The longest month, so that no step counts as late too early.
  ['months', 31 * DAY_MS],
]);

/** A condition is read in full or not at all: half of it would mean something else. */
const ConditionBody = z
  .object({
    isNegated: z.boolean(),
    value: z.string(),
    children: z.array(z.object(fields(z.string(), 'on', 'field', 'operator', 'value'))),
  })
  .transform(
    ({ isNegated, value: joined, children }): StepCondition => ({
      isNegated,
      needs: joined === 'OR' ? 'one' : 'all',
      comparisons: children.map(({ on, field, operator, value }) => ({
        field: new AuthoredText(`${on}.${field}`),
        operator: new AuthoredText(operator),
        value: new AuthoredText(value),
      })),
    }),
  );

const WaitBody = z.object({
  ...fields(text, 'type', 'unit', 'delayPath'),
  amount: optional(z.number().nonnegative()),
  events: optional(z.array(z.unknown())),
  timed: optional(z.object({ untilDate: date })),
});
type WaitBody = z.output<typeof WaitBody>;

const SelectionBody = z.object(fields(text, 'providerId', 'identifier', 'integrationIdentifier'));
/** In characters. It is JSON in a text, parsed for three names alone. */
const LONGEST_SELECTION = 4_000;

const DetailBody = z
  .object({
    ...fields(z.string(), '_id', 'status'),
    ...fields(text, 'detail', 'raw', 'providerId'),
    source: z.string().catch('').default(''),
    createdAt: date,
    ...fields(flag, 'isRetry', 'isTest'),
  })
  .transform((wire): ExecutionDetail => {
    const { detail: sentence, raw } = wire;
    const isSelection = sentence !== null && /\bselected\W*$/i.test(sentence);
    const mayName = isSelection || raw?.includes('integrationIdentifier') === true;
    const isShort = raw !== null && raw.length <= LONGEST_SELECTION;
    const named = mayName && isShort ? SelectionBody.safeParse(jsonIn(raw)).data : undefined;
    return {
      id: wire._id,
      status: wire.status,
      detail: new FreeText(sentence ?? ''),
      raw: raw === null ? null : new FreeText(raw),
      source: wire.source,
      isRetry: wire.isRetry,
      isTest: wire.isTest,
      provider: wire.providerId,
      selected: isSelection && named?.providerId ? { provider: named.providerId, identifier: named.identifier } : null,
      namedIntegration: named?.integrationIdentifier ?? null,
      createdAt: wire.createdAt,
    };
  });

const anyPayload = z.unknown().optional().transform(Payload.from);

const JobBody = z.object({
  _id: z.string(),
  ...fields(z.string().catch('unknown').default('unknown'), 'type', 'status'),
  providerId: text,
  updatedAt: date,
  ...fields(anyPayload, 'payload', 'overrides'),
  step: optional(
    z.object({ ...fields(text, '_id', 'name'), metadata: optional(WaitBody), filters: items(ConditionBody) }),
  ),
  executionDetails: list(DetailBody),
  digest: optional(WaitBody),
  scheduleExtensionsCount: count,
});
type JobBody = z.output<typeof JobBody>;

/** For a deleted subscriber, `to` still names the recipient. */
const WireEvent = z
  .object({
    transactionId: z.string(),
    ...fields(text, '_id', '_environmentId', '_templateId', '_digestedNotificationId', 'severity'),
    ...fields(date, 'createdAt', 'updatedAt'),
    ...fields(optional(SubscriberBody), 'subscriber', 'to'),
    ...fields(texts, 'tags', 'contextKeys'),
    topics: items(topicKey),
    template: optional(WorkflowBody),
    jobs: list(JobBody),
    payload: anyPayload,
    critical: flag,
  })
  .transform((wire): TriggeredEvent => {
    const { _id: id, jobs, payload } = wire;
    // Where the trigger's own payload has the field of a snooze, it says nothing of a step.
    const steps = readable(jobs).filter((job) => !isSnooze(job) || unsnoozes(payload));
    const isMergedIntoItself = id !== null && id === wire._digestedNotificationId;
    return {
      id,
      transactionId: wire.transactionId,
      serviceEnvironmentId: wire._environmentId,
      mergedInto: isMergedIntoItself ? null : wire._digestedNotificationId,
      createdAt: wire.createdAt,
      updatedAt: wire.updatedAt,
      subscriber: wire.subscriber ?? wire.to,
      isSubscriberDeleted: wire.subscriber === null && wire.to !== null,
      workflow: wire.template,
      deletedWorkflowId: wire.template === null ? wire._templateId : null,
      jobs: steps.map((job) => jobOf(job, payload, isMergedIntoItself)),
      listsSteps: jobs !== null && (jobs.length === 0 || steps.length > 0),
      mayHideFailures:
        (jobs ?? []).includes(null) || steps.some(({ executionDetails }) => executionDetails?.includes(null)),
      payload: payload ?? new Payload({}),
      hasPayload: payload !== null,
      tags: wire.tags,
      topicKeys: wire.topics,
      contextKeys: wire.contextKeys,
      severity: wire.severity,
      critical: wire.critical,
    };
  });

/** Compiled, a page takes a third less CPU. */
export const EventBody: z.ZodType<TriggeredEvent> = z.compile(WireEvent);

/** Such a step brings a snoozed message back, long after the event. One that failed counts as any other. */
const isSnooze = ({ type, status, payload }: JobBody) => type === 'in_app' && status !== 'failed' && unsnoozes(payload);

const unsnoozes = (payload: Payload | null) => payload?.content.unsnooze === true;

function jobOf(job: JobBody, payload: Payload | null, isMergedIntoItself: boolean): Job {
  const { type, status, step } = job;
  return {
    id: job._id,
    type,
    status,
    provider: job.providerId,
    stepId: step?._id ?? null,
    stepName: step?.name ?? null,
    isMergedIntoItself: isMergedIntoItself && status === 'merged' && !STRUCTURAL_STEPS.has(type),
    updatedAt: job.updatedAt,
    details: readable(job.executionDetails),
    wait: waitOf(job.digest, step?.metadata ?? null, job.payload ?? payload),
    scheduleExtensions: job.scheduleExtensionsCount ?? 0,
    conditions: step?.filters ?? [],
    overrides: job.overrides ?? new Payload({}),
  };
}

function waitOf(digest: WaitBody | null, metadata: WaitBody | null, payload: Payload | null): Wait | null {
  if (digest === null && metadata === null) return null;
  const field = <Name extends keyof WaitBody>(name: Name) => digest?.[name] ?? metadata?.[name] ?? null;
  const [amount, unitMs, path] = [field('amount'), UNIT_MS.get(field('unit')), field('delayPath')];
  return {
    type: field('type'),
    ms: amount === null || unitMs === undefined ? null : amount * unitMs,
    until: field('timed')?.untilDate ?? (path === null ? null : dateAt(path, payload)),
    collected: field('events')?.length ?? null,
  };
}

function dateAt(path: string, payload: Payload | null) {
  const steps = path.replace(/^payload\./, '').split('.');
  return dateOf(steps.reduce<unknown>((inner, step) => (isObject(inner) ? inner[step] : undefined), payload?.content));
}
