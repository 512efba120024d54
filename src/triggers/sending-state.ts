import type { JudgedEvent } from '../failures/judge.ts';
import { needsEyes, outcomeOf } from '../lookups/outcome.ts';

/** `sending`: not confirmed yet; `unclear`: never confirmed; `no-event`: accepted, but no event appeared. */
export type SendingState = (typeof SENDING_STATES)[number];
export const SENDING_STATES = [
  'waiting',
  'sending',
  'sent',
  'delivered',
  'skipped',
  'failed',
  'no-event',
  'refused',
  'left-out',
  'unclear',
] as const;
export const OPEN_STATES: readonly SendingState[] = ['waiting', 'sending', 'sent'];
export const CAN_BE_TRIED_AGAIN: readonly SendingState[] = ['refused', 'left-out', 'unclear'];

export function finalStateOf({ event, judgement }: JudgedEvent): 'delivered' | 'failed' | 'skipped' | null {
  const outcome = outcomeOf(event, judgement);
  if (outcome === 'in-progress' || outcome === 'not-shown') return null;
  if (outcome === 'skipped-by-design') return 'skipped';
  return needsEyes(outcome) && outcome !== 'warning' ? 'failed' : 'delivered';
}
