import type { VerdictCounts } from '../../../domain/failures/failure.ts';
import { COUNTED_VERDICTS } from '../../../domain/failures/verdict.ts';
import { joined, type Markup, mrkdwn } from '../text.ts';
import { outcomeCount } from './verdict-word.ts';

export function countedLine(counts: VerdictCounts): Markup {
  return mrkdwn`Not alerted: ${joined(countedWords(counts), ' · ')}`;
}

export function countedWords(counts: VerdictCounts): Markup[] {
  const present = COUNTED_VERDICTS.filter((verdict) => (counts[verdict] ?? 0) > 0);
  return present.map((verdict) => outcomeCount(verdict, counts[verdict] ?? 0));
}
