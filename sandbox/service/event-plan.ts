import type {
  ActivityStep,
  EventSubscriber,
  ExecutionDetail,
  Job,
  Json,
  Subscriber,
  Tenancy,
  Topic,
  TriggeredEvent,
  Workflow,
} from './entities.ts';
import { defaultProvider } from './provider-failures.ts';
import { objectId, type Random, transactionId } from './random.ts';

export interface EventPlan
  extends Partial<
    Pick<
      TriggeredEvent,
      | '_id'
      | '_digestedNotificationId'
      | 'transactionId'
      | 'payload'
      | 'controls'
      | 'to'
      | 'tags'
      | 'severity'
      | 'critical'
      | 'contextKeys'
    >
  > {
  /** A workflow's identifier (default 'order-shipped'). Null plants an event whose workflow was deleted. */
  workflow?: string | null;
  /** A subscriber's external ID (default 'user-1'), created if unknown. Null plants an event without a subscriber. */
  subscriber?: string | null;
  createdAt?: number;
  jobs?: readonly JobPlan[];
  topics?: readonly string[];
  /** Returns what the API shows instead of the event, for items that a reader can't parse. */
  disguise?: (event: TriggeredEvent) => unknown;
}

export interface JobPlan
  extends Partial<Pick<Job, 'status' | 'payload' | 'overrides' | 'digest' | 'scheduleExtensionsCount'>> {
  type: string;
  /** By default the sandbox's provider for this channel. Null leaves it out. */
  providerId?: string | null;
  details?: readonly DetailPlan[];
  step?: Partial<ActivityStep>;
}

export interface DetailPlan extends Partial<Omit<ExecutionDetail, '_id' | 'createdAt'>> {
  detail: string;
  /** A time in milliseconds: by default now for a late detail, and shortly after the event for a planted one. */
  createdAt?: number;
}

interface PlanContext {
  random: Random;
  tenancy: Tenancy;
  at: number;
  workflow: Workflow | null;
  subscriber: Subscriber | null;
  topics: readonly Topic[];
}

export function eventFromPlan(plan: EventPlan, context: PlanContext): TriggeredEvent {
  const { random, tenancy, at, workflow, subscriber, topics } = context;
  const payload = plan.payload ?? {};
  const jobs = (plan.jobs ?? []).map((job, index) => jobFromPlan(job, index, payload, context));
  const time = new Date(at).toISOString();
  return {
    _id: plan._id ?? objectId(random, at),
    ...tenancy,
    _subscriberId: subscriber?._id ?? objectId(random, at),
    ...(workflow && { _templateId: workflow._id, template: workflow.template }),
    ...(plan._digestedNotificationId && { _digestedNotificationId: plan._digestedNotificationId }),
    subscriber: subscriber && eventSubscriber(subscriber),
    transactionId: plan.transactionId ?? transactionId(random),
    createdAt: time,
    updatedAt: time,
    channels: jobs.map(({ type }) => type),
    jobs,
    payload,
    tags: plan.tags ?? workflow?.tags ?? [],
    controls: plan.controls ?? {},
    to: plan.to ?? (subscriber ? { subscriberId: subscriber.subscriberId } : {}),
    topics: topics.map(({ _id, key }) => ({ _topicId: _id, topicKey: key })),
    severity: plan.severity ?? workflow?.severity ?? 'none',
    critical: plan.critical ?? workflow?.critical ?? false,
    contextKeys: plan.contextKeys ?? [],
  };
}

function jobFromPlan(plan: JobPlan, index: number, payload: Json, { random, at, workflow }: PlanContext): Job {
  const { type, providerId = defaultProvider(type), details = [], step: changes, ...given } = plan;
  const step = activeSteps(workflow)[index];
  const known = step?.type === type ? step.activity : undefined;
  return {
    _id: objectId(random, at),
    status: 'completed',
    payload,
    overrides: {},
    updatedAt: new Date(at).toISOString(),
    ...given,
    type,
    ...(providerId !== null && { providerId }),
    step: { ...(known ?? unknownStep(type, random, at)), ...changes },
    executionDetails: details.map((detail, nth) =>
      detailFromPlan({ ...(providerId !== null && { providerId }), ...detail }, at + (nth + 1) * 200, random),
    ),
  };
}

export function activeSteps(workflow: Workflow | null): Workflow['steps'] {
  return workflow?.steps.filter(({ activity }) => activity.active) ?? [];
}

export function detailFromPlan({ createdAt, raw, ...plan }: DetailPlan, at: number, random: Random): ExecutionDetail {
  const created = createdAt ?? at;
  const usual = { status: 'Success', isRetry: false, isTest: false, source: 'Internal' };
  const rawField = raw === undefined || raw === null ? {} : { raw };
  return { _id: objectId(random, created), createdAt: new Date(created).toISOString(), ...usual, ...plan, ...rawField };
}

function unknownStep(type: string, random: Random, at: number): ActivityStep {
  const ids = { _id: objectId(random, at), _templateId: objectId(random, at) };
  return { ...ids, name: `${type} step`, active: true, filters: [] };
}

function eventSubscriber({ _id, subscriberId, ...person }: Subscriber): EventSubscriber {
  const known = (['firstName', 'lastName', 'email', 'phone'] as const).filter((field) => person[field] !== null);
  return { _id, subscriberId, ...Object.fromEntries(known.map((field) => [field, person[field]])) };
}
