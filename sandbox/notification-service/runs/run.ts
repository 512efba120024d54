import type { Job, JobStatus, TriggeredEvent, Workflow, WorkflowStep } from '../entities.ts';
import { type DetailPlan, detailFromPlan } from '../event-plan.ts';
import type { Random } from '../random.ts';
import type { World } from '../world.ts';

/** One run of a workflow for one subscriber. */
export interface Run {
  readonly world: World;
  readonly event: TriggeredEvent;
  readonly workflow: Workflow;
}

/** The current step of a run. */
export interface Turn {
  readonly run: Run;
  readonly index: number;
  readonly job: Job;
  readonly step: WorkflowStep;
}

/** Returns a run's step at this index; undefined after the last one. */
export function turnOf(run: Run, index: number): Turn | undefined {
  const job = run.event.jobs[index];
  const step = run.workflow.steps.filter(({ active }) => active)[index];
  return job && step ? { run, index, job, step } : undefined;
}

export function become({ run, job }: Turn, status: JobStatus, at: number): void {
  const time = new Date(at).toISOString();
  job.status = status;
  job.updatedAt = time;
  run.event.updatedAt = time;
}

export function note({ run, job }: Turn, at: number, plan: DetailPlan, random: Random = run.world.random): void {
  job.executionDetails.push(detailFromPlan(plan, at, random));
}
