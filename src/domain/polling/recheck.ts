import { PAGE_SIZE } from '../service/query.ts';
import { OVERLAP_MS } from './reading.ts';

/** The parts of the past, in the order of checking. */
export const PAST_PARTS = ['unsettled events', 'gaps', 'sweeps'] as const;
export type PastPart = (typeof PAST_PARTS)[number];

/** The share of the time between two rechecks after which each part is left for the next one. */
const SHARES: Readonly<Record<PastPart, number>> = {
  'unsettled events': 0.4,
  gaps: 0.6,
  sweeps: 0.9,
};
/** Each part progresses in every recheck. */
const LEAST_SHARE = 0.05;
/** How long requests under way at the end of a share can take: the three attempts of a request take 31 s. */
const GRACE_MS = 40_000;

/** Until when a part begins requests, and after how many milliseconds from now those still running are aborted. */
export interface PartDeadline {
  readonly until: Date;
  readonly abortAfterMs: number;
}

/**
 * Returns the share of time for a part that begins at `now`, in a recheck that began at `started`; rechecks are `everyMs` apart. A part
 * that hangs costs later parts a moment, never their share.
 */
export function deadlineOf(part: PastPart, started: Date, now: Date, everyMs: number): PartDeadline {
  const end = Math.max(started.getTime() + SHARES[part] * everyMs, now.getTime() + LEAST_SHARE * everyMs);
  return { until: new Date(end), abortAfterMs: end - now.getTime() + GRACE_MS };
}

export function pagesOfPresent(eventsAMinute: number, everyMs: number): number {
  const events = (eventsAMinute * (everyMs + OVERLAP_MS)) / 60_000;
  return Math.ceil((Math.max(1, Math.ceil(events / PAGE_SIZE)) * 60_000) / everyMs);
}
