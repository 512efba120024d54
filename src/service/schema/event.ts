import { z } from 'zod';
import { FreeText } from '../../lib/text/free-text.ts';
import { type JsonObject, Payload } from '../../lib/text/payload.ts';
import { isObject } from '../../lib/text/same-json.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, WEEK_MS } from '../../lib/time/durations.ts';
import type { Condition } from '../condition.ts';
import type { ExecutionDetail, Job, TriggeredEvent, Workflow } from '../event.ts';
import { EventAnswer } from '../event-answer.ts';
import type { Wait } from '../wait.ts';
import { all, anyObject, count, dateOf, flag, freeTextOf, text, texts } from './fields.ts';
import { type BodyReader, reader } from './reader.ts';
import { subscriberOf, WireSubscriber } from './subscriber.ts';

const string = z.string();

/** Contract, "StepFilter and FieldFilterPart". All fields are required, because half a condition would mean something else. */
const WireCondition = z.object({
  isNegated: z.boolean(),
  value: string,
  children: z.array(z.object(all(string, 'on', 'field', 'operator', 'value'))),
});

/** Contract, "DigestMetadata", and a step's `metadata`. */
const WireWait = z.object({
  ...all(text, 'type', 'unit', 'delayPath'),
  amount: z.number().nonnegative().nullish(),
  events: z.array(z.unknown()).nullish(),
  timed: z.object({ untilDate: text }).nullish(),
});

/** Contract, "ExecutionDetail". Required: the ID, to count it once, and the status, without which nobody knows whether it is a failure. */
const WireDetail = z.object({
  ...all(string, '_id', 'status'),
  ...all(text, 'detail', 'raw', 'source', 'providerId', 'createdAt'),
  ...all(flag, 'isRetry', 'isTest'),
});

/** Contract, "ActivityStep". */
const WireStep = z.object({
  name: text,
  metadata: WireWait.nullish(),
  filters: z.array(WireCondition).nullish(),
  issues: anyObject,
});

/** Contract, "ActivityJob". A job without a type or status keeps its failures. */
const WireJob = z.object({
  _id: string,
  ...all(text, 'type', 'status', 'providerId', 'updatedAt'),
  ...all(anyObject, 'payload', 'overrides'),
  step: WireStep.nullish(),
  executionDetails: z.array(WireDetail).nullish(),
  digest: WireWait.nullish(),
  scheduleExtensionsCount: count,
});

/** Contract, "ActivityTemplate". */
const WireTrigger = z.object({ identifier: text, variables: z.array(z.object({ name: string })).nullish() });
const WireTemplate = z.object({ _id: text, name: text, triggers: z.array(WireTrigger).nullish() });

/** Contract, "Activity notification". After a subscriber is deleted, its events have none, but `to` still names the recipient. */
const WireEvent = z.object({
  transactionId: string,
  ...all(text, '_id', '_environmentId', '_digestedNotificationId', 'createdAt', 'updatedAt', 'severity'),
  ...all(WireSubscriber.nullish(), 'subscriber', 'to'),
  ...all(texts, 'channels', 'tags', 'contextKeys'),
  topics: z.array(z.object({ topicKey: string })).nullish(),
  template: WireTemplate.nullish(),
  jobs: z.array(WireJob).nullish(),
  payload: anyObject,
  critical: flag,
});

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

function workflowOf({ _id, name, triggers }: z.infer<typeof WireTemplate>): Workflow | null {
  const identifier = triggers?.find((trigger) => trigger.identifier)?.identifier || name || null;
  if (identifier === null) return null;
  const variables = (triggers ?? []).flatMap((trigger) => (trigger.variables ?? []).map((variable) => variable.name));
  return { id: _id || null, identifier, name: name || identifier, variables: [...new Set(variables)] };
}

/** `payload` is the event's, for a job without its own. */
function jobOf(wire: z.infer<typeof WireJob>, payload: JsonObject): Job {
  const { step } = wire;
  return {
    id: wire._id,
    type: wire.type ?? 'unknown',
    status: wire.status ?? 'unknown',
    provider: wire.providerId || null,
    stepName: step?.name || null,
    updatedAt: dateOf(wire.updatedAt),
    details: (wire.executionDetails ?? []).map(detailOf),
    wait: waitOf(wire.digest, step?.metadata, wire.payload ?? payload),
    scheduleExtensions: wire.scheduleExtensionsCount ?? 0,
    conditions: (step?.filters ?? []).map(conditionOf),
    overrides: new Payload(wire.overrides ?? {}),
    issues: new Payload(step?.issues ?? {}),
  };
}

function detailOf(wire: z.infer<typeof WireDetail>): ExecutionDetail {
  return {
    id: wire._id,
    status: wire.status,
    detail: new FreeText(wire.detail ?? ''),
    raw: freeTextOf(wire.raw),
    source: wire.source ?? '',
    isRetry: wire.isRetry ?? false,
    isTest: wire.isTest ?? false,
    provider: wire.providerId || null,
    createdAt: dateOf(wire.createdAt),
  };
}

function conditionOf({ isNegated, value, children }: z.infer<typeof WireCondition>): Condition {
  const comparisons = children.map((part) => ({
    field: new FreeText(`${part.on}.${part.field}`),
    operator: new FreeText(part.operator),
    value: new FreeText(part.value),
  }));
  return { isNegated, needs: value === 'OR' ? 'one' : 'all', comparisons };
}

type WireWait = z.infer<typeof WireWait>;
type Maybe<Value> = Value | null | undefined;

/** The job's own takes precedence. `payload` contains the date of a scheduled delay. */
function waitOf(digest: Maybe<WireWait>, metadata: Maybe<WireWait>, payload: JsonObject): Wait | null {
  if (!digest && !metadata) return null;
  const given = Object.entries(digest ?? {}).filter(([, value]) => value !== undefined && value !== null);
  const wire: WireWait = { ...metadata, ...Object.fromEntries(given) };
  return {
    type: wire.type ?? null,
    ms: msOf(wire.amount, wire.unit),
    until: dateOf(wire.timed?.untilDate) ?? (wire.delayPath ? dateAt(wire.delayPath, payload) : null),
    collected: wire.events?.length ?? null,
  };
}

/** Contract, DigestRegular's and DelayRegular's `unit`. A month is the longest one, so that no step is called late too early. */
const UNIT_MS: ReadonlyMap<string, number> = new Map([
  ['seconds', SECOND_MS],
  ['minutes', MINUTE_MS],
  ['hours', HOUR_MS],
  ['days', DAY_MS],
  ['weeks', WEEK_MS],
  ['months', 31 * DAY_MS],
]);

function msOf(amount: Maybe<number>, unit: Maybe<string>): number | null {
  const unitMs = UNIT_MS.get(unit ?? '');
  return typeof amount === 'number' && unitMs !== undefined ? amount * unitMs : null;
}

function dateAt(path: string, payload: JsonObject): Date | null {
  const steps = path.replace(/^payload\./, '').split('.');
  return dateOf(steps.reduce<unknown>((inner, step) => (isObject(inner) ? inner[step] : undefined), payload));
}

export const readEventAnswer: BodyReader<EventAnswer> = (body) =>
  isObject(body) ? { ok: true, value: new EventAnswer(body), odd: [] } : { ok: false, reason: 'item: expected object' };
