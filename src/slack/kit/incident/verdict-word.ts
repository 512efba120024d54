import type { VerdictCounts } from '../../../failures/failure.ts';
import {
  COUNTED_VERDICTS,
  type FailureVerdict,
  isAnnounced,
  VERDICT_WORDS,
  type Verdict,
} from '../../../failures/verdict.ts';
import type { Outcome } from '../../../lookups/outcome.ts';
import type { TriggeredEvent } from '../../../service/event.ts';
import { joined, type Markup, mrkdwn, plural } from '../text.ts';

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

export const OUTCOME_EMOJI: { readonly [O in Outcome]: string } = { ...VERDICT_EMOJI, 'not-shown': '❔' };
export const OUTCOME_WORDS: { readonly [O in Outcome]: string } = {
  ...VERDICT_WORDS,
  'not-shown': 'outcome not shown',
};

/** Color and word together, for people who can't see the color. */
export function outcomeWord(outcome: Outcome): string {
  return `${OUTCOME_EMOJI[outcome]} ${OUTCOME_WORDS[outcome]}`;
}

export function outcomeCount(outcome: Outcome, count: number): Markup {
  if (outcome === 'warning') return plural(count, 'warning');
  return outcome === 'not-shown' ? mrkdwn`${count} with no outcome shown` : mrkdwn`${count} ${OUTCOME_WORDS[outcome]}`;
}

export function countedLine(counts: VerdictCounts): Markup {
  return mrkdwn`Not alerted: ${joined(countedWords(counts), ' · ')}`;
}

export function countedWords(counts: VerdictCounts): Markup[] {
  const present = COUNTED_VERDICTS.filter((verdict) => (counts[verdict] ?? 0) > 0);
  return present.map((verdict) => outcomeCount(verdict, counts[verdict] ?? 0));
}

/** Only what is announced is called a failure. */
export function failureCount(verdict: FailureVerdict, count: number): Markup {
  return isAnnounced(verdict) ? plural(count, 'failure') : outcomeCount(verdict, count);
}

export function notShownReason({ listsSteps }: Pick<TriggeredEvent, 'listsSteps'>): string {
  return listsSteps ? "a part that may hold a failure couldn't be read" : "the answer doesn't show its steps";
}

export function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
