import type { Attempt } from '../judging/attempts.ts';
import { isDelivery, type Job } from '../service/event.ts';
import type { Reread, ResendPlan } from './resend-plan.ts';

/** What sending again takes. */
interface SendPaths {
  /** How many milliseconds each event waits at delays and digests, null for an unknown time; those without one are left out. */
  waits: readonly (number | null)[];
  /** Whether an event is sent by this channel, and may be by this provider; null: any. */
  usesStep(place: { channel: string; provider: string | null }): boolean;
}

const WAITING_TYPES = ['delay', 'digest'];

export function pathsOf({ toSend }: ResendPlan, { events }: Reread, now: Date): SendPaths {
  const sent = toSend.flatMap(({ eventKey }) => events.get(eventKey) ?? []);
  const steps = sent.flatMap(({ judgment }) => judgment.steps.filter(({ job }) => isDelivery(job)));
  const waits = sent.flatMap(({ event: { jobs } }) => {
    const waiting = jobs.filter(({ type, status }) => WAITING_TYPES.includes(type) && status !== 'skipped');
    return waiting.length === 0 ? [] : [waitMsOf(waiting, now)];
  });
  return {
    waits,
    usesStep: ({ channel, provider }) => {
      const mayAsk = (attempt: Attempt) =>
        provider === null || attempt.provider === null || attempt.provider === provider;
      return steps.some(({ job, attempts }) => job.type === channel && attempts.some(mayAsk));
    },
  };
}

/** One unknown time makes the sum unknown. */
function waitMsOf(waiting: readonly Job[], now: Date): number | null {
  let sum = 0;
  for (const { wait } of waiting) {
    const ms = wait?.until ? Math.max(0, wait.until.getTime() - now.getTime()) : (wait?.ms ?? null);
    if (ms === null) return null;
    sum += ms;
  }
  return sum;
}
