import type { Job, TriggeredEvent, Workflow, WorkflowStep } from './entities.ts';
import { activeSteps, type DetailPlan, detailFromPlan } from './event-plan.ts';
import type { World } from './world.ts';

export interface Run {
  world: World;
  event: TriggeredEvent;
  workflow: Workflow;
}

/** A step of a run, and what the service shows of it. */
export interface Turn extends Run {
  index: number;
  job: Job;
  step: WorkflowStep;
}

export function turnAt({ world, event, workflow }: Run, index: number): Turn | undefined {
  const job = event.jobs[index];
  const step = activeSteps(workflow)[index];
  return job && step && { world, event, workflow, index, job, step };
}

export function turnsFrom(turn: Turn, from: number): Turn[] {
  return turn.event.jobs.flatMap((_, index) => (index < from ? [] : (turnAt(turn, index) ?? [])));
}

export function become({ event, job }: Turn, status: string, at: number): void {
  const time = new Date(at).toISOString();
  job.status = status;
  job.updatedAt = time;
  event.updatedAt = time;
}

/** Each detail names the provider of its job, which isn't always the one that was used. */
export function note({ world, job }: Turn, at: number, plan: DetailPlan): void {
  const provider = job.providerId ? { providerId: job.providerId } : {};
  job.executionDetails.push(detailFromPlan({ ...provider, ...plan }, at, world.random));
}
