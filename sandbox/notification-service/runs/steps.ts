import type { Json, StepFilter, Workflow } from '../entities.ts';
import type { EventPlan } from '../event-plan.ts';
import { wording } from '../provider-failures.ts';
import { transactionId as newTransactionId } from '../random.ts';
import type { World } from '../world.ts';
import { become, deliver, note, type Run, type Turn, turnOf } from './deliver.ts';

/**
 * Returns whether a step's conditions let it run: each compares a field of the payload, and one about a missing field lets it run, so that a
 * test trigger without a payload gets through. The sandbox's workflows have no other conditions.
 */
function allow(filters: readonly StepFilter[], payload: Json): boolean {
  const parts = filters.flatMap(({ children }) => children);
  return parts.every(({ field, value }) => payload[field] === undefined || String(payload[field]) === value);
}

/** A custom step: the service calls the customer's own code for what the following steps need. */
function runCustom(turn: Turn, at: number, onward: (turn: Turn, at: number) => void): void {
  const { world } = turn.run;
  world.agenda.plan(at + world.random.between(100, 600), (later) => {
    note(turn, later, { detail: wording.bridgeAnswered, raw: JSON.stringify({ outputs: { city: 'Berlin' } }) });
    become(turn, 'completed', later);
    onward(turn, later);
  });
}

const unlimited = { threshold: Number.POSITIVE_INFINITY, minutes: 1 };

/**
 * A throttle step: a limited number of a subscriber's events pass in its window. Further ones are skipped, including all steps after it.
 */
function throttle(turn: Turn, at: number, onward: (turn: Turn, at: number) => void): void {
  const { world, workflow, event } = turn.run;
  const { threshold, minutes } = turn.step.throttle ?? unlimited;
  const key = `${workflow.identifier} ${event._subscriberId}`;
  const passed = (world.throttled.get(key) ?? []).filter((time) => time > at - minutes * 60_000);
  if (passed.length < threshold) {
    world.throttled.set(key, [...passed, at]);
    become(turn, 'completed', at);
    onward(turn, at);
  } else skipTheRest(turn, at, { threshold, executionCount: passed.length });
}

/** Skips the remaining steps. The service counts this as a success. */
function skipTheRest(turn: Turn, at: number, result: object): void {
  note(turn, at, { detail: wording.throttled, raw: JSON.stringify({ throttled: true, ...result }) });
  for (let rest: Turn | undefined = turn; rest; rest = turnOf(rest.run, rest.index + 1)) become(rest, 'skipped', at);
}

type Onward = (turn: Turn, at: number) => void;

/** A digest step: a subscriber's first event collects, and those that follow in the meantime are merged into it. */
function collectDigest(turn: Turn, at: number, onward: Onward): void {
  const { world, workflow, event } = turn.run;
  const key = `${workflow.identifier} ${event._subscriberId}`;
  const collecting = world.openDigests.get(key);
  if (collecting) mergeInto(turn, collecting._id, at);
  else openDigest(turn, key, at, onward);
}

function openDigest(turn: Turn, key: string, at: number, onward: Onward): void {
  const { world, event } = turn.run;
  world.openDigests.set(key, event);
  turn.job.digest = { ...digestOf(turn, at), events: [event.payload] };
  become(turn, 'delayed', at);
  note(turn, at, { detail: wording.stepDigested });
  world.agenda.plan(at + waitOf(turn), (later) => {
    world.openDigests.delete(key);
    become(turn, 'completed', later);
    note(turn, later, { detail: wording.digestTriggered });
    onward(turn, later);
  });
}

const DAY_MS = 86_400_000;

/** Returns the job's digest, as its step has it. A timed one also has the rule and the end that the service computed. */
function digestOf({ step }: Turn, at: number): Json {
  const { metadata } = step.activity;
  if (metadata?.type === 'backoff') return metadata;
  if (metadata?.type !== 'timed') return { type: 'regular', amount: step.waitSeconds?.[0] ?? 60, unit: 'seconds' };
  const config = typeof metadata.timed === 'object' ? metadata.timed : {};
  const until = { cronExpression: '0 9 * * 1-5', untilDate: new Date(at + DAY_MS).toISOString() };
  return { ...metadata, timed: { ...config, ...until } };
}

function mergeInto(turn: Turn, digestedId: string, at: number): void {
  turn.run.event._digestedNotificationId = digestedId;
  note(turn, at, { detail: wording.digestMerged });
  for (let rest: Turn | undefined = turn; rest; rest = turnOf(rest.run, rest.index + 1)) become(rest, 'merged', at);
}

/** The share of delays that end outside the hours in which a subscriber wants to be reached, and are extended. */
const EXTENDED_SHARE = 0.3;

/** A delay step: nothing happens for the workflow's time. */
function waitForDelay(turn: Turn, at: number, onward: Onward): void {
  become(turn, 'delayed', at);
  note(turn, at, { detail: wording.stepDelayed });
  const { world } = turn.run;
  world.agenda.plan(at + waitOf(turn), (later) => {
    if (world.aside.chance(EXTENDED_SHARE)) turn.job.scheduleExtensionsCount = 1;
    become(turn, 'completed', later);
    note(turn, later, { detail: wording.delayFinished });
    onward(turn, later);
  });
}

function waitOf({ run, step }: Turn): number {
  const [shortest, longest] = step.waitSeconds ?? [60, 60];
  return run.world.random.between(shortest * 1000, longest * 1000);
}

function queueJob(run: Run, index: number, at: number): void {
  const turn = turnOf(run, index);
  if (!turn) return;
  become(turn, 'queued', at);
  note(turn, at, { detail: wording.stepQueued, status: 'Queued' });
  run.world.agenda.plan(at + run.world.random.between(150, 900), (later) => runJob(turn, later));
}

function queueNext({ run, index }: Turn, at: number): void {
  queueJob(run, index + 1, at);
}

/** Cancels the following jobs, which the service records as failures of their own. */
function cancelFollowers({ run, index }: Turn, at: number): void {
  for (let next = turnOf(run, index + 1); next; next = turnOf(run, next.index + 1)) {
    become(next, 'canceled', at);
    note(next, at, { detail: wording.canceledByPrevious, status: 'Failed' });
  }
}

function runJob(turn: Turn, at: number): void {
  const { world } = turn.run;
  become(turn, 'running', at);
  if (isExcluded(turn)) skip(turn, at);
  else if (turn.step.type === 'digest') collectDigest(turn, at, queueNext);
  else if (turn.step.type === 'delay') waitForDelay(turn, at, queueNext);
  else if (turn.step.type === 'throttle') throttle(turn, at, queueNext);
  else if (turn.step.type === 'custom') runCustom(turn, at, queueNext);
  else if (!world.random.chance(world.likelihood('stuck')))
    deliver(turn, at, { onward: queueNext, stop: cancelFollowers });
}

function isExcluded({ run: { world, event }, step: { filters } }: Turn): boolean {
  if (filters.length > 0 && world.random.chance(world.likelihood('conditionFalse'))) return true;
  return !allow(filters, event.payload);
}

function skip(turn: Turn, at: number): void {
  become(turn, 'skipped', at);
  const raw = JSON.stringify({ passed: false, conditions: turn.step.filters });
  note(turn, at, { detail: wording.skippedByConditions, status: 'Failed', raw });
  queueNext(turn, at);
}

export interface RunRequest {
  workflow: Workflow;
  subscriberId: string;
  transactionId: string;
  payload: Json;
  overrides: Json;
  topics: readonly string[];
  contextKeys: string[];
  /** The time at which the event appears, in milliseconds. */
  at: number;
}

/** Plans one run of a workflow for one subscriber: the event appears at its time, and its steps follow. */
export function startRun(world: World, request: RunRequest): void {
  world.agenda.plan(request.at, (at) => {
    const event = world.plantEvent(planOf(request, at));
    queueJob({ world, event, workflow: request.workflow }, 0, at);
  });
}

/** The queue's time for each person, in milliseconds: 5,000 events appear within 20 seconds. */
const EACH_PERSON_MS = 4;

/** Plans what a trigger starts: the events appear a moment later, one after another, as from a queue. */
export function startRuns(
  world: World,
  subscriberIds: readonly string[],
  request: Omit<RunRequest, 'subscriberId' | 'at'>,
): void {
  world.transactions.add(request.transactionId);
  for (const [nth, subscriberId] of subscriberIds.entries()) {
    const at = world.now() + world.random.between(300, 800) + nth * EACH_PERSON_MS;
    startRun(world, { ...request, subscriberId, at });
  }
}

/** Plans one trigger to a topic: an event for each of its subscribers, all with one transaction ID. Returns that ID. */
export function startForTopic(world: World, workflow: Workflow, topicKey: string, payload: Json): string {
  const transactionId = newTransactionId(world.random);
  const people = world.topic(topicKey).subscriptions.map(({ subscriberId }) => subscriberId);
  startRuns(world, people, { workflow, transactionId, payload, overrides: {}, topics: [topicKey], contextKeys: [] });
  return transactionId;
}

function planOf({ workflow, subscriberId, overrides, ...plan }: RunRequest, at: number): EventPlan {
  const created = { detail: wording.stepCreated, status: 'Pending', createdAt: at } as const;
  const steps = workflow.steps.filter(({ active }) => active);
  return {
    ...plan,
    workflow: workflow.identifier,
    subscriber: subscriberId,
    createdAt: at,
    jobs: steps.map(({ type, providerId }) => ({ type, providerId, status: 'pending', overrides, details: [created] })),
  };
}
