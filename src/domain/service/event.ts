import { createHash } from 'node:crypto';
import { CHANNELS } from '../delivery-channels.ts';
import { boundedId } from '../text/bounded-id.ts';
import type { FreeText } from '../text/free-text.ts';
import type { Payload } from '../text/payload.ts';
import { isContact } from '../text/shown-id.ts';
import type { Condition } from './condition.ts';
import type { Wait } from './wait.ts';

/**
 * A triggered event (contract, "Activity notification"): one workflow run for one subscriber. What the service leaves out is
 * `null` or empty. Channels, statuses, providers and severities are open lists: any string may turn up.
 */
export interface TriggeredEvent {
  /** Absent in some answers: `eventKey` identifies such an event by other means. */
  readonly id: string | null;
  readonly transactionId: string;
  /** The service's own id of its environment, needed for dashboard links. */
  readonly serviceEnvironmentId: string;
  /** The event whose digest swallowed this one. */
  readonly mergedInto: string | null;
  readonly createdAt: Date | null;
  readonly updatedAt: Date | null;
  readonly subscriber: EventSubscriber | null;
  readonly workflow: Workflow | null;
  readonly jobs: readonly Job[];
  /** Whether the answer shows its steps: the contract lets `jobs` be absent, which isn't an empty list. */
  readonly listsSteps: boolean;
  readonly payload: Payload;
  readonly channels: readonly string[];
  readonly tags: readonly string[];
  readonly topicKeys: readonly string[];
  readonly contextKeys: readonly string[];
  readonly severity: string | null;
  readonly critical: boolean;
  /** Parts of it that the service answered in a way nobody can read, one name for each: 'jobs.executionDetails'. */
  readonly unreadable: readonly string[];
}

/** Contacts and names arrive here already masked: nothing inside needs more than that. */
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
  /** The service's database id, which the event list's `templates` parameter takes. */
  readonly id: string | null;
  /** What triggers name; falls back to the name where a workflow lists no trigger. */
  readonly identifier: string;
  readonly name: string;
  /** The payload fields that its trigger declares. */
  readonly variables: readonly string[];
}

/** One step of an event. */
export interface Job {
  readonly id: string;
  /** in_app, email, sms, chat, push, digest, trigger, delay, throttle, custom, or one not known yet. */
  readonly type: string;
  /** An open list too; `isFinal` says which are the end. */
  readonly status: string;
  readonly provider: string | null;
  readonly stepName: string | null;
  readonly updatedAt: Date | null;
  readonly details: readonly ExecutionDetail[];
  /** How a digest or delay step waits; null for a step of which the service says nothing of the kind. */
  readonly wait: Wait | null;
  /** How often its wait was extended to fit the subscriber's schedule. */
  readonly scheduleExtensions: number;
  /** On which it is sent. */
  readonly conditions: readonly Condition[];
  /** What its trigger overrode, by provider. */
  readonly overrides: Payload;
  /** What the service finds wrong with the step's definition, by the part of it. */
  readonly issues: Payload;
}

export interface ExecutionDetail {
  readonly id: string;
  /** Success, Warning, Failed, Pending, Queued, ReadConfirmation, or one not known yet. */
  readonly status: string;
  readonly detail: FreeText;
  readonly raw: FreeText | null;
  /** Credentials, Internal, Payload, Webhook, or one not known yet. */
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

/** Whether a job's status is the end of it (field notes, "What a failure is"). An unknown status is not. */
export function isFinal(job: Pick<Job, 'status'>): boolean {
  return FINAL_STATUSES.has(job.status);
}

/** Whether a job's status has been seen before: of one that was not, nobody knows how long it may take. */
export function isKnown(job: Pick<Job, 'status'>): boolean {
  return isFinal(job) || UNFINISHED_STATUSES.has(job.status);
}

/** Whether a step sends by one of the contract's channels. */
export function isChannel(type: string): boolean {
  return DELIVERY_CHANNELS.has(type);
}

/** Whether a step carries a notification to somebody; an unknown step type counts as one, so that its failure counts too. */
export function isDelivery(job: Pick<Job, 'type'>): boolean {
  return DELIVERY_CHANNELS.has(job.type) || !STRUCTURAL_STEPS.has(job.type);
}

/** Whether parts that couldn't be read may hold failures. */
export function mayHideFailures({ unreadable }: Pick<TriggeredEvent, 'unreadable'>): boolean {
  return unreadable.some((part) => part === 'jobs' || part === 'jobs.executionDetails');
}

/** Whether nothing more is expected of an event's jobs. An event without jobs has not been worked on yet. */
export function isSettled(event: Pick<TriggeredEvent, 'jobs'>): boolean {
  return event.jobs.length > 0 && event.jobs.every(isFinal);
}

/** A key is stored and logged, so an id that is a contact goes into it as a hash. */
function personOf(subscriber: EventSubscriber | null): string {
  const id = subscriber?.subscriberId ?? '';
  return isContact(id) ? createHash('sha256').update(id).digest('hex').slice(0, 32) : id;
}

/** What tells events of one environment apart, of 512 bytes at most: the id or, without one, transaction, subscriber and time. */
export function eventKey(event: Pick<TriggeredEvent, 'id' | 'transactionId' | 'subscriber' | 'createdAt'>): string {
  if (event.id !== null && event.id !== '') return boundedId(event.id);
  const { transactionId, subscriber, createdAt } = event;
  return boundedId([transactionId, personOf(subscriber), createdAt?.toISOString() ?? ''].join('|'));
}
