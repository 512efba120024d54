import { createHash } from 'node:crypto';
import { addMilliseconds } from 'date-fns';
import { z } from 'zod';
import { isObject, type JsonObject, Payload } from '../lib/text/payload.ts';
import { FreeText } from '../lib/text/scrub.ts';
import { boundedId, isContact } from '../lib/text/shown-id.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, WEEK_MS } from '../lib/time/durations.ts';
import { CHANNELS } from './query.ts';
import { all, anyObject, count, dateOf, type Fixed, flag, freeTextOf, reader, text, texts } from './reader.ts';
import { subscriberOf, WireSubscriber } from './subscription.ts';

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
type WireWait = z.infer<typeof WireWait>;

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

/** What the service leaves out is `null` or empty. Channels, statuses, providers, severities are open lists. */
export type TriggeredEvent = Fixed<ReturnType<typeof eventOf>>;
export type Workflow = Fixed<NonNullable<ReturnType<typeof workflowOf>>>;
export type Job = Fixed<ReturnType<typeof jobOf>>;
export type ExecutionDetail = Fixed<ReturnType<typeof detailOf>>;
/** A condition for sending a step: comparisons of which all or one must be true. */
export type Condition = Fixed<ReturnType<typeof conditionOf>>;
export type Comparison = Condition['comparisons'][number];
/** How a digest or delay step waits. */
export type Wait = Fixed<NonNullable<ReturnType<typeof waitOf>>>;

function eventOf(wire: z.infer<typeof WireEvent>, lost: readonly string[]) {
  const payload = wire.payload ?? {};
  const subscriber = wire.subscriber ?? wire.to;
  return {
    /** Missing in some responses; `eventKey` identifies such an event by other means. */
    id: wire._id || null,
    transactionId: wire.transactionId,
    /** The service's own ID of its environment, needed for dashboard links. */
    serviceEnvironmentId: wire._environmentId || null,
    mergedInto: wire._digestedNotificationId || null,
    createdAt: dateOf(wire.createdAt),
    updatedAt: dateOf(wire.updatedAt),
    subscriber: subscriber ? subscriberOf(subscriber) : null,
    workflow: wire.template ? workflowOf(wire.template) : null,
    jobs: (wire.jobs ?? []).map((job) => jobOf(job, payload)),
    /** The contract lets `jobs` be absent, which isn't the same as empty. */
    listsSteps: Array.isArray(wire.jobs),
    payload: new Payload(payload),
    channels: wire.channels ?? [],
    tags: wire.tags ?? [],
    topicKeys: (wire.topics ?? []).map(({ topicKey }) => topicKey),
    contextKeys: wire.contextKeys ?? [],
    severity: wire.severity || null,
    critical: wire.critical ?? false,
    /** Parts of the response that couldn't be read, one name for each: 'jobs.executionDetails'. */
    unreadable: !lost.includes(DETAILS) && hasUnexplainedFailure(wire) ? [...lost, DETAILS] : lost,
  };
}

export const readEvent = reader(WireEvent, (wire, lost): TriggeredEvent => eventOf(wire, lost));

const DETAILS = 'jobs.executionDetails';

/** A step that failed has details by the contract. Without them, its failure can't be counted, and mustn't pass for none. */
function hasUnexplainedFailure({ jobs }: z.infer<typeof WireEvent>): boolean {
  return jobs?.some(({ status, executionDetails }) => status === 'failed' && !Array.isArray(executionDetails)) ?? false;
}

/** `identifier` is what triggers name; the workflow's name if it lists no trigger. `id` is for the list's `templates` parameter. */
function workflowOf({ _id, name, triggers }: z.infer<typeof WireTemplate>) {
  const identifier = triggers?.find((trigger) => trigger.identifier)?.identifier || name || null;
  if (identifier === null) return null;
  const variables = (triggers ?? []).flatMap((trigger) => (trigger.variables ?? []).map((variable) => variable.name));
  return { id: _id || null, identifier, name: name || identifier, variables: [...new Set(variables)] };
}

/** `payload` is the event's, for a job without its own. */
function jobOf(wire: z.infer<typeof WireJob>, payload: JsonObject) {
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

function detailOf(wire: z.infer<typeof WireDetail>) {
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

function conditionOf({ isNegated, value, children }: z.infer<typeof WireCondition>) {
  const comparisons = children.map((part) => ({
    field: new FreeText(`${part.on}.${part.field}`),
    operator: new FreeText(part.operator),
    value: new FreeText(part.value),
  }));
  return { isNegated, needs: value === 'OR' ? ('one' as const) : ('all' as const), comparisons };
}

type Maybe<Value> = Value | null | undefined;

/** The job's own takes precedence. `payload` contains the date of a scheduled delay. */
function waitOf(digest: Maybe<WireWait>, metadata: Maybe<WireWait>, payload: JsonObject) {
  if (!digest && !metadata) return null;
  const given = Object.entries(digest ?? {}).filter(([, value]) => value !== undefined && value !== null);
  const wire: WireWait = { ...metadata, ...Object.fromEntries(given) };
  const unitMs = UNIT_MS.get(wire.unit ?? '');
  return {
    /** regular, backoff, timed (a digest at set times), scheduled (a delay until a date of the payload), or an unknown one. */
    type: wire.type ?? null,
    ms: typeof wire.amount === 'number' && unitMs !== undefined ? wire.amount * unitMs : null,
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

function dateAt(path: string, payload: JsonObject): Date | null {
  const steps = path.replace(/^payload\./, '').split('.');
  return dateOf(steps.reduce<unknown>((inner, step) => (isObject(inner) ? inner[step] : undefined), payload));
}

/** Assumed of a delayed step that doesn't say how long it waits. */
const UNSTATED_WAIT_MS = WEEK_MS;

/** A step whose wait was extended to fit its subscriber's schedule waits longer than it says, for an unknown time. */
export function goesOnAt({ wait, scheduleExtensions }: Pick<Job, 'wait' | 'scheduleExtensions'>, lastSign: Date): Date {
  if (scheduleExtensions > 0) return addMilliseconds(lastSign, UNSTATED_WAIT_MS);
  return wait?.until ?? addMilliseconds(lastSign, wait?.ms ?? UNSTATED_WAIT_MS);
}

const FINAL_STATUSES = new Set(['completed', 'failed', 'canceled', 'merged', 'skipped']);
const UNFINISHED_STATUSES = new Set(['pending', 'queued', 'running', 'delayed']);
const STRUCTURAL_STEPS = new Set(['trigger', 'digest', 'delay', 'throttle']);

/** Returns whether a job's status is final (field notes, "What a failure is"). An unknown status isn't. */
export function isFinal(job: Pick<Job, 'status'>): boolean {
  return FINAL_STATUSES.has(job.status);
}

export function isKnown(job: Pick<Job, 'status'>): boolean {
  return isFinal(job) || UNFINISHED_STATUSES.has(job.status);
}

export function isChannel(type: string): boolean {
  return CHANNELS.some((channel) => channel === type);
}

/** Returns whether a step delivers a notification to somebody. An unknown step type counts as one, so that its failure counts too. */
export function isDelivery(job: Pick<Job, 'type'>): boolean {
  return !STRUCTURAL_STEPS.has(job.type);
}

export function mayHideFailures({ unreadable }: Pick<TriggeredEvent, 'unreadable'>): boolean {
  return unreadable.some((part) => part === 'jobs' || part === DETAILS);
}

export function hidesOutcome(event: Pick<TriggeredEvent, 'listsSteps' | 'unreadable'>): boolean {
  return !event.listsSteps || mayHideFailures(event);
}

/** Returns the answer to a request for an event by its ID; null if it is about another event or doesn't show the steps. */
export function answerAbout(id: string, answer: TriggeredEvent | null): TriggeredEvent | null {
  const event = answer && { ...answer, id: answer.id ?? id };
  return event?.id === id && event.listsSteps ? event : null;
}

/** Returns whether all of an event's jobs are final. An event without jobs has not been processed yet. */
export function isSettled(event: Pick<TriggeredEvent, 'jobs'>): boolean {
  return event.jobs.length > 0 && event.jobs.every(isFinal);
}

/** Returns what distinguishes events of one environment, at most 512 bytes: the ID or, without one, transaction, subscriber and time. */
export function eventKey(event: Pick<TriggeredEvent, 'id' | 'transactionId' | 'subscriber' | 'createdAt'>): string {
  if (event.id !== null && event.id !== '') return boundedId(event.id);
  const { transactionId, subscriber, createdAt } = event;
  const person = subscriber?.subscriberId ?? '';
  // Keys are stored and logged, so an ID that is a contact is hashed.
  const known = isContact(person) ? createHash('sha256').update(person).digest('hex').slice(0, 32) : person;
  return boundedId([transactionId, known, createdAt?.toISOString() ?? ''].join('|'));
}
