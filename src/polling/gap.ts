import { addMilliseconds, max, min, subMilliseconds } from 'date-fns';
import { z } from 'zod';
import type { ServiceProblem } from '../lib/errors.ts';
import { joinedRanges, withoutRanges } from '../lib/time/coverage.ts';
import { longestBetweenPolls } from '../lib/time/service-clock.ts';
import type { TimeRange } from '../lib/time/time-range.ts';
import { doubled } from '../lib/time/waiting.ts';

/** What kept an environment from being read: a problem, or Notif not running. */
export type GapCause = ServiceProblem['kind'] | 'not-running';

/** A range of events' creation times that was not read when it should have been. */
export interface Gap {
  readonly id: string;
  readonly environment: string;
  readonly from: Date;
  /** Null while nothing can be read and the gap continues. */
  readonly to: Date | null;
  readonly cause: GapCause;
  readonly openedAt: Date;
  /** When everything readable in it had been read; null before. */
  readonly closedAt: Date | null;
  /** The windows still to be checked. */
  readonly unchecked: readonly TimeRange[];
  /** The windows tried in vain until they were beyond the horizon, or beyond the plan's retention; they stay unchecked. */
  readonly givenUp: readonly TimeRange[];
  readonly events: number;
  readonly failures: number;
}

/** Returns the windows of a gap in which events aren't checked: those still to be checked and given up, or all until `end` while it continues. */
export function uncheckedOf({ from, to, unchecked, givenUp }: Gap, end: Date): readonly TimeRange[] {
  return to === null ? [{ from, to: end }] : [...unchecked, ...givenUp];
}

/** A gap that is shorter and closed sooner than this is closed silently: a restart, a hiccup. */
export const GAP_WORTH_REPORTING_MS = 60_000;

/** Returns whether people should know of it: it is that long, has been open that long, or part of it stays unchecked. */
export function isWorthReporting(gap: Gap, now: Date): boolean {
  const length = (gap.to ?? now).getTime() - gap.from.getTime();
  // A failure in a second that the service can't return stays missing while that second is unchecked, however short it is.
  const openFor = (gap.closedAt ?? now).getTime() - gap.openedAt.getTime();
  return Math.max(length, openFor) >= GAP_WORTH_REPORTING_MS || gap.givenUp.length > 0;
}

/**
 * Returns what kept the time before a poll from being read, where polls are `pollMs` apart. Without a poll for longer than that explains,
 * Notif was not running, whatever its last poll reported.
 */
export function causeOfGap(
  environment: { readonly lastPollAt: Date | null; readonly problem: ServiceProblem | null },
  now: Date,
  pollMs: number,
): GapCause {
  const { lastPollAt, problem } = environment;
  const isRunning = lastPollAt !== null && now.getTime() - lastPollAt.getTime() < longestBetweenPolls(pollMs);
  return problem === null || !isRunning ? 'not-running' : problem.kind;
}

/** A window of a gap that was not read yet, or was given up. */
export interface GapWindow extends TimeRange {
  readonly tries: number;
  /** Null: given up. */
  readonly nextTryAt: Date | null;
}

/** Windows as they are stored, in JSON. */
export function windowsOf(stored: unknown): GapWindow[] {
  return z.array(StoredWindow).parse(stored);
}

const StoredWindow = z.object({
  ...{ from: z.coerce.date(), to: z.coerce.date() },
  ...{ tries: z.number(), nextTryAt: z.coerce.date().nullable() },
});

/** A gap is read in windows of at most this length, the newest first, so that a crash repeats only one of them. */
const WINDOW_MS = 15 * 60_000;

/** Returns the next window of a part: what is before the horizon, to be given up, or else the newest that is to be read. */
export function nextWindow({ from, to }: TimeRange, horizon: Date): TimeRange & { readonly isLost: boolean } {
  if (from < horizon || to <= horizon) return { from, to: min([to, horizon]), isLost: true };
  return { from: max([from, subMilliseconds(to, WINDOW_MS)]), to, isLost: false };
}

/** Returns the windows without a range that was tried, and with what is left of it. */
export function replacedIn(windows: readonly GapWindow[], tried: TimeRange, left: readonly GapWindow[]): GapWindow[] {
  const isApart = (window: GapWindow) => window.to < tried.from || window.from > tried.to;
  const others = windows.flatMap((window) =>
    isApart(window) ? [window] : withoutRanges(window, [tried]).map((range) => ({ ...window, ...range })),
  );
  return [...others, ...left];
}

/** A part of a window that couldn't be read though the service answers, and why. */
export interface Unread {
  readonly window: TimeRange;
  readonly problem: ServiceProblem;
}

const FIRST_PAUSE_MS = 60_000;
const LONGEST_PAUSE_MS = 6 * 60 * 60_000;

/** Returns what is left of a window that was tried `tried` times before: retried ever later, or given up if beyond the plan's retention. */
export function windowsLeft(unread: readonly Unread[], tried: number, now: Date): GapWindow[] {
  const nextTryAt = addMilliseconds(now, doubled(FIRST_PAUSE_MS, tried, LONGEST_PAUSE_MS));
  return [true, false].flatMap((isBeyond) => {
    const some = unread.filter(({ problem }) => (problem.kind === 'beyond-plan') === isBeyond);
    const ranges = joinedRanges(some.map(({ window }) => window));
    return ranges.map((range) => ({ ...range, tries: tried + 1, nextTryAt: isBeyond ? null : nextTryAt }));
  });
}
