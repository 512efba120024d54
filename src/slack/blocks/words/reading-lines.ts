import { explainReading } from '../../../domain/health/explain-reading.ts';
import type { EnvironmentHealth } from '../../../domain/health/health.ts';
import type { EnvironmentStatus, ReadingCondition } from '../../../domain/health/status.ts';
import { SECOND_MS } from '../../../domain/time/durations.ts';
import { describeDuration } from '../../../domain/time/time-range.ts';
import { badge } from '../badge.ts';
import { joined, type Markup, mrkdwn, plural } from '../text.ts';
import { time } from '../times.ts';

/** Each follows the environment's name. */
export const READING_WORDS: Readonly<Record<ReadingCondition, string>> = {
  fine: 'up to date',
  late: 'late-failure checks delayed',
  incomplete: "couldn't read everything",
  'catching-up': 'backfilling missed events',
  'not-read-yet': 'not checked yet',
  failing: "can't read events",
  'waits-for-store': 'waits for the database',
  silent: 'polling stalled',
  'not-announced': 'alerts stalled',
  unknown: 'status unknown',
};

const EMOJI: Readonly<Record<ReadingCondition, string>> = {
  fine: '✅',
  late: '🟡',
  incomplete: '🟡',
  'catching-up': '⏳',
  'not-read-yet': '⏳',
  failing: '🔴',
  'waits-for-store': '🔴',
  silent: '🔴',
  'not-announced': '🔴',
  unknown: '⚠️',
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
  return [...readingLines(status, at), joined(figures(status), ' · ')];
}

export function readingLines(status: EnvironmentStatus, at: Date): Markup[] {
  const { environment, condition, health, check } = status;
  const emoji = condition === 'fine' && check !== null && check !== 'checked' ? '⚪' : EMOJI[condition];
  const isPresent = READS_PRESENT.includes(condition);
  const present = check === 'still checking' ? 'still being checked' : READING_WORDS.fine;
  const state = [...(isPresent ? [present] : []), ...(isWrong(condition) ? [READING_WORDS[condition]] : [])].join('; ');
  const facts = [
    ...(health === null || condition === 'not-read-yet' ? [] : [checkedTo(health, at)]),
    ...(check === 'failed' && isPresent ? [mrkdwn`the check just now failed`] : []),
  ];
  return [joined([mrkdwn`${emoji} ${badge(environment)} · ${state}`, ...facts], ' · '), ...trouble(status, at)];
}

/** Before a first check has finished, `checkedTo` is where it is to begin. */
function checkedTo({ checkedTo: to, lastSuccessAt }: EnvironmentHealth, at: Date): Markup {
  if (lastSuccessAt === null) return mrkdwn`no check has finished yet`;
  return mrkdwn`as of ${time(to)} (${ago(to, at)})`;
}

function trouble(status: EnvironmentStatus, at: Date): Markup[] {
  const explained = explainReading(status, at);
  if (explained === null) return [];
  const { what, next } = explained;
  return [mrkdwn`${what}`, ...(next === '' ? [] : [mrkdwn`${next}`])];
}

/** A smaller clock difference is harmless. */
const CLOCK_WORTH_REPORTING_MS = 60_000;

function figures({ health, load, condition }: EnvironmentStatus): Markup[] {
  const left =
    load.remaining === null
      ? 'rate limit unknown'
      : mrkdwn`${plural(load.remaining, 'request')} left in the rate-limit window`;
  const waiting = load.waitingPeople === 0 ? [] : [mrkdwn`${plural(load.waitingPeople, 'request')} from people queued`];
  if (health === null) return [mrkdwn`${left}`, ...waiting];
  const { openGaps, uncheckedMs, behindMs, clockAheadMs } = health;
  const gaps =
    openGaps === 0 || condition === 'catching-up'
      ? []
      : [mrkdwn`${plural(openGaps, 'gap')} open, ${describeDuration(uncheckedMs)} not checked yet`];
  const late =
    behindMs === 0 || condition === 'late' ? [] : [mrkdwn`late failures ${describeDuration(behindMs)} behind`];
  const off = clock(clockAheadMs);
  return [mrkdwn`${left}`, ...waiting, ...gaps, ...late, ...off];
}

function clock(aheadMs: number | null): Markup[] {
  if (aheadMs === null || Math.abs(aheadMs) < CLOCK_WORTH_REPORTING_MS) return [];
  const off = `${describeDuration(Math.abs(aheadMs))} ${aheadMs > 0 ? 'ahead of' : 'behind'}`;
  return [mrkdwn`the service's clock is ${off} Notif's`];
}

export function ago(then: Date, at: Date): string {
  if (at.getTime() - then.getTime() < SECOND_MS) return 'just now';
  return `${describeDuration(at.getTime() - then.getTime())} ago`;
}
