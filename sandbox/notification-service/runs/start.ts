import type { Json, Workflow } from '../entities.ts';
import type { EventPlan } from '../event-plan.ts';
import { transactionId as newTransactionId } from '../random.ts';
import { wording } from '../wording.ts';
import type { World } from '../world.ts';
import { queueJob } from './steps.ts';

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
