import { COUNTED_VERDICTS, isAnnounced, type RecordedVerdict, type VerdictCounts } from '../../judging/verdict.ts';
import { describeDuration } from '../../lib/time/durations.ts';
import type { Outcome } from '../../lookups/outcome.ts';
import { FEWEST_FOR_PERCENT, type Markup, mrkdwn, percent, plural } from './text.ts';

export const OUTCOME_EMOJI = {
  delivered: '✅',
  failed: '🔴',
  'partly-failed': '🔴',
  bounced: '🟠',
  complained: '🟠',
  unsubscribed: '⚪',
  undeliverable: '🟠',
  'not-sent': '⏭️',
  'skipped-by-design': '⏭️',
  'retried-then-fine': '✅',
  'in-progress': '⏳',
  stuck: '🟡',
  warning: '⚠️',
  merged: '⏭️',
  'not-shown': '❔',
};

const OUTCOME_WORDS: { [O in Outcome]?: string } = {
  complained: 'reported as spam',
  'not-sent': 'not sent: an earlier step failed',
  'retried-then-fine': 'succeeded on retry',
  'not-shown': 'outcome not shown',
};

export const outcomeWords = (outcome: Outcome): string => OUTCOME_WORDS[outcome] ?? outcome.replaceAll('-', ' ');

export function outcomeCount(outcome: Outcome, count: number): Markup {
  if (outcome === 'warning') return plural(count, 'warning');
  return outcome === 'not-shown' ? mrkdwn`${count} with no outcome shown` : mrkdwn`${count} ${outcomeWords(outcome)}`;
}

export function countedWords(counts: VerdictCounts): Markup[] {
  return COUNTED_VERDICTS.flatMap((verdict) => {
    const count = counts[verdict] ?? 0;
    return count > 0 ? outcomeCount(verdict, count) : [];
  });
}

export function failureCount(verdict: RecordedVerdict, count: number): Markup {
  return isAnnounced(verdict) && verdict !== 'stuck' ? plural(count, 'failure') : outcomeCount(verdict, count);
}

export const peopleCount = (count: number): Markup => plural(count, 'person', 'people');

/** `isAtLeast`: not all people could be counted. */
export function atLeast({ subscribers, isAtLeast }: { subscribers: number; isAtLeast: boolean }): Markup {
  const people = peopleCount(subscribers);
  return isAtLeast ? mrkdwn`at least ${people}` : people;
}

/** Empty unless the share says something: a late failure counts in another period than its event, so more can fail than were checked. */
export function failedShare(failedEvents: number, eventsChecked: number): string {
  const isShare = eventsChecked >= FEWEST_FOR_PERCENT && failedEvents <= eventsChecked;
  return isShare ? ` (${percent(failedEvents, eventsChecked)})` : '';
}

export const latencyWords = (ms: number): string => (ms <= 1_000 ? 'under 1 s' : describeDuration(ms));
