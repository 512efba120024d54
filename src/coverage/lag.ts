import { MINUTE_MS } from '../lib/time/durations.ts';
import { byServiceClock, CLOCK_TOLERANCE_MS } from '../lib/time/service-clock.ts';
import { longestBetweenPolls } from './gap.ts';
import type { EnvironmentRow } from './tables.ts';

/** How far the present was behind at `lagAt`: later polls are compared with that. All are null while polls keep up. */
export type Lag = Pick<EnvironmentRow, 'lagMs' | 'lagAt' | 'tooSlowSince'>;

export const KEEPS_UP: Lag = { lagMs: null, lagAt: null, tooSlowSince: null };

/** The present is too slow if its lag is longer than this, and hasn't shrunk for as long. */
const mostLagMs = (pollMs: number): number => Math.max(5 * MINUTE_MS, 5 * pollMs);

/** A poll is ended after this. */
export const POLL_LIMIT_MS = 10 * MINUTE_MS;

interface PollTimes {
  begunAt: Date;
  endedAt: Date;
  pollMs: number;
}

type PollState = Lag & Pick<EnvironmentRow, 'lastPollAt' | 'failingSince' | 'readAhead'>;

/** Lag is slowness if it hasn't shrunk over `mostLagMs` of polls. */
export function lagAfter(known: PollState, lagMs: number, { begunAt, endedAt, pollMs }: PollTimes): Lag {
  if (lagMs <= Math.max(pollMs, MINUTE_MS)) return KEEPS_UP;
  const { lagAt, failingSince, tooSlowSince } = known;
  const wasFailing = isOlder(failingSince, longestBetweenPolls(pollMs), begunAt);
  const wasAway = wasFailing || !wasPolledLately(known, pollMs, begunAt);
  const isShrinking = lagMs < (known.lagMs ?? 0);
  // Neither lag that shrinks nor that of a time in which nothing could be read is slowness: the comparison begins anew.
  if (wasAway || isShrinking || lagAt === null) return { lagMs, lagAt: endedAt, tooSlowSince: null };
  // Too early to say: later polls are still compared with the same lag.
  if (!isOlder(lagAt, mostLagMs(pollMs), endedAt)) return { lagMs: known.lagMs, lagAt, tooSlowSince };
  // Not shrunk for long enough: too slow.
  return { lagMs, lagAt: endedAt, tooSlowSince: tooSlowSince ?? endedAt };
}

/** Whether the present is behind though polls read some of it. */
export function isLagging(known: PollState, pollMs: number, now: Date): boolean {
  return (known.lagMs !== null || known.readAhead.length > 0) && wasPolledLately(known, pollMs, now);
}

function wasPolledLately({ lastPollAt }: PollState, pollMs: number, now: Date): boolean {
  return lastPollAt !== null && !isOlder(lastPollAt, longestBetweenPolls(pollMs), now);
}

const isOlder = (time: Date | null, ms: number, now: Date): boolean =>
  time !== null && now.getTime() - time.getTime() > ms;

type Checked = Pick<EnvironmentRow, 'checkedTo' | 'clockAheadMs'>;

function presentLagMs({ checkedTo, clockAheadMs }: Checked, now: Date): number {
  return Math.max(0, byServiceClock(now, clockAheadMs).getTime() - checkedTo.getTime());
}

/** Returns 0 unless the present is far behind. */
export function farBehindMs(known: Checked, pollMs: number, now: Date): number {
  const lagMs = presentLagMs(known, now);
  return lagMs > mostLagMs(pollMs) ? lagMs : 0;
}

/** Returns by how much new events are checked too late, or 0. A service that can't be read is other trouble. */
export function tooSlowByMs(
  known: Checked & Pick<EnvironmentRow, 'tooSlowSince' | 'failingSince'>,
  pollMs: number,
  now: Date,
): number {
  return known.tooSlowSince && known.failingSince === null ? farBehindMs(known, pollMs, now) : 0;
}

/** Returns Infinity without a success, and where a clock was set back. */
export function sinceSuccessMs(lastSuccessAt: Date | null, now: Date): number {
  const sinceMs = now.getTime() - (lastSuccessAt?.getTime() ?? -Infinity);
  return sinceMs < -CLOCK_TOLERANCE_MS ? Infinity : sinceMs;
}

type Polled = Pick<EnvironmentRow, 'lastSuccessAt' | 'lagMs'>;

/** Whether the last success is as recent as polls allow: while they lag, one may take as long as its limit. */
export function isWithinPolls({ lastSuccessAt, lagMs }: Polled, pollMs: number, now: Date): boolean {
  const longestMs = longestBetweenPolls(pollMs);
  return sinceSuccessMs(lastSuccessAt, now) <= (lagMs ? Math.max(longestMs, POLL_LIMIT_MS) : longestMs);
}
