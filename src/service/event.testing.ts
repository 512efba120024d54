import { addMilliseconds } from 'date-fns';
import { Payload } from '../lib/text/payload.ts';
import { FreeText } from '../lib/text/scrub.ts';
import type { ExecutionDetail, Job, TriggeredEvent, Wait } from './event.ts';
import type { Subscriber, Workflow } from './lists.ts';
import type { TriggerItem } from './trigger.ts';

export const NOON = new Date('2026-03-04T12:00:00.000Z');

export const at = (seconds: number): Date => addMilliseconds(NOON, seconds * 1000);

export function anEvent(change: Partial<TriggeredEvent> = {}): TriggeredEvent {
  return {
    id: '65f000000000000000000001',
    transactionId: 'txn_0001',
    serviceEnvironmentId: '64e000000000000000000001',
    mergedInto: null,
    createdAt: NOON,
    updatedAt: NOON,
    subscriber: aSubscriber('user-1', { initials: 'A. L.', maskedEmail: 'a•••@example.com' }),
    isSubscriberDeleted: false,
    workflow: aWorkflow({ id: '64w', identifier: 'order-shipped', name: 'Order shipped', variables: ['orderId'] }),
    deletedWorkflowId: null,
    jobs: [aJob()],
    listsSteps: true,
    payload: new Payload({}),
    hasPayload: true,
    tags: [],
    topicKeys: [],
    contextKeys: [],
    severity: null,
    critical: false,
    mayHideFailures: false,
    ...change,
  };
}

export function aSubscriber(subscriberId: string, known: Partial<Subscriber> = {}): Subscriber {
  const contact = { initials: null, maskedEmail: null, phone: null };
  const seen = { locale: null, timeZone: null, isOnline: null, lastOnlineAt: null };
  return { subscriberId, ...contact, ...seen, isDeleted: false, settings: null, ...known };
}

export function aWorkflow(change: Partial<Workflow> & Pick<Workflow, 'identifier' | 'name'>): Workflow {
  return { id: null, variables: [], ...change };
}

export function aJob(change: Partial<Job> = {}): Job {
  return {
    id: 'job-1',
    type: 'email',
    status: 'completed',
    provider: 'sendgrid',
    stepId: null,
    stepName: null,
    isMergedIntoItself: false,
    updatedAt: NOON,
    details: [],
    wait: null,
    scheduleExtensions: 0,
    conditions: [],
    overrides: new Payload({}),
    ...change,
  };
}

export function aWait(change: Partial<Wait> = {}): Wait {
  return { type: 'regular', ms: 7_200_000, until: null, collected: null, ...change };
}

export function aDetail(
  change: Partial<Omit<ExecutionDetail, 'detail' | 'raw'>> & { detail?: string; raw?: string | null } = {},
): ExecutionDetail {
  const { detail = 'Provider error', raw = null, ...rest } = change;
  return {
    id: 'detail-1',
    status: 'Failed',
    detail: new FreeText(detail),
    raw: raw === null ? null : new FreeText(raw),
    source: 'Internal',
    isRetry: false,
    isTest: false,
    provider: 'sendgrid',
    selected: null,
    namedIntegration: null,
    createdAt: at(5),
    ...rest,
  };
}

export function aFailedEvent(change: Partial<TriggeredEvent> = {}): TriggeredEvent {
  return anEvent({ jobs: [aJob({ status: 'failed', details: [aDetail()] })], ...change });
}

export const NO_OPTIONS: TriggerItem['options'] = { overrides: null, actor: null, tenant: null, context: null };
