import { addMilliseconds, max, min } from 'date-fns';
import { HOUR_MS, MINUTE_MS, WEEK_MS } from '../lib/time/durations.ts';
import { isFinal, type Job, type TriggeredEvent } from '../service/event.ts';

/** Nothing was heard of an event for so long after it should have gone on. */
export const STUCK_AFTER_MS = 15 * MINUTE_MS;
/** Longer than any wait whose length the service doesn't state is likely to be. */
const UNSTATED_WAIT_MS = WEEK_MS;
/** A subscriber's schedule can postpone a step for a weekend: from Friday 17:00 to Monday 9:00. */
const MOST_EXTENDED_MS = 64 * HOUR_MS;

/** When the last of the event's waits is over; null: none of its steps waits. */
export function waitsUntil(event: TriggeredEvent): Date | null {
  const lastSign = lastSignOf(event);
  const waiting = waitingSteps(event);
  return lastSign === null || waiting.length === 0 ? null : max(waiting.map((job) => continuesAt(job, lastSign)));
}

/** Whether the event should have gone on long ago. */
export function isOverdue(event: TriggeredEvent, now: Date): boolean {
  const lastSign = lastSignOf(event);
  if (lastSign === null) return false;
  const waiting = waitingSteps(event);
  const extended = waiting.filter(({ scheduleExtensions }) => scheduleExtensions > 0);
  const waits = waiting.map((job) => continuesAt(job, lastSign));
  const isLongPast = (at: Date): boolean => now.getTime() > at.getTime() + STUCK_AFTER_MS;
  return extended.some((job) => isLongPast(extendedTo(event, job))) || isLongPast(max([lastSign, ...waits]));
}

/** The newest time that the event, its steps or their details have; null: none has one. */
export function lastSignOf({
  createdAt,
  updatedAt,
  jobs,
}: Pick<TriggeredEvent, 'createdAt' | 'updatedAt' | 'jobs'>): Date | null {
  const jobTimes = jobs.flatMap((job) => [job.updatedAt, ...job.details.map((detail) => detail.createdAt)]);
  const times = [createdAt, updatedAt, ...jobTimes].filter((time) => time !== null);
  return times.length === 0 ? null : max(times);
}

function waitingSteps({ jobs }: TriggeredEvent): readonly Job[] {
  const next = jobs.find((job) => !isFinal(job));
  return jobs.filter((job) => isWaiting(job, job === next));
}

function isWaiting(job: Job, isNext: boolean): boolean {
  const { type, status, wait, scheduleExtensions } = job;
  if (status === 'delayed') return true;
  if (isFinal(job)) return false;
  const isItsTurn = status !== 'pending' || isNext;
  const statesWait = wait !== null && (wait.ms !== null || wait.until !== null || wait.type === 'timed');
  return isItsTurn && ['digest', 'delay', 'wait'].includes(type) && (scheduleExtensions > 0 || statesWait);
}

/** Each extension counts as a sign of life, so the wait is measured from its beginning. */
function extendedTo(event: TriggeredEvent, { details, wait, updatedAt }: Job): Date {
  const times = details.map(({ createdAt }) => createdAt);
  const beganAt = min([...times, event.createdAt, updatedAt].filter((time) => time !== null));
  return addMilliseconds(wait?.until ?? addMilliseconds(beganAt, wait?.ms ?? 0), MOST_EXTENDED_MS);
}

function continuesAt({ wait, scheduleExtensions }: Job, lastSign: Date): Date {
  const unstated = addMilliseconds(lastSign, UNSTATED_WAIT_MS);
  if (scheduleExtensions > 0 || wait === null) return unstated;
  return wait.until ?? (wait.ms === null ? unstated : addMilliseconds(lastSign, wait.ms));
}
