import { mayBeAboutTheRequest, type ServiceProblem } from '../errors.ts';
import { doubled } from '../time/doubled.ts';
import type { TimeRange } from '../time/time-range.ts';
import { inParts, joined } from './reading-windows.ts';

/** What kept an environment from being read: a problem, that Notif did not run, or that there was more than it could read in time. */
export type GapCause = ServiceProblem['kind'] | 'not-running' | 'too-much';

/** A stretch of events' creation times that was not read when it should have been. */
export interface Gap {
  readonly id: string;
  readonly environment: string;
  readonly from: Date;
  /** Null as long as nothing can be read: it goes on. */
  readonly to: Date | null;
  readonly cause: GapCause;
  readonly openedAt: Date;
  /** When all that can be read of it had been; null before. */
  readonly closedAt: Date | null;
  /** What is still to be read. */
  readonly unread: readonly TimeRange[];
  /** What was tried in vain until it was beyond the horizon, or beyond what the plan keeps: it stays unread. */
  readonly givenUp: readonly TimeRange[];
  /** What was found when it was read. */
  readonly events: number;
  readonly failures: number;
}

/** A gap that is shorter than this, and is closed sooner, is closed without a word: a restart, a hiccup. */
const GAP_WORTH_REPORTING_MS = 5 * 60_000;

/** Whether people should know: it is as long as that, has been open for as long, or something of it stays unread. */
export function isWorthReporting(gap: Gap, now: Date): boolean {
  const length = (gap.to ?? now).getTime() - gap.from.getTime();
  // A failure of a second that the service can't answer for is missing for as long as it isn't read, however short the second is.
  const openFor = (gap.closedAt ?? now).getTime() - gap.openedAt.getTime();
  return Math.max(length, openFor) >= GAP_WORTH_REPORTING_MS || gap.givenUp.length > 0;
}

/** Whether an environment has been unreadable for so long that a gap is opened before its end is known. */
export function opensGap(failingSince: Date, now: Date): boolean {
  return now.getTime() - failingSince.getTime() >= GAP_WORTH_REPORTING_MS;
}

/** Without a round for this long Notif was not running, whatever its last round said. */
const ROUNDS_STOPPED_MS = GAP_WORTH_REPORTING_MS;

/** What kept the time before a round from being read. */
export function causeOfGap(
  cursor: { readonly lastPollAt: Date | null; readonly problem: ServiceProblem | null },
  now: Date,
): { readonly cause: GapCause; readonly problem: ServiceProblem | null } {
  const { lastPollAt, problem } = cursor;
  const isRunning = lastPollAt !== null && now.getTime() - lastPollAt.getTime() < ROUNDS_STOPPED_MS;
  return problem === null || !isRunning ? { cause: 'not-running', problem: null } : { cause: problem.kind, problem };
}

/** A part of a gap that was not read yet, or never will be. */
export interface GapPart {
  readonly window: TimeRange;
  readonly tries: number;
  /** Null: given up. */
  readonly nextTryAt: Date | null;
}

/** A gap is read in windows of this length, the newest first, so that a crash repeats only a part. */
const PART_MS = 15 * 60_000;

/** A window that is to be read as parts: what is beyond the horizon is given up, the rest is cut into pieces. */
export function partsOf(window: TimeRange, tries: number, now: Date, horizonMs: number): GapPart[] {
  const horizon = new Date(now.getTime() - horizonMs);
  if (window.to <= horizon) return [{ window, tries, nextTryAt: null }];
  const isCut = window.from < horizon;
  const beyond = isCut ? [{ window: { from: window.from, to: horizon }, tries, nextTryAt: null }] : [];
  const within = inParts({ from: isCut ? horizon : window.from, to: window.to }, PART_MS);
  return [...beyond, ...within.map((part) => ({ window: part, tries, nextTryAt: now }))];
}

/** What of a window couldn't be read: for a problem with it or, where that is null, for want of time. */
export interface Unread {
  readonly window: TimeRange;
  readonly problem: ServiceProblem | null;
}

/**
 * What is left of a gap's window that was tried `tries` times before: tried again at once where nothing is wrong with it but the service,
 * or the time, ended the reading; else ever less often, or given up beyond the plan. What was cut stays in its pieces: joined, the next
 * try would be cut at the same place.
 */
export function partsLeft(unread: readonly Unread[], tries: number, now: Date): GapPart[] {
  const windowsOf = (isMeant: (problem: ServiceProblem | null) => boolean) =>
    unread.filter(({ problem }) => isMeant(problem)).map(({ window }) => window);
  const isCut = (problem: ServiceProblem | null) => problem === null || !mayBeAboutTheRequest(problem);
  const isBeyond = (problem: ServiceProblem | null) => problem?.kind === 'beyond-plan';
  return [
    ...windowsOf(isCut).map((window) => ({ window, tries, nextTryAt: now })),
    ...joined(windowsOf(isBeyond)).map((window) => ({ window, tries: tries + 1, nextTryAt: null })),
    ...joined(windowsOf((problem) => !isCut(problem) && !isBeyond(problem))).map((window) => ({
      window,
      tries: tries + 1,
      nextTryAt: new Date(now.getTime() + pauseAfter(tries + 1)),
    })),
  ];
}

const FIRST_PAUSE_MS = 60_000;
const LONGEST_PAUSE_MS = 6 * 60 * 60_000;

function pauseAfter(tries: number): number {
  return doubled(FIRST_PAUSE_MS, tries - 1, LONGEST_PAUSE_MS);
}
