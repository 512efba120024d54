import { explainReading } from '../../../health/explain.ts';
import type { EnvironmentHealth } from '../../../health/health.ts';
import type { EnvironmentStatus, ReadingCondition } from '../../../health/situation.ts';
import { SECOND_MS } from '../../../lib/time/durations.ts';
import { describeDuration } from '../../../lib/time/time-range.ts';
import { badge, joined, type Markup, mrkdwn, plural } from '../text.ts';
import { time } from '../times.ts';

/** The words follow the environment's name. */
export const READINGS: Readonly<Record<ReadingCondition, readonly [emoji: string, words: string]>> = {
  fine: ['✅', 'up to date'],
  late: ['🟡', 'late-failure checks delayed'],
  incomplete: ['🟡', "couldn't read everything"],
  'catching-up': ['⏳', 'backfilling missed events'],
  'not-read-yet': ['⏳', 'not checked yet'],
  failing: ['🔴', "can't read events"],
  'waits-for-store': ['🔴', 'waits for the database'],
  silent: ['🔴', 'polling stalled'],
  unknown: ['⚠️', 'status unknown'],
};

/** Everything new is checked, whatever else is wrong. */
const READS_PRESENT: readonly ReadingCondition[] = ['fine', 'late', 'incomplete', 'catching-up'];

export function isWrong(condition: ReadingCondition): boolean {
  return condition !== 'fine';
}

export function worstFirst(environments: readonly EnvironmentStatus[]): EnvironmentStatus[] {
  return environments.toSorted((a, b) => Number(isWrong(b.condition)) - Number(isWrong(a.condition)));
}

export function environmentLines(status: EnvironmentStatus, at: Date): Markup[] {
  const further = furtherTrouble(status);
  return [...readingLines(status, at), ...(further.length === 0 ? [] : [joined(further, ' · ')])];
}

export function readingLines(status: EnvironmentStatus, at: Date): Markup[] {
  const { environment, condition, health, check } = status;
  const [emoji, words] = READINGS[condition];
  const isUnsure = condition === 'fine' && check !== null && check !== 'checked';
  const isPresent = READS_PRESENT.includes(condition);
  const present = check === 'still checking' ? 'still being checked' : 'up to date';
  const state = [...(isPresent ? [present] : []), ...(isWrong(condition) ? [words] : [])].join('; ');
  const facts = [
    mrkdwn`${isUnsure ? '⚪' : emoji} ${badge(environment)} · ${state}`,
    ...(health === null || condition === 'not-read-yet' ? [] : [checkedTo(health, at)]),
    ...(check === 'failed' && isPresent ? [mrkdwn`the check just now failed`] : []),
  ];
  const { what, next } = explainReading(status, at) ?? { what: '', next: '' };
  return [joined(facts, ' · '), ...[what, next].filter((line) => line !== '').map((line) => mrkdwn`${line}`)];
}

/** Before a first check has finished, `checkedTo` is where it is to begin. */
function checkedTo({ checkedTo: to, lastSuccessAt }: EnvironmentHealth, at: Date): Markup {
  if (lastSuccessAt === null) return mrkdwn`no check has finished yet`;
  return mrkdwn`as of ${time(to)} (${ago(to, at)})`;
}

/** A smaller clock difference is harmless. */
const CLOCK_WORTH_REPORTING_MS = 60_000;

/** What is wrong besides the condition, which is the most severe. */
function furtherTrouble({ health, condition }: EnvironmentStatus): Markup[] {
  if (health === null) return [];
  const { openGaps, uncheckedMs, behindMs } = health;
  const aheadMs = health.clockAheadMs ?? 0;
  const gaps = mrkdwn`${plural(openGaps, 'gap')} open, ${describeDuration(uncheckedMs)} not checked yet`;
  const off = `${describeDuration(Math.abs(aheadMs))} ${aheadMs > 0 ? 'ahead of' : 'behind'}`;
  return [
    ...(openGaps === 0 || condition === 'catching-up' ? [] : [gaps]),
    ...(behindMs === 0 || condition === 'late' ? [] : [mrkdwn`late failures ${describeDuration(behindMs)} behind`]),
    ...(Math.abs(aheadMs) < CLOCK_WORTH_REPORTING_MS ? [] : [mrkdwn`the service's clock is ${off} Notif's`]),
  ];
}

export function ago(then: Date, at: Date): string {
  if (at.getTime() - then.getTime() < SECOND_MS) return 'just now';
  return `${describeDuration(at.getTime() - then.getTime())} ago`;
}
