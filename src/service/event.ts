import { createHash } from 'node:crypto';
import { addMilliseconds } from 'date-fns';
import { z } from 'zod';
import { isObject, type JsonObject, Payload } from '../lib/text/payload.ts';
import { FreeText } from '../lib/text/scrub.ts';
import { boundedId, isContact } from '../lib/text/shown-id.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, WEEK_MS } from '../lib/time/durations.ts';
import { CHANNELS } from './query.ts';
import {
  all,
  count,
  dateOf,
  type Fixed,
  flag,
  freeText,
  items,
  list,
  object,
  optional,
  readable,
  text,
  texts,
  time,
} from './schema.ts';
import { SubscriberBody } from './subscription.ts';

/** Contract, "StepFilter and FieldFilterPart": comparisons of which all or one must be true. Half a condition would mean something else. */
const ConditionBody = z
  .object({
    isNegated: z.boolean(),
    value: z.string(),
    children: z.array(z.object(all(z.string(), 'on', 'field', 'operator', 'value'))),
  })
  .transform(({ isNegated, value: joined, children }) => ({
    isNegated,
    needs: joined === 'OR' ? ('one' as const) : ('all' as const),
    comparisons: children.map(({ on, field, operator, value }) => ({
      field: new FreeText(`${on}.${field}`),
      operator: new FreeText(operator),
      value: new FreeText(value),
    })),
  }));

/** Contract, "DigestMetadata", and a step's `metadata`. */
const WaitBody = z.object({
  ...all(text, 'type', 'unit', 'delayPath'),
  amount: optional(z.number().nonnegative()),
  events: optional(z.array(z.unknown())),
  timed: optional(z.object({ untilDate: time })),
});
type WaitBody = z.output<typeof WaitBody>;

/** Contract, "ExecutionDetail". Required: the ID, to count it once, and the status, without which nobody knows whether it is a failure. */
const DetailBody = z
  .object({
    ...all(z.string(), '_id', 'status'),
    detail: freeText.transform((words) => words ?? new FreeText('')),
    raw: freeText,
    source: z.string().catch('').default(''),
    providerId: text,
    createdAt: time,
    ...all(flag, 'isRetry', 'isTest'),
  })
  .transform(({ _id: id, providerId: provider, ...detail }) => ({ id, provider, ...detail }));

/** Contract, "ActivityStep". */
const StepBody = z.object({
  name: text,
  metadata: optional(WaitBody),
  filters: list(ConditionBody),
  issues: object,
});

/** Contract, "ActivityJob". A job without a type or status keeps its failures. */
const JobBody = z.object({
  _id: z.string(),
  ...all(z.string().catch('unknown').default('unknown'), 'type', 'status'),
  providerId: text,
  updatedAt: time,
  payload: optional(z.custom<JsonObject>(isObject)),
  overrides: object,
  step: optional(StepBody),
  executionDetails: list(DetailBody),
  digest: optional(WaitBody),
  scheduleExtensionsCount: count,
});
type JobBody = z.output<typeof JobBody>;

/** Contract, "ActivityTemplate". `identifier` is what triggers name; `id` is for the list's `templates` parameter. */
const WorkflowBody = z
  .object({
    ...all(text, '_id', 'name'),
    triggers: items(z.object({ identifier: text, variables: items(z.object({ name: z.string() })) })),
  })
  .transform(({ _id: id, name, triggers }) => {
    const identifier = triggers.find((trigger) => trigger.identifier !== null)?.identifier ?? name;
    if (identifier === null) return null;
    const variables = triggers.flatMap((trigger) => trigger.variables.map((variable) => variable.name));
    return { id, identifier, name: name ?? identifier, variables: [...new Set(variables)] };
  });

/** Contract, "Activity notification". After a subscriber is deleted, its events have none, but `to` still names the recipient. */
export const EventBody = z
  .object({
    transactionId: z.string(),
    ...all(text, '_id', '_environmentId', '_digestedNotificationId', 'severity'),
    ...all(time, 'createdAt', 'updatedAt'),
    ...all(optional(SubscriberBody), 'subscriber', 'to'),
    ...all(texts, 'channels', 'tags', 'contextKeys'),
    topics: items(z.object({ topicKey: z.string() })),
    template: optional(WorkflowBody),
    jobs: list(JobBody),
    payload: object,
    critical: flag,
  })
  .transform(({ _id: id, _environmentId, _digestedNotificationId, to, topics, template, jobs, payload, ...event }) => {
    const steps = readable(jobs);
    return {
      ...event,
      /** Missing in some responses; `eventKey` identifies such an event by other means. */
      id,
      /** The service's own ID of its environment, needed for dashboard links. */
      serviceEnvironmentId: _environmentId,
      mergedInto: _digestedNotificationId,
      subscriber: event.subscriber ?? to,
      workflow: template,
      jobs: steps.map((job) => jobOf(job, payload)),
      /** The contract lets `jobs` be absent, which isn't the same as empty. */
      listsSteps: jobs !== null && (jobs.length === 0 || steps.length > 0),
      payload: new Payload(payload),
      topicKeys: topics.map(({ topicKey }) => topicKey),
      /** What couldn't be read, one name for each: 'jobs.executionDetails'. */
      unreadable: [...lost('jobs', jobs), ...steps.flatMap(lostIn)],
    };
  });

/** What the service leaves out is `null` or empty. Channels, statuses, providers, severities are open lists. */
export type TriggeredEvent = Fixed<z.output<typeof EventBody>>;
export type Workflow = NonNullable<TriggeredEvent['workflow']>;
export type Job = TriggeredEvent['jobs'][number];
export type ExecutionDetail = Job['details'][number];
export type Condition = Job['conditions'][number];
export type Comparison = Condition['comparisons'][number];
/** How a digest or delay step waits. */
export type Wait = NonNullable<Job['wait']>;

const DETAILS = 'jobs.executionDetails';

function lost(name: string, values: readonly unknown[] | null): string[] {
  return (values ?? []).filter((value) => value === null).map(() => name);
}

/** A step that failed has details by the contract. Without them, its failure can't be counted, and mustn't pass for none. */
function lostIn({ status, executionDetails, step }: JobBody): string[] {
  const isUnexplained = status === 'failed' && executionDetails === null;
  return [
    ...lost(DETAILS, isUnexplained ? [null] : executionDetails),
    ...lost('jobs.step.filters', step?.filters ?? []),
  ];
}

/** `payload` is the event's, for a job without its own. */
function jobOf({ step, ...job }: JobBody, payload: JsonObject) {
  return {
    id: job._id,
    type: job.type,
    status: job.status,
    provider: job.providerId,
    stepName: step?.name ?? null,
    updatedAt: job.updatedAt,
    details: readable(job.executionDetails),
    wait: waitOf(job.digest, step?.metadata ?? null, job.payload ?? payload),
    scheduleExtensions: job.scheduleExtensionsCount ?? 0,
    conditions: readable(step?.filters ?? null),
    overrides: new Payload(job.overrides),
    issues: new Payload(step?.issues ?? {}),
  };
}

/** The job's own fields take precedence. `payload` contains the date of a scheduled delay. */
function waitOf(digest: WaitBody | null, metadata: WaitBody | null, payload: JsonObject) {
  if (digest === null && metadata === null) return null;
  const field = <Name extends keyof WaitBody>(name: Name) => digest?.[name] ?? metadata?.[name] ?? null;
  const [amount, unitMs, path] = [field('amount'), UNIT_MS[field('unit') ?? ''], field('delayPath')];
  return {
    /** regular, backoff, timed (a digest at set times), scheduled (a delay until a date of the payload), or an unknown one. */
    type: field('type'),
    ms: amount === null || unitMs === undefined ? null : amount * unitMs,
    until: field('timed')?.untilDate ?? (path === null ? null : dateAt(path, payload)),
    collected: field('events')?.length ?? null,
  };
}
/** Contract, DigestRegular's and DelayRegular's `unit`. A month is the longest one, so that no step is called late too early. */
const UNIT_MS: Readonly<Record<string, number>> = {
  ...{ seconds: SECOND_MS, minutes: MINUTE_MS, hours: HOUR_MS, days: DAY_MS, weeks: WEEK_MS, months: 31 * DAY_MS },
};

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
