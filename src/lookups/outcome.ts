import { max, min } from 'date-fns';
import { isReport } from '../failures/attempts.ts';
import { FAILURE_VERDICTS, type Verdict } from '../failures/verdict.ts';
import { hidesOutcome, isDelivery, isFinal, isMerged, type Job, type TriggeredEvent } from '../service/event.ts';

export type Outcome = Verdict | 'merged' | 'not-shown';

const FINE: readonly Outcome[] = ['retried-then-fine', 'unsubscribed', 'skipped-by-design'];

export const OUTCOME_ORDER: readonly Outcome[] = [
  ...FAILURE_VERDICTS.filter((verdict) => !FINE.includes(verdict)),
  'not-shown',
  'in-progress',
  ...FINE,
  ...(['merged', 'delivered'] as const),
];

export const needsEyes = (outcome: Outcome) => OUTCOME_ORDER.indexOf(outcome) < OUTCOME_ORDER.indexOf('not-shown');

export function outcomeOf(event: TriggeredEvent, { verdict }: { verdict: Verdict }): Outcome {
  if (hidesOutcome(event) && !needsEyes(verdict)) return 'not-shown';
  const sending = event.jobs.filter(isDelivery);
  // Another event's digest delivers it.
  return verdict === 'delivered' && sending.length > 0 && sending.every(isMerged) ? 'merged' : verdict;
}

/** From the event to the end of its last delivery; null before that, or without times. */
export function durationsOf({ createdAt, jobs }: TriggeredEvent): { totalMs: number; plannedMs: number } | null {
  const sending = jobs.filter(isDelivery);
  const ends = sending.flatMap((job) => stepTimes(job)?.last ?? []);
  if (createdAt === null || ends.length === 0 || !sending.every(isFinal)) return null;
  const plannedMs = jobs.reduce((sum, job) => {
    const waited = waitedMs(job);
    return sum + (waited === null ? 0 : Math.min(waited, job.wait?.ms ?? waited));
  }, 0);
  return { totalMs: Math.max(0, max(ends).getTime() - createdAt.getTime()), plannedMs };
}

/** How long a delay or digest took; null for other steps, and before its end. */
export function waitedMs(job: Job): number | null {
  const times = isFinal(job) && !isDelivery(job) && job.wait !== null ? stepTimes(job) : null;
  return times && times.last.getTime() - times.began.getTime();
}

/** Excludes what is reported afterwards. */
export function stepTimes({ details, updatedAt }: Job): { began: Date; last: Date } | null {
  const attempts = details.filter((detail) => !isReport(detail));
  const stated = [...attempts.map(({ createdAt }) => createdAt), attempts.length < details.length ? null : updatedAt];
  const times = stated.filter((time) => time !== null);
  return times.length === 0 ? null : { began: min(times), last: max(times) };
}
