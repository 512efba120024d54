import { describeDuration, SECOND_MS } from '../../../lib/time/durations.ts';
import type { FoundEvent } from '../../../lookups/event.ts';
import { durationsOf, waitMsOf } from '../../../lookups/outcome.ts';
import { channelName } from '../../../service/channels.ts';
import type { Job, TriggeredEvent } from '../../../service/event.ts';
import { joined, type Markup, mrkdwn, named } from '../../kit/text.ts';
import { aheadWords, time } from '../../kit/times.ts';
import { stepOutcome, stepTime } from './step-lines.ts';

const MOST_IN_STORY = 10;

/** Below this, a duration says nothing. */
const WORTH_SAYING_MS = 10 * SECOND_MS;

/** 'received 12:00:00 → in-app ✅ 12:00:01 → email 🔴 12:00:05 (2 attempts)' */
export function storyLine({ event, judgment, aheadMs }: FoundEvent): Markup {
  const steps = judgment.steps.filter(({ job }) => job.type !== 'trigger');
  const moreSteps = steps.length - MOST_IN_STORY;
  const words = steps.slice(0, MOST_IN_STORY).map((step) => {
    const { job } = step;
    const retries = job.details.filter(({ isRetry }) => isRetry).length;
    const attempts = retries > 0 && mrkdwn`(${retries + 1} attempts)`;
    const { emoji } = stepOutcome(step, { event });
    return joined([named(channelName(job.type)), emoji, stepTime(job, event), attempts, waitedWords(job)], ' ');
  });
  const ahead = aheadMs && mrkdwn`(${aheadWords(aheadMs)})`;
  const received = joined([mrkdwn`received ${time(event.createdAt, 'seconds')}`, ahead], ' ');
  const story = joined([received, ...words, moreSteps > 0 && mrkdwn`${moreSteps} more`], ' → ');
  return joined([story, durationWords(event)]);
}

function waitedWords(job: Job): Markup | null {
  const waited = waitMsOf(job);
  if (waited === null || waited < SECOND_MS) return null;
  return mrkdwn`(${describeDuration(waited)} for a ${describeDuration(job.wait?.ms ?? waited)} wait)`;
}

function durationWords(event: TriggeredEvent): Markup | null {
  const durations = durationsOf(event);
  if (durations === null || durations.totalMs < WORTH_SAYING_MS) return null;
  const { totalMs, plannedMs } = durations;
  const planned = plannedMs >= SECOND_MS && mrkdwn`${describeDuration(plannedMs)} of it planned`;
  return joined([mrkdwn`${describeDuration(totalMs)} in all`, planned], ', ');
}
