import type { JudgedEvent } from '../failures/judge.ts';
import { needsEyes, outcomeOf } from '../lookups/outcome.ts';

/** `sending`: nobody knows yet if the service has it. `unclear`: nobody found out. `no-event`: accepted, and then nothing. */
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
/** What the loop still has to do with. */
export const OPEN_STATES: readonly SendingState[] = ['waiting', 'sending', 'sent'];
/** A later attempt has the same transaction ID, so it can't send twice. */
export const CAN_BE_TRIED_AGAIN: readonly SendingState[] = ['refused', 'left-out', 'unclear'];

/** Null while it isn't over. */
export function finalStateOf({ event, judgement }: JudgedEvent): 'delivered' | 'failed' | 'skipped' | null {
  const outcome = outcomeOf(event, judgement);
  if (outcome === 'in-progress' || outcome === 'not-shown') return null;
  if (outcome === 'skipped-by-design') return 'skipped';
  return needsEyes(outcome) && outcome !== 'warning' ? 'failed' : 'delivered';
}
