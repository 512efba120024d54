import { OUTCOME_ORDER } from '../../lookups/outcome.ts';
import type { SentTo } from '../../sendings/progress.ts';
import type { TriggerState } from '../../sendings/trigger-states.ts';
import { OUTCOME_EMOJI, outcomeWords } from './outcomes.ts';

/** The action that lists those who didn't get what was sent again. */
export const SENDING_REST = 'sending.rest';

export interface StateWords {
  emoji: string;
  word: string;
}

export const IN_PROGRESS: StateWords = { emoji: '⏳', word: 'in progress' };

const WORDS: { [State in TriggerState]?: StateWords } = {
  refused: { emoji: '🔴', word: 'not sent' },
  failed: { emoji: '🔴', word: 'failed' },
  unclear: { emoji: '❔', word: 'not known: it may have gone through' },
  'no-event': { emoji: '🟡', word: 'the service accepted it and made no event' },
  sent: IN_PROGRESS,
  sending: IN_PROGRESS,
  'left-out': { emoji: '⏭️', word: 'left out' },
  skipped: { emoji: '⏭️', word: 'skipped by design' },
  delivered: { emoji: '✅', word: 'delivered' },
};

/** States are shown in this order, the worst first. */
export const STATE_ORDER = Object.keys(WORDS) as readonly TriggerState[];

/** A failed event's state has the words that its card has for the outcome. */
const FAILED_WORDS = new Map(
  OUTCOME_ORDER.map((outcome) => [outcome, { emoji: OUTCOME_EMOJI[outcome], word: outcomeWords(outcome) }]),
);

export function stateWords({ state, outcome = 'failed' }: Pick<SentTo, 'state' | 'outcome'>): StateWords {
  return (state === 'failed' ? FAILED_WORDS.get(outcome) : undefined) ?? WORDS[state] ?? IN_PROGRESS;
}
