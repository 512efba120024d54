import { isFinal, isKnown, type Job, type TriggeredEvent } from '../service/event.ts';
import { goesOnAt } from '../service/wait.ts';

/** How long after its last sign of life an event counts as stuck, unless it is waiting for a digest or delay. */
export const STUCK_AFTER_MS = 15 * 60_000;

export function isStuck(job: Job, event: TriggeredEvent, now: Date): boolean {
  return isOverdue(event, now) && whatHolds(job, event.jobs).every(isKnown);
}

export function isOverdue(event: TriggeredEvent, now: Date): boolean {
  const lastSign = lastSignOfLife(event) ?? now.getTime();
  const waits = event.jobs.filter(isWaiting).map((other) => goesOnAt(other, new Date(lastSign)).getTime());
  return now.getTime() > Math.max(lastSign, ...waits) + STUCK_AFTER_MS;
}

function whatHolds(job: Job, jobs: readonly Job[]): readonly Job[] {
  return job.status === NOT_BEGUN ? jobs : jobs.slice(0, jobs.indexOf(job) + 1);
}

const NOT_BEGUN = 'pending';
const WAITING_STEPS = new Set(['digest', 'delay']);

/** The contract leaves the statuses open: any that isn't final counts, unless the step hasn't begun because of one before it. */
function isWaiting(job: Job, index: number, jobs: readonly Job[]): boolean {
  if (isFinal(job)) return false;
  if (job.status === 'delayed') return true;
  const isNext = job.status !== NOT_BEGUN || jobs.slice(0, index).every(isFinal);
  return isNext && WAITING_STEPS.has(job.type) && statesWait(job);
}

function statesWait({ wait, scheduleExtensions }: Job): boolean {
  return (
    scheduleExtensions > 0 || (wait !== null && (wait.ms !== null || wait.until !== null || wait.type === 'timed'))
  );
}

/** Returns the latest time that an event states, in milliseconds; null if it states none. */
export function lastSignOfLife(event: TriggeredEvent): number | null {
  const times = [event.createdAt, event.updatedAt, ...event.jobs.map((job) => job.updatedAt)];
  const details = event.jobs.flatMap((job) => job.details.map((detail) => detail.createdAt));
  const known = [...times, ...details].flatMap((time) => (time === null ? [] : [time.getTime()]));
  return known.length === 0 ? null : Math.max(...known);
}
