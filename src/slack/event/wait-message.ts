import { addMilliseconds } from 'date-fns';
import type { StepTimes } from '../../domain/lookups/step-times.ts';
import { isFinal, type Job } from '../../domain/service/event.ts';
import type { Wait } from '../../domain/service/wait.ts';
import { describeDuration } from '../../domain/time/time-range.ts';
import { joined, type Markup, mrkdwn, plural } from '../blocks/text.ts';
import { time } from '../blocks/times.ts';

export function waitLine(job: Job, times: StepTimes | null): Markup[] {
  const { wait, scheduleExtensions } = job;
  const parts = [
    ...(wait === null ? [] : [...lasting(wait, job, times), ...ruleOf(wait)]),
    ...(scheduleExtensions === 0 ? [] : [mrkdwn`extended ${scheduleExtensions}× to fit the subscriber's schedule`]),
  ];
  return parts.length === 0 ? [] : [joined(parts, ' · ')];
}

function lasting(wait: Wait, job: Job, times: StepTimes | null): Markup[] {
  const { ms } = wait;
  if (isFinal(job)) return ms === null ? [] : [mrkdwn`was to wait ${describeDuration(ms)}`];
  const waits = isWaiting(job) ? 'waits' : 'will wait';
  const end = endOf(wait, job, times);
  const until = end === null ? mrkdwn`` : mrkdwn` until ${time(end, 'day')}`;
  return [
    ms === null ? mrkdwn`${waits}${until}` : mrkdwn`${waits} ${describeDuration(ms)}${end === null ? '' : ','}${until}`,
  ];
}

function isWaiting({ status }: Job): boolean {
  return status === 'delayed';
}

/**
 * Counted from the step's last sign of life unless the service states it. Null if it's unknown: a step may still wait
 * for those before it, and an extended wait ends later than stated.
 */
function endOf({ ms, until }: Wait, job: Job, times: StepTimes | null): Date | null {
  if (job.scheduleExtensions > 0) return null;
  if (until !== null) return until;
  return ms === null || times === null || !isWaiting(job) ? null : addMilliseconds(times.lastSign, ms);
}

function ruleOf({ type, collected }: Wait): Markup[] {
  return [
    ...(type === null || type === 'regular' ? [] : [mrkdwn`${type}`]),
    ...(collected === null ? [] : [mrkdwn`collected ${plural(collected, 'event')}`]),
  ];
}
