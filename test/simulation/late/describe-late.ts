import { HOUR, MINUTE } from '../week/week.ts';
import type { LateFailure } from './play-late.ts';

const CLASSES: readonly { readonly words: string; readonly from: number; readonly to: number }[] = [
  { words: '2 to 10 min', from: 2 * MINUTE, to: 10 * MINUTE },
  { words: '10 min to 1 h', from: 10 * MINUTE, to: HOUR },
  { words: '1 to 6 h', from: HOUR, to: 6 * HOUR },
  { words: '6 to 24 h', from: 6 * HOUR, to: 24 * HOUR },
  { words: '24 to 72 h', from: 24 * HOUR, to: 72 * HOUR },
];

/** docs/guarantees.md, "Late failures": five minutes or a third of the age, plus a moment for a request and a write. */
const promised = (ageMs: number) => Math.max(5 * MINUTE, ageMs / 3) + 10_000;

/**
 * Formats delays by age as a table: the number of failures, the median, the 95th percentile, the maximum, and how many were later than
 * promised.
 */
export function describeLate(eventsAnHour: number, failures: readonly LateFailure[]): string {
  const rows = CLASSES.flatMap(({ words, from, to }) => {
    const some = failures.filter(({ ageMs }) => ageMs >= from && ageMs < to);
    if (some.length === 0) return [];
    const delays = some.map(({ delayMs }) => delayMs ?? Number.POSITIVE_INFINITY).sort((a, b) => a - b);
    const at = (share: number) => inWords(delays[Math.min(delays.length - 1, Math.floor(share * delays.length))] ?? 0);
    const late = some.filter((one) => isLate(one)).length;
    return [`| ${eventsAnHour} | ${words} | ${some.length} | ${at(0.5)} / ${at(0.95)} / ${at(1)} | ${late} |`];
  });
  return rows.join('\n');
}

export const LATE_HEAD = [
  '| events an hour | age at the failure | failures | delay: median / 95 of 100 / worst | later than promised |',
  '| --- | --- | --- | --- | --- |',
].join('\n');

/** Returns whether a failure was recorded later than a third of its age and five minutes, or not at all. */
export function isLate({ ageMs, delayMs }: LateFailure): boolean {
  return delayMs === null || delayMs > promised(ageMs);
}

function inWords(ms: number): string {
  if (!Number.isFinite(ms)) return 'never';
  return ms < 100 * MINUTE ? `${(ms / MINUTE).toFixed(1)} min` : `${(ms / HOUR).toFixed(1)} h`;
}
