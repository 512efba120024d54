import { VERDICT_WORDS, type Verdict } from '../../../domain/failures/verdict.ts';
import type { Outcome } from '../../../domain/lookups/outcome.ts';

export const VERDICT_EMOJI: { readonly [V in Verdict]: string } = {
  delivered: '✅',
  failed: '🔴',
  'partly-failed': '🟡',
  bounced: '🟠',
  undeliverable: '🟠',
  'skipped-by-design': '⏭️',
  'retried-then-fine': '✅',
  'in-progress': '⏳',
  stuck: '🟡',
  warning: '⚠️',
};

/** '🔴 failed': color and word together, for people who can't see the color. */
export function outcomeWord(outcome: Outcome): string {
  return outcome === 'not-shown' ? '❔ outcome not shown' : `${VERDICT_EMOJI[outcome]} ${VERDICT_WORDS[outcome]}`;
}

/** 'Failed' */
export function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
