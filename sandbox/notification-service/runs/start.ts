import type { Json, Workflow } from '../entities.ts';
import type { EventPlan } from '../event-plan.ts';
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
  /** When the event appears, in milliseconds. */
  at: number;
}

/** Plans one run of a workflow for one subscriber: the event appears at its time, and its steps follow one another. */
export function startRun(world: World, request: RunRequest): void {
  world.agenda.plan(request.at, (at) => {
    const event = world.plantEvent(planOf(request, at));
    queueJob({ world, event, workflow: request.workflow }, 0, at);
  });
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
