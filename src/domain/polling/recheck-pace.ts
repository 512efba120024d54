import { PAGE_SIZE } from '../service/query.ts';
import { HOUR_MS, MINUTE_MS } from '../time/durations.ts';
import type { TimeRange } from '../time/time-range.ts';

/** The age at which events are first checked for late failures. */
export const FIRST_AGE_MS = 2 * MINUTE_MS;

/** Below this age gaps don't shrink further; with the promised third they are five minutes long. */
const YOUNG_MS = 15 * MINUTE_MS;

/** Gaps shorter than a twentieth of the age gain nothing: a poll interval would be most of the delay, and requests cost the service. */
const LEAST_SHARE = 0.05;

/** A range of creation times, and when its events were last checked for late failures. */
export interface Stretch extends TimeRange {
  /** Null: not checked since its events were new. */
  readonly checkedAt: Date | null;
  /** The number of events that the last check found in it, of channels that can bounce. */
  readonly events: number;
  /** How often checking it has failed since then. */
  readonly failedChecks: number;
  /** Until when a failed stretch waits so that others get their turn; null: it needn't wait. */
  readonly notBefore: Date | null;
}

/** How densely stretches are checked. */
export interface Pace {
  /** The gap between two checks, as a share of the age: 0.33 checks at 60, 80, 106, … minutes. */
  readonly share: number;
  readonly horizonMs: number;
  /** The time between two sweeps. */
  readonly pollMs: number;
}

export interface PaceLimits extends Omit<Pace, 'share'> {
  /** Requests that checks can make in a minute. */
  readonly requestsAMinute: number;
}

/** Checks come up to a poll early and include neighbors, which costs this much more than the gaps alone (measured, sweeps.test.ts). */
const EARLY = 1.07;

/**
 * Returns the densest pace within the allowed requests. A stretch of p pages that was last checked at an age costs p ÷ (share × age)
 * requests a minute, so the share is the sum of p ÷ age over all stretches, divided by what is allowed: at a steady rate about six times
 * the pages a minute, divided by the requests a minute. First checks aren't delayed, whatever the pace.
 */
export function paceOf(stretches: readonly Stretch[], { requestsAMinute, ...limits }: PaceLimits): Pace {
  let need = 0;
  let firstChecks = 0;
  for (const one of stretches) {
    const age = checkedAge(one);
    need += (EARLY * pagesOf(one) * MINUTE_MS) / Math.max(age, YOUNG_MS);
    if (age < YOUNG_MS) firstChecks += (pagesOf(one) * MINUTE_MS) / YOUNG_MS;
  }
  const left = Math.max(requestsAMinute - firstChecks, requestsAMinute / 10);
  return { ...limits, share: Math.max(LEAST_SHARE, need / left) };
}

export function requestsNeeded(stretches: readonly Stretch[], pace: Pace): number {
  return stretches.reduce(
    (sum, one) => sum + (pagesOf(one) * MINUTE_MS) / Math.max(gapAfter(checkedAge(one), pace), pace.pollMs),
    0,
  );
}

/** The last page of a stretch is half full on average. */
function pagesOf({ events }: Stretch): number {
  return events === 0 ? 0 : events / PAGE_SIZE + 0.5;
}

/** Returns the age of a stretch's youngest event at its last check. */
function checkedAge({ checkedAt, to }: Stretch): number {
  return checkedAt === null ? 0 : Math.max(0, checkedAt.getTime() - to.getTime());
}

/** From these ages to the horizon no gap is longer than from one to the next, under any load: six checks an event are always affordable. */
const COARSEST_AGES_MS = [FIRST_AGE_MS, 10 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS, 24 * HOUR_MS];

function longestGapAfter(ageMs: number, horizonMs: number): number {
  const ages = [...COARSEST_AGES_MS.filter((age) => age < horizonMs), horizonMs];
  const next = Math.max(
    1,
    ages.findIndex((age) => age > ageMs),
  );
  return Math.max(YOUNG_MS / 3, (ages[next] ?? horizonMs) - (ages[next - 1] ?? 0));
}

/** Returns the longest time until events checked at an age are checked again: whole milliseconds, as stored. */
export function gapAfter(ageMs: number, { share, horizonMs }: Pace): number {
  const gap = Math.min(share * Math.max(ageMs, YOUNG_MS), longestGapAfter(ageMs, horizonMs));
  return Math.round(gap);
}

/** A sweep takes a moment, and a poll may be a moment late. */
const MARGIN_MS = 10_000;

/** When a stretch is due, and by when it must be checked before its gap becomes too long. */
export interface DueTime {
  readonly dueAt: number;
  readonly lateAt: number;
}

/**
 * Returns when a stretch is due: at the last poll at which its gap isn't too long yet, but not before half of the gap, so that an early
 * poll checks nothing twice. The last check is due as soon as the youngest event has reached the horizon.
 */
export function dueTimeOf(stretch: Stretch, pace: Pace): DueTime {
  const slack = pace.pollMs + MARGIN_MS;
  const to = stretch.to.getTime();
  if (stretch.checkedAt === null) return { dueAt: to + FIRST_AGE_MS, lateAt: to + FIRST_AGE_MS + slack };
  const gap = gapAfter(checkedAge(stretch), pace);
  const checkedAt = stretch.checkedAt.getTime();
  const last = to + pace.horizonMs;
  if (checkedAt + gap >= last) return { dueAt: last, lateAt: last + slack };
  return { dueAt: checkedAt + Math.max(gap / 2, gap - slack), lateAt: checkedAt + Math.max(gap, slack) };
}

export interface LateFailureDelay {
  readonly ageMs: number;
  readonly withinMs: number;
}

/** The ages whose delays are reported. */
const STATED_AGES_MS = [10 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS, 24 * HOUR_MS];

/** A stretch counts for an age if its own age differs at most by this factor. */
const ABOUT = 2;

/** Returns the current worst delays: the gaps of the pace, plus the delay of the stretches of about that age. In minutes, rounded up. */
export function worstDelays(stretches: readonly Stretch[], pace: Pace, now: Date): LateFailureDelay[] {
  return STATED_AGES_MS.filter((ageMs) => ageMs < pace.horizonMs).map((ageMs) => {
    const planned = Math.max(gapAfter(ageMs, pace), pace.pollMs + MARGIN_MS);
    const late = stretches
      .filter(({ to }) => isAbout(now.getTime() - to.getTime(), ageMs))
      .map((one) => latenessOf(one, pace, now));
    return { ageMs, withinMs: Math.ceil((planned + Math.max(0, ...late)) / MINUTE_MS) * MINUTE_MS };
  });
}

function isAbout(ageMs: number, statedMs: number): boolean {
  return ageMs >= statedMs / ABOUT && ageMs <= statedMs * ABOUT;
}

/** Returns for how long a stretch's check has been overdue, in milliseconds. */
export function latenessOf(stretch: Stretch, pace: Pace, now: Date): number {
  return Math.max(0, now.getTime() - dueTimeOf(stretch, pace).lateAt);
}

/** Returns the lateness as a share of the age, by which stretches are compared if not all can be checked in time. */
export function urgencyOf(stretch: Stretch, pace: Pace, now: Date): number {
  const age = Math.max(now.getTime() - stretch.to.getTime(), YOUNG_MS);
  return (now.getTime() - dueTimeOf(stretch, pace).dueAt) / age;
}

/** Returns how long a stretch can be: a fifteenth of its age, so that some hundred of them cover everything up to the horizon. */
export function longestStretchAt(ageMs: number, { pollMs }: Pace): number {
  return Math.max(Math.max(ageMs, YOUNG_MS) / 15, pollMs);
}
