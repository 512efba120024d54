import { addMilliseconds, max, min, subMilliseconds } from 'date-fns';
import { z } from 'zod';
import { HOUR_MS, joinedRanges, MINUTE_MS, type TimeRange, withoutRanges } from '../lib/time/durations.ts';
import { doubled } from '../lib/time/waiting.ts';
import type { ServiceProblem } from '../service/service-error.ts';
import { StoredTime } from '../store/columns.ts';
import type { EnvironmentRow, GapRow } from './tables.ts';

/** The first poll of an environment reads this much of its past. */
export const FIRST_COVERAGE_MS = HOUR_MS;

/** After a crash, at most this much is read again. */
const WINDOW_MS = 15 * MINUTE_MS;

/** How long polls can be apart: allows for a failed poll and a minute's delay. */
export const longestBetweenPolls = (pollMs: number): number => 2 * pollMs + MINUTE_MS;

export type GapCause = ServiceProblem['kind'] | 'not-running';

export type Unread = TimeRange & { cause: GapCause };

/** A part of a gap that is still to be read. If its `nextTryAt` is null, it was given up. */
const GapWindow = z.object({ from: StoredTime, to: StoredTime, tries: z.number(), nextTryAt: StoredTime.nullable() });
export type GapWindow = z.output<typeof GapWindow>;
export const GapWindows = z.array(GapWindow);
export const isGivenUp = ({ nextTryAt }: GapWindow): boolean => nextTryAt === null;

export interface Gap extends Omit<GapRow, 'unchecked'> {
  toRead: readonly TimeRange[];
  givenUp: readonly TimeRange[];
}

export function missingIn({ beginsAt, endsAt, toRead, givenUp }: Gap, end: Date): TimeRange[] {
  return endsAt === null ? [{ from: beginsAt, to: end }] : [...toRead, ...givenUp];
}

/** A gap of less than a minute isn't: it is a restart or a hiccup. */
export function isWorthReporting(gap: Gap, now: Date): boolean {
  const length = (gap.endsAt ?? now).getTime() - gap.beginsAt.getTime();
  const openFor = (gap.closedAt ?? now).getTime() - gap.openedAt.getTime();
  return Math.max(length, openFor) >= MINUTE_MS || gap.givenUp.length > 0;
}

export function causeOfGap(
  { lastPollAt, problem }: Pick<EnvironmentRow, 'lastPollAt' | 'problem'>,
  now: Date,
  pollMs: number,
): GapCause {
  const isRunning = lastPollAt !== null && now.getTime() - lastPollAt.getTime() < longestBetweenPolls(pollMs);
  return problem === null || !isRunning ? 'not-running' : problem.kind;
}

/** Returns what of a window is read next, its newest part first. What is older than the horizon is lost. */
export function nextWindow({ from, to }: TimeRange, horizon: Date): TimeRange & { isLost: boolean } {
  if (from < horizon || to <= horizon) return { from, to: min([to, horizon]), isLost: true };
  return { from: max([from, subMilliseconds(to, WINDOW_MS)]), to, isLost: false };
}

/** Replaces what the windows have of the range that was tried by what is left of it. */
export function replacedIn(windows: readonly GapWindow[], tried: TimeRange, left: readonly GapWindow[]): GapWindow[] {
  const isApart = (window: GapWindow) => window.to < tried.from || window.from > tried.to;
  const others = windows.flatMap((window) =>
    isApart(window) ? [window] : withoutRanges(window, [tried]).map((range) => ({ ...window, ...range })),
  );
  return [...others, ...left];
}

/** A minute after the first try, and twice as long after each further one, up to six hours. */
const pauseAfter = (tries: number): number => doubled(MINUTE_MS, tries, 6 * HOUR_MS);

/** A try further away than its pause was planned before the clock was set back. */
export function isDue({ tries, nextTryAt }: GapWindow, now: Date): boolean {
  if (nextTryAt === null) return false;
  return nextTryAt <= now || nextTryAt > addMilliseconds(now, pauseAfter(Math.max(0, tries - 1)));
}

/** What is beyond the plan is given up. The rest is tried again after `tries` earlier ones. */
export function windowsLeft(unread: readonly Unread[], tries: number, now: Date): GapWindow[] {
  const nextTryAt = addMilliseconds(now, pauseAfter(tries));
  return [true, false].flatMap((isBeyondPlan) => {
    const alike = unread.filter(({ cause }) => (cause === 'beyond-plan') === isBeyondPlan);
    const left = { tries: tries + 1, nextTryAt: isBeyondPlan ? null : nextTryAt };
    return joinedRanges(alike).map(({ from, to }) => ({ from, to, ...left }));
  });
}
