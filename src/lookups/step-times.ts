import { type ExecutionDetail, isFinal, type Job } from '../service/event.ts';

/** The times of a step, from its execution details. Milliseconds; null if they have none. */
export interface StepTimes {
  readonly began: Date;
  readonly ended: Date | null;
  /** The newest of its times: for a step that waits, when the wait began. */
  readonly lastSign: Date;
  /** From its first detail to its last one about queueing: waiting for the steps before it and for the queue. */
  readonly waitedMs: number;
  /** From then to its end. */
  readonly ranMs: number | null;
}

/** Ignores what a webhook reports afterwards. Null if no detail has a time and the service gives none for the job. */
export function stepTimes(job: Job): StepTimes | null {
  const ownDetails = timed(job.details.filter((detail) => !isReport(detail)));
  const isTouchedLater = ownDetails.length < timed(job.details).length;
  const ends = [...ownDetails.map(({ at }) => at), ...(isTouchedLater ? [] : [job.updatedAt?.getTime() ?? Number.NaN])];
  const times = ends.filter((at) => !Number.isNaN(at));
  if (times.length === 0) return null;
  const began = Math.min(...times);
  const started = ownDetails.findLast(({ detail }) => detail.status === 'Queued')?.at ?? began;
  const lastSign = Math.max(...times);
  const ended = isFinal(job) ? lastSign : null;
  return {
    began: new Date(began),
    ended: ended === null ? null : new Date(ended),
    lastSign: new Date(lastSign),
    waitedMs: started - began,
    ranMs: ended === null ? null : Math.max(0, ended - started),
  };
}

/** Returns how long after the end of its step a webhook reported this, in milliseconds; null for what belongs to the step itself. */
export function howLate(detail: ExecutionDetail, times: StepTimes | null): number | null {
  const ended = times?.ended ?? null;
  if (!isReport(detail) || detail.createdAt === null || ended === null) return null;
  return Math.max(0, detail.createdAt.getTime() - ended.getTime());
}

function isReport({ source }: ExecutionDetail): boolean {
  return source === 'Webhook';
}

function timed(details: readonly ExecutionDetail[]) {
  return details
    .flatMap((detail) => (detail.createdAt === null ? [] : [{ detail, at: detail.createdAt.getTime() }]))
    .sort((a, b) => a.at - b.at);
}
