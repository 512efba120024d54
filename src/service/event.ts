import { hashOf } from '../lib/text/hash.ts';
import type { Payload } from '../lib/text/payload.ts';
import type { AuthoredText, FreeText } from '../lib/text/scrub.ts';
import { boundedId } from '../lib/text/shown-id.ts';
import { CHANNELS } from './channels.ts';
import type { Subscriber, Workflow } from './lists.ts';

/** One recipient's run of a workflow. */
export interface TriggeredEvent {
  id: string | null;
  transactionId: string;
  serviceEnvironmentId: string | null;
  /** The event whose digest step delivers it. */
  mergedInto: string | null;
  createdAt: Date | null;
  updatedAt: Date | null;
  /** A subscriber who was deleted is as the event named its recipient. */
  subscriber: Subscriber | null;
  isSubscriberDeleted: boolean;
  workflow: Workflow | null;
  /** All that is left of a workflow that was deleted. */
  deletedWorkflowId: string | null;
  jobs: readonly Job[];
  listsSteps: boolean;
  /** A step, or what happened in one, couldn't be read. */
  mayHideFailures: boolean;
  payload: Payload;
  hasPayload: boolean;
  tags: readonly string[];
  topicKeys: readonly string[];
  contextKeys: readonly string[];
  severity: string | null;
  critical: boolean;
}

export interface Job {
  id: string;
  type: string;
  status: string;
  provider: string | null;
  stepId: string | null;
  stepName: string | null;
  /** A digest that was merged into its own event never sends anything. */
  isMergedIntoItself: boolean;
  updatedAt: Date | null;
  details: readonly ExecutionDetail[];
  wait: Wait | null;
  scheduleExtensions: number;
  conditions: readonly StepCondition[];
  overrides: Payload;
}

export interface ExecutionDetail {
  id: string;
  status: string;
  detail: FreeText;
  raw: FreeText | null;
  source: string;
  isRetry: boolean;
  isTest: boolean;
  provider: string | null;
  /** 'SendGrid provider was selected': this integration sends what follows, whatever `provider` says. */
  selected: { provider: string; identifier: string | null } | null;
  /** The integration that a trigger asked for in vain. */
  namedIntegration: string | null;
  createdAt: Date | null;
}

/** What a delay or digest step waits for. */
export interface Wait {
  type: string | null;
  ms: number | null;
  until: Date | null;
  /** How many events a digest has collected. */
  collected: number | null;
}

export interface StepCondition {
  isNegated: boolean;
  needs: 'one' | 'all';
  comparisons: readonly { field: AuthoredText; operator: AuthoredText; value: AuthoredText }[];
}

const FINAL_STATUSES = new Set(['completed', 'failed', 'canceled', 'merged', 'skipped']);
const UNFINISHED_STATUSES = new Set(['pending', 'queued', 'running', 'delayed']);
export const STRUCTURAL_STEPS: ReadonlySet<string> = new Set(['trigger', 'digest', 'delay', 'wait', 'throttle']);

export function isFinal({ status, isMergedIntoItself }: Job): boolean {
  return FINAL_STATUSES.has(status) && !isMergedIntoItself;
}

export const isMerged = ({ status, isMergedIntoItself }: Job): boolean => status === 'merged' && !isMergedIntoItself;
export const isKnown = ({ status }: Job): boolean => FINAL_STATUSES.has(status) || UNFINISHED_STATUSES.has(status);
export const isChannelType = (type: string): boolean => CHANNELS.includes(type);

/** Unknown step types are deliveries, so that their failures count. */
export const isDelivery = (job: Job): boolean => !STRUCTURAL_STEPS.has(job.type);
export const hidesOutcome = (event: TriggeredEvent): boolean => !event.listsSteps || event.mayHideFailures;

/** What else is known of a step's failure, in the form of the service's own details. */
export function failedDetail(
  detail: FreeText,
  known: Pick<ExecutionDetail, 'id' | 'createdAt'> & Partial<ExecutionDetail>,
): ExecutionDetail {
  const unsaid = { provider: null, selected: null, namedIntegration: null, isRetry: false, isTest: false, raw: null };
  return { ...unsaid, status: 'Failed', source: '', detail, ...known };
}

/** Lists of some servers show failed steps without the reason (docs/service.md). */
export function lacksReason(job: Job): boolean {
  return job.status === 'failed' && !job.details.some(({ status }) => status === 'Failed');
}

/** An unlisted or repeated step disqualifies the answer: it may be another recipient's. */
export function completed(listed: TriggeredEvent, answer: TriggeredEvent | null): TriggeredEvent {
  if (answer === null || !showsOneRecipient(answer)) return listed;
  const isOther = answer.id !== null && answer.id !== listed.id;
  if (isOther) return listed;
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
