import { type ExecutionDetail, isFinal, type Job } from '../service/event.ts';

/** The times of a step, as its execution details tell them. Milliseconds; null where they do not. */
export interface StepTimes {
  readonly began: Date;
  /** When it was done; null for a step that is not final. */
  readonly ended: Date | null;
  /** From its first detail to its last word of queueing: the steps before it, the queue. */
  readonly waitedMs: number;
  /** From then on to its end. */
  readonly ranMs: number | null;
}

/**
 * When a step began, how long it waited for its turn and how long it ran. What a webhook reports afterwards is no part of it. Null
 * where no detail has a time and the service tells none for the job.
 */
export function stepTimes(job: Job): StepTimes | null {
  const own = timed(job.details.filter((detail) => !isReport(detail)));
  const isTouchedLater = own.length < timed(job.details).length;
  const ends = [...own.map(({ at }) => at), ...(isTouchedLater ? [] : [job.updatedAt?.getTime() ?? Number.NaN])];
  const times = ends.filter((at) => !Number.isNaN(at));
  if (times.length === 0) return null;
  const began = Math.min(...times);
  const started = own.findLast(({ detail }) => detail.status === 'Queued')?.at ?? began;
  const ended = isFinal(job) ? Math.max(...times) : null;
  return {
    began: new Date(began),
    ended: ended === null ? null : new Date(ended),
    waitedMs: started - began,
    ranMs: ended === null ? null : Math.max(0, ended - started),
  };
}

/** How long after its step was done a webhook reported this; null for what belongs to the step itself. Milliseconds. */
export function howLate(detail: ExecutionDetail, times: StepTimes | null): number | null {
  const ended = times?.ended ?? null;
  if (!isReport(detail) || detail.createdAt === null || ended === null) return null;
  return Math.max(0, detail.createdAt.getTime() - ended.getTime());
}

/** Whether a provider's webhook reported a detail after the sending. */
function isReport({ source }: ExecutionDetail): boolean {
  return source === 'Webhook';
}

function timed(details: readonly ExecutionDetail[]) {
  return details
    .flatMap((detail) => (detail.createdAt === null ? [] : [{ detail, at: detail.createdAt.getTime() }]))
    .sort((a, b) => a.at - b.at);
}
