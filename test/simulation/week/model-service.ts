import { ServiceError, type ServiceProblem } from '../../../src/domain/errors.ts';
import { aWait, aWorkflow } from '../../../src/domain/service/event.testing.ts';
import type { ExecutionDetail, Job, TriggeredEvent } from '../../../src/domain/service/event.ts';
import type { EventQuery, Page } from '../../../src/domain/service/query.ts';
import { FreeText } from '../../../src/domain/text/free-text.ts';
import { Payload } from '../../../src/domain/text/payload.ts';
import { FATES, type Fate, type Week, type Workflow } from './week.ts';

/** The clock of a simulation. It advances only when something takes time. */
export interface Clock {
  now(): Date;
  passes(ms: number): void;
}

export interface ModelService {
  eventPages(query: EventQuery & { readonly before: Date }): AsyncIterable<Page<TriggeredEvent>>;
  retrieveEvent(id: string): Promise<TriggeredEvent | null>;
  /** Returns the number of requests so far, and the most in a minute. */
  requests(): { readonly all: number; readonly mostInAMinute: number };
}

export interface ModelServiceOptions {
  readonly clock: Clock;
  /** How long a request takes, in milliseconds. */
  readonly requestMs: number;
  /** The smallest plan has 150 in five seconds (field notes). */
  readonly requestsAWindow: number;
  /** Returns the service's problem at a time; null if there is none. */
  readonly problemAt: (at: number) => ServiceProblem | null;
  /** Called with each event in an answer. `isSweep` is set for a list of selected channels, which looks for late failures. */
  readonly onAnswered?: (event: TriggeredEvent, at: number, isSweep: boolean) => void;
}

const WINDOW_MS = 5_000;
/** The time after which a step is done, unless it is refused. */
const STEP_MS = 3_000;

/** Creates the event list and retrieval of a service that holds a week, as of the clock's time. */
export function createModelService(week: Week, options: ModelServiceOptions): ModelService {
  const { clock, requestMs, requestsAWindow, problemAt, onAnswered = () => {} } = options;
  const perWindow = new Map<number, number>();
  const perMinute = new Map<number, number>();
  let all = 0;

  function request(operation: string): void {
    clock.passes(requestMs);
    const now = clock.now().getTime();
    all += 1;
    count(perMinute, Math.floor(now / 60_000));
    const problem = problemAt(now) ?? rateLimit(now);
    if (problem !== null) throw new ServiceError('production', operation, problem);
  }

  function rateLimit(now: number): ServiceProblem | null {
    const used = count(perWindow, Math.floor(now / WINDOW_MS));
    return used <= requestsAWindow ? null : { kind: 'rate-limited', retryAfterMs: WINDOW_MS - (now % WINDOW_MS) };
  }

  function answered(index: number, isSweep: boolean): TriggeredEvent {
    const event = eventAt(week, index, clock.now());
    onAnswered(event, clock.now().getTime(), isSweep);
    return event;
  }

  return {
    async *eventPages({ after, before, limit = 50, channels }) {
      const range = rangeOf(week, after?.getTime() ?? week.from, Math.min(before.getTime(), clock.now().getTime()));
      let next = range.last;
      let hasMore = true;
      while (hasMore) {
        request('listEvents');
        const items: TriggeredEvent[] = [];
        for (; next >= range.first && items.length < limit; next--) {
          const workflow = workflowOf(week, next);
          if (channels === undefined || channels.includes(workflow.channel))
            items.push(answered(next, channels !== undefined));
        }
        hasMore = items.length === limit;
        yield { items, unreadable: [], hasMore };
      }
    },
    async retrieveEvent(id) {
      request('retrieveEvent');
      const index = Number.parseInt(id, 16);
      return index < week.createdAt.length ? answered(index, false) : null;
    },
    requests: () => ({ all, mostInAMinute: Math.max(0, ...perMinute.values()) }),
  };
}

function count(counts: Map<number, number>, key: number): number {
  const next = (counts.get(key) ?? 0) + 1;
  counts.set(key, next);
  return next;
}

/** Returns the events created from `after` to `before`, both included. */
function rangeOf({ createdAt }: Week, after: number, before: number): { first: number; last: number } {
  return { first: firstAtLeast(createdAt, after), last: firstAtLeast(createdAt, before + 1) - 1 };
}

function firstAtLeast(sorted: Float64Array, value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

function workflowOf(week: Week, index: number): Workflow {
  const workflow = week.workflows[week.workflow[index] ?? 0];
  if (workflow === undefined) throw new Error(`event ${index} has no workflow`);
  return workflow;
}

/** Returns an event as the service shows it at a time. */
function eventAt(week: Week, index: number, now: Date): TriggeredEvent {
  const createdAt = new Date(week.createdAt[index] ?? 0);
  const workflow = workflowOf(week, index);
  const subscriberId = `user-${week.subscriber[index]}`;
  return {
    id: index.toString(16).padStart(24, '0'),
    transactionId: `txn_${index.toString(36)}`,
    serviceEnvironmentId: 'environment',
    mergedInto: null,
    createdAt,
    updatedAt: createdAt,
    subscriber: { subscriberId, initials: null, maskedEmail: null, maskedPhone: null },
    workflow: aWorkflow({ identifier: workflow.identifier, name: workflow.identifier }),
    jobs: [jobAt(week, index, workflow, createdAt, now)],
    listsSteps: true,
    payload: new Payload({}),
    channels: [workflow.channel],
    tags: [],
    topicKeys: [],
    contextKeys: [],
    severity: null,
    critical: false,
    unreadable: [],
  };
}

function jobAt(week: Week, index: number, workflow: Workflow, createdAt: Date, now: Date): Job {
  const fate = FATES[week.fate[index] ?? 0] ?? 'delivered';
  const failsAt = week.failsAt[index] ?? 0;
  const hasFailed = failsAt > 0 && now.getTime() >= failsAt;
  const doneAt = createdAt.getTime() + STEP_MS;
  const status = statusOf(fate, hasFailed, now.getTime() >= doneAt);
  const cause = week.causes[week.cause[index] ?? 0] ?? '';
  return {
    id: `job-${index}`,
    type: workflow.channel,
    status,
    provider: workflow.provider,
    stepName: null,
    updatedAt: new Date(hasFailed ? failsAt : Math.min(doneAt, now.getTime())),
    details: hasFailed && fate !== 'stuck' ? [failedDetail(fate, cause, new Date(failsAt), workflow)] : [],
    wait: fate === 'late-step' ? aWait({ ms: Math.max(0, failsAt - createdAt.getTime()) }) : null,
    scheduleExtensions: 0,
    conditions: [],
    overrides: new Payload({}),
    issues: new Payload({}),
  };
}

function statusOf(fate: Fate, hasFailed: boolean, isDone: boolean): string {
  switch (fate) {
    case 'delivered':
    case 'bounced':
    case 'too-late':
      return isDone ? 'completed' : 'running';
    case 'refused':
      return hasFailed ? 'failed' : 'running';
    case 'late-step':
      return hasFailed ? 'failed' : 'delayed';
    case 'undeliverable':
      return hasFailed ? 'canceled' : 'running';
    case 'skipped':
      return hasFailed ? 'skipped' : 'running';
    case 'retried':
      return isDone && hasFailed ? 'completed' : 'running';
    case 'stuck':
      return 'running';
  }
}

const WORDS: { readonly [F in Fate]?: string } = {
  undeliverable: 'Subscriber does not have the contact that this channel needs',
  skipped: 'Step was skipped based on steps conditions',
};

function failedDetail(fate: Fate, cause: string, createdAt: Date, { provider }: Workflow): ExecutionDetail {
  return {
    id: 'detail',
    status: 'Failed',
    detail: new FreeText(WORDS[fate] ?? cause),
    raw: null,
    source: fate === 'bounced' || fate === 'too-late' ? 'Webhook' : 'Internal',
    isRetry: fate === 'retried',
    isTest: false,
    provider,
    createdAt,
  };
}
