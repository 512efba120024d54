import { createHash } from 'node:crypto';
import { boundedId } from '../lib/text/bounded-id.ts';
import type { FreeText } from '../lib/text/free-text.ts';
import type { Payload } from '../lib/text/payload.ts';
import { isContact } from '../lib/text/shown-id.ts';
import type { Condition } from './condition.ts';
import { CHANNELS } from './delivery-channels.ts';
import type { Wait } from './wait.ts';

/** Contract, "Activity notification". What the service leaves out is `null` or empty. Channels, statuses, providers, severities are open lists. */
export interface TriggeredEvent {
  /** Missing in some responses; `eventKey` identifies such an event by other means. */
  readonly id: string | null;
  readonly transactionId: string;
  /** The service's own ID of its environment, needed for dashboard links; null if the response doesn't say. */
  readonly serviceEnvironmentId: string | null;
  readonly mergedInto: string | null;
  readonly createdAt: Date | null;
  readonly updatedAt: Date | null;
  readonly subscriber: EventSubscriber | null;
  readonly workflow: Workflow | null;
  readonly jobs: readonly Job[];
  /** Whether the response shows its steps. The contract lets `jobs` be absent, which isn't the same as empty. */
  readonly listsSteps: boolean;
  readonly payload: Payload;
  readonly channels: readonly string[];
  readonly tags: readonly string[];
  readonly topicKeys: readonly string[];
  readonly contextKeys: readonly string[];
  readonly severity: string | null;
  readonly critical: boolean;
  /** Parts of the response that couldn't be read, one name for each: 'jobs.executionDetails'. */
  readonly unreadable: readonly string[];
}

/** Contacts and names arrive here already masked; nothing inside needs more. */
export interface EventSubscriber {
  readonly subscriberId: string;
  /** 'A. L.' */
  readonly initials: string | null;
  /** 'a•••@example.com' */
  readonly maskedEmail: string | null;
  /** '•••67' */
  readonly maskedPhone: string | null;
}

export interface Workflow {
  /** The service's database ID, used by the event list's `templates` parameter. */
  readonly id: string | null;
  /** The name used in triggers; falls back to the workflow's name if it lists no trigger. */
  readonly identifier: string;
  readonly name: string;
  readonly variables: readonly string[];
}

export interface Job {
  readonly id: string;
  /** in_app, email, sms, chat, push, digest, trigger, delay, throttle, custom, or an unknown one. */
  readonly type: string;
  /** Also an open list; `isFinal` returns which are final. */
  readonly status: string;
  readonly provider: string | null;
  readonly stepName: string | null;
  readonly updatedAt: Date | null;
  readonly details: readonly ExecutionDetail[];
  /** How a digest or delay step waits; null if the service says nothing about it. */
  readonly wait: Wait | null;
  readonly scheduleExtensions: number;
  readonly conditions: readonly Condition[];
  /** By provider. */
  readonly overrides: Payload;
  readonly issues: Payload;
}

export interface ExecutionDetail {
  readonly id: string;
  /** Success, Warning, Failed, Pending, Queued, ReadConfirmation, or an unknown one. */
  readonly status: string;
  readonly detail: FreeText;
  readonly raw: FreeText | null;
  /** Credentials, Internal, Payload, Webhook, or an unknown one. */
  readonly source: string;
  readonly isRetry: boolean;
  readonly isTest: boolean;
  readonly provider: string | null;
  readonly createdAt: Date | null;
}

const FINAL_STATUSES = new Set(['completed', 'failed', 'canceled', 'merged', 'skipped']);
const UNFINISHED_STATUSES = new Set(['pending', 'queued', 'running', 'delayed']);
const DELIVERY_CHANNELS = new Set<string>(CHANNELS);
const STRUCTURAL_STEPS = new Set(['trigger', 'digest', 'delay', 'throttle']);

/** Returns whether a job's status is final (field notes, "What a failure is"). An unknown status isn't. */
export function isFinal(job: Pick<Job, 'status'>): boolean {
  return FINAL_STATUSES.has(job.status);
}

export function isKnown(job: Pick<Job, 'status'>): boolean {
  return isFinal(job) || UNFINISHED_STATUSES.has(job.status);
}

export function isChannel(type: string): boolean {
  return DELIVERY_CHANNELS.has(type);
}

/** Returns whether a step delivers a notification to somebody. An unknown step type counts as one, so that its failure counts too. */
export function isDelivery(job: Pick<Job, 'type'>): boolean {
  return DELIVERY_CHANNELS.has(job.type) || !STRUCTURAL_STEPS.has(job.type);
}

export function mayHideFailures({ unreadable }: Pick<TriggeredEvent, 'unreadable'>): boolean {
  return unreadable.some((part) => part === 'jobs' || part === 'jobs.executionDetails');
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

/** Keys are stored and logged, so an ID that is a contact is hashed. */
function personOf(subscriber: EventSubscriber | null): string {
  const id = subscriber?.subscriberId ?? '';
  return isContact(id) ? createHash('sha256').update(id).digest('hex').slice(0, 32) : id;
}

/** Returns what distinguishes events of one environment, at most 512 bytes: the ID or, without one, transaction, subscriber and time. */
export function eventKey(event: Pick<TriggeredEvent, 'id' | 'transactionId' | 'subscriber' | 'createdAt'>): string {
  if (event.id !== null && event.id !== '') return boundedId(event.id);
  const { transactionId, subscriber, createdAt } = event;
  return boundedId([transactionId, personOf(subscriber), createdAt?.toISOString() ?? ''].join('|'));
}
