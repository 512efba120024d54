import { z } from 'zod';
import { hashOf } from '../lib/text/hash.ts';
import { isObject, Payload } from '../lib/text/payload.ts';
import { FreeText, jsonIn } from '../lib/text/scrub.ts';
import { boundedId } from '../lib/text/shown-id.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, WEEK_MS } from '../lib/time/durations.ts';
import { CHANNELS } from './channels.ts';
import { SubscriberBody, topicKey, WorkflowBody } from './lists.ts';
import { count, date, dateOf, fields, flag, items, list, optional, readable, text, texts } from './schema.ts';

/** A condition is read in full or not at all: half of it would mean something else. */
const ConditionBody = z
  .object({
    isNegated: z.boolean(),
    value: z.string(),
    children: z.array(z.object(fields(z.string(), 'on', 'field', 'operator', 'value'))),
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

const WaitBody = z.object({
  ...fields(text, 'type', 'unit', 'delayPath'),
  amount: optional(z.number().nonnegative()),
  events: optional(z.array(z.unknown())),
  timed: optional(z.object({ untilDate: date })),
});
type WaitBody = z.output<typeof WaitBody>;

const DetailBody = z
  .object({
    ...fields(z.string(), '_id', 'status'),
    ...fields(text, 'detail', 'raw', 'providerId'),
    source: z.string().catch('').default(''),
    createdAt: date,
    ...fields(flag, 'isRetry', 'isTest'),
  })
  .transform(({ _id: id, providerId: provider, detail: sentence, raw, ...detail }) => {
    const isSelection = /\bselected\W*$/i.test(sentence ?? '');
    const mayName =
      raw !== null && raw.length <= LONGEST_SELECTION && (isSelection || raw.includes('integrationIdentifier'));
    const named = mayName ? SelectionBody.safeParse(jsonIn(raw)).data : undefined;
    return {
      id,
      provider,
      ...detail,
      detail: new FreeText(sentence ?? ''),
      raw: raw === null ? null : new FreeText(raw),
      /** 'SendGrid provider was selected': this integration sends what follows, whatever `provider` says. */
      selected: isSelection && named?.providerId ? { provider: named.providerId, identifier: named.identifier } : null,
      namesIntegration: named?.integrationIdentifier != null,
    };
  });

const SelectionBody = z.object(fields(text, 'providerId', 'identifier', 'integrationIdentifier'));
const LONGEST_SELECTION = 4_000;

const payload = z.unknown().optional().transform(Payload.from);

const JobBody = z.object({
  _id: z.string(),
  ...fields(z.string().catch('unknown').default('unknown'), 'type', 'status'),
  providerId: text,
  updatedAt: date,
  ...fields(payload, 'payload', 'overrides'),
  step: optional(
    z.object({ ...fields(text, '_id', 'name'), metadata: optional(WaitBody), filters: items(ConditionBody) }),
  ),
  executionDetails: list(DetailBody),
  digest: optional(WaitBody),
  scheduleExtensionsCount: count,
});
type JobBody = z.output<typeof JobBody>;

/** For a deleted subscriber, `to` still names the recipient. */
export const EventBody = z
  .object({
    transactionId: z.string(),
    ...fields(text, '_id', '_environmentId', '_digestedNotificationId', 'severity'),
    ...fields(date, 'createdAt', 'updatedAt'),
    ...fields(optional(SubscriberBody), 'subscriber', 'to'),
    ...fields(texts, 'tags', 'contextKeys'),
    topics: items(topicKey),
    template: optional(WorkflowBody),
    jobs: list(JobBody),
    payload,
    critical: flag,
  })
  .transform(({ _id: id, _environmentId, _digestedNotificationId, to, topics: topicKeys, template, ...wire }) => {
    const { jobs, payload, ...event } = wire;
    const steps = readable(jobs).filter((job) => !isSnooze(job) || unsnoozes(payload));
    const isMergedIntoItself = id !== null && id === _digestedNotificationId;
    return {
      ...event,
      id,
      serviceEnvironmentId: _environmentId,
      mergedInto: isMergedIntoItself ? null : _digestedNotificationId,
      subscriber: event.subscriber ?? to,
      workflow: template,
      jobs: steps.map((job) => jobOf(job, payload, isMergedIntoItself)),
      listsSteps: jobs !== null && (jobs.length === 0 || steps.length > 0),
      payload: payload ?? new Payload({}),
      hasPayload: payload !== null,
      topicKeys,
      mayHideFailures:
        (jobs ?? []).includes(null) || steps.some(({ executionDetails }) => executionDetails?.includes(null)),
    };
  });

export type TriggeredEvent = z.output<typeof EventBody>;
export type Workflow = NonNullable<TriggeredEvent['workflow']>;
export type Job = TriggeredEvent['jobs'][number];
export type ExecutionDetail = Job['details'][number];
export type Wait = NonNullable<Job['wait']>;

/** Such a step brings a snoozed message back, long after the event. */
const isSnooze = ({ type, status, payload }: JobBody) => type === 'in_app' && status !== 'failed' && unsnoozes(payload);

const unsnoozes = (payload: Payload | null) => payload?.content.unsnooze === true;

function jobOf(job: JobBody, payload: Payload | null, isMergedIntoItself: boolean) {
  const { _id: id, providerId: provider, type, status, updatedAt, digest, step } = job;
  return {
    id,
    type,
    status,
    provider,
    updatedAt,
    stepId: step?._id ?? null,
    stepName: step?.name ?? null,
    /** A digest that was merged into its own event never sends anything. */
    isMergedIntoItself: isMergedIntoItself && status === 'merged' && !STRUCTURAL_STEPS.has(type),
    details: readable(job.executionDetails),
    wait: waitOf(digest, step?.metadata ?? null, job.payload ?? payload),
    scheduleExtensions: job.scheduleExtensionsCount ?? 0,
    conditions: step?.filters ?? [],
    overrides: job.overrides ?? new Payload({}),
  };
}

function waitOf(digest: WaitBody | null, metadata: WaitBody | null, payload: Payload | null) {
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

const UNIT_MS: ReadonlyMap<string | null, number> = new Map([
  ['seconds', SECOND_MS],
  ['minutes', MINUTE_MS],
  ['hours', HOUR_MS],
  ['days', DAY_MS],
  ['weeks', WEEK_MS],
  // The longest month, so that no step counts as late too early.
  ['months', 31 * DAY_MS],
]);

function dateAt(path: string, payload: Payload | null) {
  const steps = path.replace(/^payload\./, '').split('.');
  return dateOf(steps.reduce<unknown>((inner, step) => (isObject(inner) ? inner[step] : undefined), payload?.content));
}

const FINAL_STATUSES = new Set(['completed', 'failed', 'canceled', 'merged', 'skipped']);
const UNFINISHED_STATUSES = new Set(['pending', 'queued', 'running', 'delayed']);
const STRUCTURAL_STEPS = new Set(['trigger', 'digest', 'delay', 'wait', 'throttle']);

export function isFinal({ status, isMergedIntoItself }: Job): boolean {
  return FINAL_STATUSES.has(status) && !isMergedIntoItself;
}

export const isMerged = ({ status, isMergedIntoItself }: Job): boolean => status === 'merged' && !isMergedIntoItself;
export const isKnown = ({ status }: Job): boolean => FINAL_STATUSES.has(status) || UNFINISHED_STATUSES.has(status);
export const isChannelType = (type: string): boolean => CHANNELS.includes(type);

/** Unknown step types are deliveries, so that their failures count. */
export const isDelivery = (job: Job): boolean => !STRUCTURAL_STEPS.has(job.type);
export const hidesOutcome = (event: TriggeredEvent): boolean => !event.listsSteps || event.mayHideFailures;

/** Lists of some servers show failed steps without the reason (docs/service.md). */
export function lacksReason(job: Job): boolean {
  return job.status === 'failed' && !job.details.some(({ status }) => status === 'Failed');
}

/** An unlisted or repeated step disqualifies the answer: it may be another recipient's. */
export function completed(listed: TriggeredEvent, answer: TriggeredEvent | null) {
  if (answer === null || (answer.id ?? listed.id) !== listed.id || !showsOneRecipient(answer)) return listed;
  if (!listed.listsSteps) return { ...answer, id: listed.id };
  const answered = new Map(answer.jobs.map((job) => [job.id, job]));
  const listedIds = new Set(listed.jobs.map(({ id }) => id));
  if (answer.jobs.some(({ id }) => !listedIds.has(id))) return listed;
  const jobs = listed.jobs.map((job) => {
    const { status, updatedAt, details } = answered.get(job.id) ?? job;
    return details.length < job.details.length ? job : { ...job, status, updatedAt, details };
  });
  return { ...listed, jobs, updatedAt: answer.updatedAt ?? listed.updatedAt, mayHideFailures: answer.mayHideFailures };
}

export function showsOneRecipient({ listsSteps, jobs }: TriggeredEvent): boolean {
  const steps = jobs.map(({ id, stepId }) => stepId ?? id);
  return listsSteps && new Set(steps).size === steps.length;
}

export const isSettled = (event: TriggeredEvent): boolean => event.jobs.length > 0 && event.jobs.every(isFinal);

/** An event without an ID gets a hash, as subscriber IDs can be contacts. */
export function eventKey({ id, ...event }: TriggeredEvent): string {
  if (id !== null) return boundedId(id);
  const facts = JSON.stringify([event.transactionId, event.subscriber?.subscriberId, event.createdAt]);
  return hashOf(facts, 32);
}
