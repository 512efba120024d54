import type { JudgedEvent } from '../judging/judge.ts';
import { needsEyes, outcomeOf } from '../lookups/outcome.ts';
/** What became of an event that is sent as a test, or again. */
export const TRIGGER_STATES = [
  'waiting',
  'sending', // not confirmed yet
  'sent', // accepted, and not final yet
  'delivered',
  'skipped',
  'failed',
  'no-event', // accepted, but no event appeared
  'refused', // by the service
  'left-out', // by Notif, which says why
  'unclear', // never confirmed
] as const;
export type TriggerState = (typeof TRIGGER_STATES)[number];

export const OPEN_STATES: readonly TriggerState[] = ['waiting', 'sending', 'sent'];
/** An event in one of these can be sent again once more. */
export const REPEATABLE_STATES: readonly TriggerState[] = ['refused', 'left-out', 'unclear'];

/** Returns null while the outcome isn't final, or not shown. */
export function finalStateOf({ event, judgment }: JudgedEvent): 'failed' | 'skipped' | 'delivered' | null {
  const outcome = outcomeOf(event, judgment);
  if (outcome === 'in-progress' || outcome === 'not-shown') return null;
  if (outcome === 'skipped-by-design') return 'skipped';
  return needsEyes(outcome) && outcome !== 'warning' ? 'failed' : 'delivered';
}
