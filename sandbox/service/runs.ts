import type { Job, Json, Subscriber, TriggeredEvent, Workflow, WorkflowStep } from './entities.ts';
import { activeSteps, type DetailPlan, detailFromPlan, type EventPlan, isChannel, messageOfJob } from './event-plan.ts';
import {
  bounceOf,
  bounceReasons,
  everydayFailuresOf,
  type ProviderFailure,
  undeliveredSms,
  wording,
} from './provider-failures.ts';
import type { World } from './world.ts';

export interface RunRequest {
  workflow: Workflow;
  subscriberId: string;
  transactionId: string;
  payload: Json;
  overrides: Json;
  topics: readonly string[];
  contextKeys: string[];
  at: number;
}

export function startRun(world: World, { workflow, subscriberId, overrides, at, ...plan }: RunRequest): void {
  const created = { detail: wording.stepCreated, status: 'Pending', createdAt: at } as const;
  const jobs: EventPlan['jobs'] = activeSteps(workflow).map(({ type, providerId }) => {
    return { type, providerId, status: 'pending', overrides, details: [created] };
  });
  world.agenda.plan(at, () => {
    const planted = { ...plan, workflow: workflow.identifier, subscriber: subscriberId, createdAt: at, jobs };
    queue({ world, workflow, event: world.plantEvent(planted) }, 0, at);
  });
}

/** The queue's time for each person, in milliseconds: 5,000 events appear within 20 seconds. */
const EACH_PERSON_MS = 4;

export function startRuns(
  world: World,
  people: readonly string[],
  request: Omit<RunRequest, 'subscriberId' | 'at'>,
): void {
  world.transactions.add(request.transactionId);
  for (const [index, subscriberId] of people.entries()) {
    const at = world.now() + world.random.between(300, 800) + index * EACH_PERSON_MS;
    startRun(world, { ...request, subscriberId, at });
  }
}

interface Run {
  world: World;
  event: TriggeredEvent;
  workflow: Workflow;
}

interface Turn extends Run {
  index: number;
  job: Job;
  step: WorkflowStep;
}

function turnAt({ world, event, workflow }: Run, index: number): Turn | undefined {
  const job = event.jobs[index];
  const step = activeSteps(workflow)[index];
  return job && step && { world, event, workflow, index, job, step };
}

function become({ event, job }: Turn, status: string, at: number): void {
  const time = new Date(at).toISOString();
  job.status = status;
  job.updatedAt = time;
  event.updatedAt = time;
}

function note({ world, job }: Turn, at: number, plan: DetailPlan): void {
  job.executionDetails.push(detailFromPlan(plan, at, world.random));
}

function queue(run: Run, index: number, at: number): void {
  const turn = turnAt(run, index);
  if (!turn) return;
  become(turn, 'queued', at);
  note(turn, at, { detail: wording.stepQueued, status: 'Queued' });
  run.world.agenda.plan(at + run.world.random.between(150, 900), (later) => runStep(turn, later));
}

function queueNext(turn: Turn, at: number): void {
  queue(turn, turn.index + 1, at);
}

function runStep(turn: Turn, at: number): void {
  const { world, step } = turn;
  become(turn, 'running', at);
  if (isExcluded(turn)) skip(turn, at);
  else if (step.type === 'digest') digest(turn, at);
  else if (step.type === 'delay') wait(turn, at, { before: wording.stepDelayed, after: wording.delayFinished });
  else if (!world.random.chance(world.accidents.stuck)) deliver(turn, at);
}

/** A condition compares a field of the payload. One about a missing field lets the step run, as in a test trigger without a payload. */
function isExcluded({ world, event: { payload }, step }: Turn): boolean {
  const { filters } = step.activity;
  if (filters.length > 0 && world.random.chance(world.accidents.conditionFalse)) return true;
  const conditions = filters.flatMap(({ children }) => children);
  return conditions.some(({ field, value }) => payload[field] !== undefined && String(payload[field]) !== value);
}

function skip(turn: Turn, at: number): void {
  become(turn, 'skipped', at);
  const raw = JSON.stringify({ passed: false, conditions: turn.step.activity.filters });
  note(turn, at, { detail: wording.skippedByConditions, status: 'Failed', raw });
  queueNext(turn, at);
}

function digest(turn: Turn, at: number): void {
  const { world, workflow, event, job, step } = turn;
  const key = `${workflow.identifier} ${event._subscriberId}`;
  const collecting = world.openDigests.get(key);
  if (collecting) {
    event._digestedNotificationId = collecting._id;
    note(turn, at, { detail: wording.digestMerged });
    for (const each of rest(turn, turn.index)) become(each, 'merged', at);
    return;
  }
  world.openDigests.set(key, event);
  job.digest = { type: 'regular', amount: step.waitSeconds[0], unit: 'seconds', events: [event.payload] };
  wait(turn, at, { before: wording.stepDigested, after: wording.digestTriggered }, () => world.openDigests.delete(key));
}

function rest(turn: Turn, from: number): Turn[] {
  return turn.event.jobs.flatMap((_, index) => (index < from ? [] : (turnAt(turn, index) ?? [])));
}

function wait(turn: Turn, at: number, words: { before: string; after: string }, end = () => {}): void {
  const { world, step } = turn;
  const [shortest, longest] = step.waitSeconds;
  become(turn, 'delayed', at);
  note(turn, at, { detail: words.before });
  world.agenda.plan(at + world.random.between(shortest * 1000, longest * 1000), (later) => {
    end();
    become(turn, 'completed', later);
    note(turn, later, { detail: words.after });
    queueNext(turn, later);
  });
}

const RETRY_AFTER_MS = 4000;

function deliver(turn: Turn, at: number): void {
  const { world } = turn;
  const obstacle = obstacleOf(turn);
  if (obstacle) {
    become(turn, obstacle.status, at);
    note(turn, at, { detail: obstacle.detail, status: 'Failed' });
    queueNext(turn, at);
  } else {
    note(turn, at, { detail: wording.startSending, status: 'Pending' });
    world.agenda.plan(at + world.random.between(200, 1200), (later) => callProvider(turn, later));
  }
}

function callProvider(turn: Turn, at: number): void {
  const { world, workflow, step } = turn;
  const broken = world.brokenTemplates.get(`${workflow.identifier} ${step.type}`);
  const failure = broken === undefined ? refusalOf(turn) : { detail: wording.contentNotGenerated, raw: broken };
  if (failure) fail(turn, at, failure);
  else if (world.random.chance(world.accidents.retry)) {
    const [first] = everydayFailuresOf(step.providerId);
    note(turn, at, { ...detailOf(turn, first), isRetry: true });
    world.agenda.plan(at + RETRY_AFTER_MS, (later) => send(turn, later));
  } else send(turn, at);
}

function refusalOf({ world, event, step }: Turn): ProviderFailure | undefined {
  const outage = world.outages.get(step.providerId);
  const isHit = outage && (outage.contextKey === null || event.contextKeys.includes(outage.contextKey));
  if (isHit && world.random.chance(outage.share)) return outage.cause;
  const isAccident = world.random.chance(world.accidents.providerError);
  return isAccident ? world.random.pick(everydayFailuresOf(step.providerId)) : undefined;
}

function detailOf({ step }: Turn, { detail, raw }: ProviderFailure, source: 'Internal' | 'Webhook' = 'Internal') {
  return { detail, raw, status: 'Failed', source, providerId: step.providerId };
}

function fail(turn: Turn, at: number, failure: ProviderFailure): void {
  const { world, event, job, step } = turn;
  become(turn, 'failed', at);
  note(turn, at, detailOf(turn, failure));
  world.addMessage(messageOfJob(event, job, world.random, at));
  if (!step.stopsOnFail) queueNext(turn, at);
  // The service records these as failures of their own.
  for (const follower of step.stopsOnFail ? rest(turn, turn.index + 1) : []) {
    become(follower, 'canceled', at);
    note(follower, at, { detail: wording.canceledByPrevious, status: 'Failed' });
  }
}

function send(turn: Turn, at: number): void {
  const { world, event, job, step } = turn;
  become(turn, 'completed', at);
  note(turn, at, { detail: wording.messageCreated, status: 'Pending' });
  note(turn, at, { detail: wording.messageSent, providerId: step.providerId });
  world.addMessage(messageOfJob(event, job, world.random, at));
  queueNext(turn, at);
  const returned = returnOf(turn);
  if (returned === undefined || !world.random.chance(returned.chance)) return;
  world.agenda.plan(at + world.random.between(60_000, 180_000) / world.pace, (later) => {
    event.updatedAt = new Date(later).toISOString();
    note(turn, later, detailOf(turn, returned, 'Webhook'));
  });
}

function returnOf({ world, event, job }: Turn): (ProviderFailure & { chance: number }) | undefined {
  const everyday = world.accidents.bounce;
  if (job.type === 'sms') return { chance: everyday, ...undeliveredSms };
  if (job.type !== 'email') return undefined;
  const { share, reason } = world.bounceStorm ?? { share: everyday, reason: bounceReasons.everyday };
  return { chance: share, ...bounceOf(reason, event.subscriber?.email) };
}

function obstacleOf({ world, event, job }: Turn): { detail: string; status: 'failed' | 'canceled' } | undefined {
  const isReady = world.integrations.some(
    ({ active, channel, _environmentId }) =>
      active && channel === job.type && _environmentId === world.tenancy._environmentId,
  );
  if (!isReady) return { detail: wording.noActiveIntegration, status: 'failed' };
  const subscriber = world.subscribers.get(event.subscriber?.subscriberId ?? '');
  const missing = isChannel(job.type) && subscriber ? missingAddress(job.type, subscriber) : undefined;
  return missing === undefined ? undefined : { detail: missing, status: 'canceled' };
}

function missingAddress(channel: string, { email, phone, channels }: Subscriber): string | undefined {
  if (channel === 'email' && !email) return wording.noEmail;
  if (channel === 'sms' && !phone) return wording.noPhone;
  if (channel === 'push' && !channels.some(({ credentials }) => credentials.deviceTokens?.length))
    return wording.noDeviceTokens;
  if (channel === 'chat' && !channels.some(({ credentials }) => credentials.webhookUrl)) return wording.noWebhookUrl;
  return undefined;
}
