import { max, min } from 'date-fns';
import { FAILURE_VERDICTS, type Verdict } from '../failures/verdict.ts';
import { hidesOutcome, type Job, type TriggeredEvent } from '../service/event.ts';

export type Outcome = Verdict | 'not-shown';

const FINE: readonly Outcome[] = ['retried-then-fine', 'unsubscribed', 'skipped-by-design'];

export const OUTCOME_ORDER: readonly Outcome[] = [
  ...FAILURE_VERDICTS.filter((verdict) => !FINE.includes(verdict)),
  'not-shown',
  'in-progress',
  ...FINE,
  'delivered',
];

export function needsEyes(outcome: Outcome): boolean {
  return OUTCOME_ORDER.indexOf(outcome) < OUTCOME_ORDER.indexOf('not-shown');
}

export function outcomeOf(event: TriggeredEvent, { verdict }: { verdict: Verdict }): Outcome {
  return hidesOutcome(event) && !needsEyes(verdict) ? 'not-shown' : verdict;
}

/** Without what a webhook reports afterwards. */
export function stepTimes({ details, updatedAt }: Job): { began: Date; last: Date } | null {
  const attempts = details.filter(({ source }) => source !== 'Webhook');
  const stated = [...attempts.map(({ createdAt }) => createdAt), attempts.length < details.length ? null : updatedAt];
  const times = stated.filter((time) => time !== null);
  return times.length === 0 ? null : { began: min(times), last: max(times) };
}
