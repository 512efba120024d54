import { deliver, providerFailureOf } from './attempts.ts';
import { queuedDetail } from './details.ts';
import type { Json, Workflow } from './entities.ts';
import { activeSteps, type DetailPlan, type EventPlan } from './event-plan.ts';
import { bounceOf, bounceReasons, type ProviderFailure, undeliveredSms, wording } from './provider-failures.ts';
import { become, note, type Run, type Turn, turnAt, turnsFrom } from './turns.ts';
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
  const jobs: EventPlan['jobs'] = activeSteps(workflow).map(({ type }) => {
    const providerId = world.activeIntegrations(type)[0]?.providerId ?? null;
    return { type, providerId, status: 'pending', overrides };
  });
  world.agenda.plan(at, () => {
    const planted = { ...plan, workflow: workflow.identifier, subscriber: subscriberId, createdAt: at, jobs };
    queue({ world, workflow, event: world.plantEvent(planted) }, 0, at);
  });
}

/** The queue takes this long for each person, so that 5,000 events appear within 20 seconds. */
const EACH_PERSON_MS = 4;

export function startRuns(
  world: World,
  people: readonly string[],
  request: Omit<RunRequest, 'subscriberId' | 'at'>,
): void {
  if (activeSteps(request.workflow).length === 0) return;
  for (const [index, subscriberId] of people.entries()) {
    const at = world.now() + world.random.between(300, 800) + index * EACH_PERSON_MS;
    startRun(world, { ...request, subscriberId, at });
  }
}

function queue(run: Run, index: number, at: number): void {
  const turn = turnAt(run, index);
  if (!turn) return;
  become(turn, 'queued', at);
  note(turn, at, queuedDetail);
  run.world.agenda.plan(at + run.world.random.between(150, 900), (later) => runStep(turn, later));
}

function runStep(turn: Turn, at: number): void {
  const { world, step } = turn;
  become(turn, 'running', at);
  if (isExcluded(turn)) skip(turn, at);
  else if (step.type === 'digest') digest(turn, at);
  else if (step.type === 'delay')
    wait(turn, at, { before: wording.stepDelayed, after: { detail: wording.delayFinished } });
  else if (step.type === 'throttle') throttle(turn, at);
  else if (step.type === 'http_request') callHttp(turn, at);
  else if (!world.random.chance(world.accidents.stuck)) deliver(turn, at, (...end) => endStep(turn, ...end));
}

function endStep(turn: Turn, status: string, at: number): void {
  become(turn, status, at);
  if (status === 'failed' && turn.step.stopsOnFail) {
    // The service records the canceled steps as failures of their own.
    for (const follower of turnsFrom(turn, turn.index + 1)) {
      become(follower, 'canceled', at);
      note(follower, at, { detail: wording.canceledByPrevious, status: 'Failed' });
    }
  } else queue(turn, turn.index + 1, at);
  if (status === 'completed') planBounce(turn, at);
}

/** A condition compares a field of the payload. One about a missing field lets the step run, as in a test trigger without a payload. */
function isExcluded({ world, event: { payload }, step }: Turn): boolean {
  const { filters } = step.activity;
  if (filters.length > 0 && world.random.chance(world.accidents.conditionFalse)) return true;
  const conditions = filters.flatMap(({ children }) => children);
  return conditions.some(({ field, value }) => payload[field] !== undefined && String(payload[field]) !== value);
}

function skip(turn: Turn, at: number): void {
  note(turn, at, { detail: wording.skippedByConditions, status: 'Failed', raw: JSON.stringify({ skip: true }) });
  endStep(turn, 'canceled', at);
}

/** The first event of a workflow and subscriber waits in its digest step; those that come meanwhile are merged into it and end. */
function digest(turn: Turn, at: number): void {
  const { world, workflow, event, job, step } = turn;
  const key = `${workflow.identifier} ${event._subscriberId}`;
  const collecting = world.random.chance(world.accidents.selfMerged) ? event : world.openDigests.get(key);
  const [amount] = step.waitSeconds;
  job.digest = { digestKey: 'No-Key-Provided', amount, unit: 'seconds', events: [], type: 'regular' };
  if (collecting) {
    event._digestedNotificationId = collecting._id;
    note(turn, at, { detail: wording.digestMerged });
    for (const each of turnsFrom(turn, turn.index)) become(each, 'merged', at);
    return;
  }
  world.openDigests.set(key, event);
  job.digest.events = [event.payload];
  const after = { detail: wording.digestTriggered, raw: JSON.stringify(job.digest.events) };
  wait(turn, at, { before: wording.stepDigested, after }, () => world.openDigests.delete(key));
}

/**
 * Lets one event of a workflow and subscriber through in a window. In the others, this step and all later ones are skipped, and only this
 * step gets a detail.
 */
function throttle(turn: Turn, at: number): void {
  const { world, workflow, event, step } = turn;
  const key = `${workflow.identifier} ${event._subscriberId}`;
  const until = world.throttledUntil.get(key) ?? 0;
  if (at >= until) {
    world.throttledUntil.set(key, at + step.waitSeconds[0] * 1000);
    endStep(turn, 'completed', at);
  } else {
    const throttledUntil = new Date(until).toISOString();
    const raw = JSON.stringify({ shouldSkip: true, executionCount: 1, threshold: 1, throttledUntil });
    note(turn, at, { detail: wording.throttled, raw });
    for (const each of turnsFrom(turn, turn.index)) become(each, 'skipped', at);
  }
}

function callHttp(turn: Turn, at: number): void {
  const failure = providerFailureOf(turn, turn.step.type);
  if (failure) note(turn, at, { ...failure, status: 'Failed' });
  endStep(turn, failure ? 'failed' : 'completed', at);
}

function wait(turn: Turn, at: number, words: { before: string; after: DetailPlan }, end = () => {}): void {
  const { world, step } = turn;
  const [shortest, longest] = step.waitSeconds;
  const delay = world.random.between(shortest * 1000, longest * 1000);
  become(turn, 'delayed', at);
  note(turn, at, { detail: words.before, status: 'Pending', raw: JSON.stringify({ delay }) });
  world.agenda.plan(at + delay, (later) => {
    end();
    note(turn, later, words.after);
    endStep(turn, 'completed', later);
  });
}

function planBounce(turn: Turn, at: number): void {
  const { world, event } = turn;
  const [chance, failure] = possibleBounce(turn);
  if (!failure || !world.random.chance(chance)) return;
  world.agenda.plan(at + world.random.between(60_000, 180_000) / world.pace, (later) => {
    event.updatedAt = new Date(later).toISOString();
    note(turn, later, { ...failure, status: 'Failed', source: 'Webhook' });
  });
}

function possibleBounce({ world, event, job }: Turn): [chance: number, failure?: ProviderFailure] {
  const everyday = world.accidents.bounce;
  if (job.type === 'sms') return [everyday, undeliveredSms];
  if (job.type !== 'email') return [0];
  const { share, reason } = world.bounceStorm ?? { share: everyday, reason: bounceReasons.everyday };
  return [share, bounceOf(reason, event.subscriber?.email)];
}
