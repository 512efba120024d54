import type { Verdict } from '../failures/verdict.ts';
import { hidesOutcome, type TriggeredEvent } from '../service/event.ts';

/** What an answer can say about an event: its verdict, or that the service's response doesn't show it. */
export type Outcome = Verdict | 'not-shown';

/** The order of attention, the most severe first. */
export const OUTCOME_ORDER: readonly Outcome[] = [
  'failed',
  'partly-failed',
  'bounced',
  'stuck',
  'undeliverable',
  'warning',
  'not-shown',
  'in-progress',
  'retried-then-fine',
  'skipped-by-design',
  'delivered',
];

const NEEDS_EYES = new Set<Outcome>(['failed', 'partly-failed', 'bounced', 'stuck', 'undeliverable', 'warning']);

export function needsEyes(outcome: Outcome): boolean {
  return NEEDS_EYES.has(outcome);
}

/** A verdict without a failure doesn't hold if a part of the response is missing or couldn't be read: a failure may be in it. */
export function outcomeOf(
  event: Pick<TriggeredEvent, 'listsSteps' | 'unreadable'>,
  { verdict }: { readonly verdict: Verdict },
): Outcome {
  return hidesOutcome(event) && !needsEyes(verdict) ? 'not-shown' : verdict;
}
