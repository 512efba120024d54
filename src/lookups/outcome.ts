import { max, min } from 'date-fns';
import { isReport } from '../judging/detail-kinds.ts';
import { RECORDED_VERDICTS, type Verdict } from '../judging/verdict.ts';
import { hidesOutcome, isDelivery, isFinal, isMerged, type Job, type TriggeredEvent } from '../service/event.ts';

export type Outcome = Verdict | 'merged' | 'not-shown';

const FINE: readonly Outcome[] = ['retried-then-fine', 'unsubscribed', 'skipped-by-design'];

/** What somebody should look at comes first. */
export const OUTCOME_ORDER: readonly Outcome[] = [
  ...RECORDED_VERDICTS.filter((verdict) => !FINE.includes(verdict)),
  'not-shown',
  'in-progress',
  ...FINE,
  'merged',
  'delivered',
];

/** Whether somebody should look at it: it isn't fine, and neither open nor hidden. */
export const needsEyes = (outcome: Outcome): boolean =>
  OUTCOME_ORDER.indexOf(outcome) < OUTCOME_ORDER.indexOf('not-shown');

export function outcomeOf(event: TriggeredEvent, { verdict }: { verdict: Verdict }): Outcome {
  if (hidesOutcome(event) && !needsEyes(verdict)) return 'not-shown';
  const deliveries = event.jobs.filter(isDelivery);
  // Another event's digest step delivers merged ones.
  const isAllMerged = deliveries.length > 0 && deliveries.every(isMerged);
  return verdict === 'delivered' && isAllMerged ? 'merged' : verdict;
}

/** From an event's creation to its last delivery, and what of it was planned waits; null: it isn't over. */
export function durationsOf({ createdAt, jobs }: TriggeredEvent): { totalMs: number; plannedMs: number } | null {
  const deliveries = jobs.filter(isDelivery);
  const ends = deliveries.flatMap((job) => stepTimes(job)?.last ?? []);
  if (createdAt === null || ends.length === 0 || !deliveries.every(isFinal)) return null;
  const plannedMs = jobs.reduce((sum, job) => {
    const waited = waitMsOf(job);
    return sum + (waited === null ? 0 : Math.min(waited, job.wait?.ms ?? waited));
  }, 0);
  return { totalMs: Math.max(0, max(ends).getTime() - createdAt.getTime()), plannedMs };
}

/** How long a delay or digest step took; null: the step is another, or isn't over. */
export function waitMsOf(job: Job): number | null {
  const times = isFinal(job) && !isDelivery(job) && job.wait !== null ? stepTimes(job) : null;
  return times && times.last.getTime() - times.began.getTime();
}

/** Without reports, like a bounce, which come afterwards: with one, `updatedAt` is the report's time. */
export function stepTimes({ details, updatedAt }: Job): { began: Date; last: Date } | null {
  const attempts = details.filter((detail) => !isReport(detail));
  const hasReport = attempts.length < details.length;
  const stated = [...attempts.map(({ createdAt }) => createdAt), hasReport ? null : updatedAt];
  const times = stated.filter((time) => time !== null);
  return times.length === 0 ? null : { began: min(times), last: max(times) };
}
