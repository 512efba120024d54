import type { VerdictCounts } from '../../../domain/failures/failure.ts';
import { COUNTED_VERDICTS } from '../../../domain/failures/verdict.ts';
import { joined, type Markup, mrkdwn } from '../text.ts';
import { outcomeCount } from './verdict-word.ts';

/** 'Not alerted: 9 undeliverable · 31 skipped by design · 2 succeeded on retry': what wakes nobody, in a line. */
export function countedLine(counts: VerdictCounts): Markup {
  return mrkdwn`Not alerted: ${joined(countedWords(counts), ' · ')}`;
}

/** '9 undeliverable', '1 warning': what wakes nobody, by verdict. */
export function countedWords(counts: VerdictCounts): Markup[] {
  const present = COUNTED_VERDICTS.filter((verdict) => (counts[verdict] ?? 0) > 0);
  return present.map((verdict) => outcomeCount(verdict, counts[verdict] ?? 0));
}
