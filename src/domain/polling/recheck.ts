/** The parts of the past, in the order in which they are checked. */
export const PAST_PARTS = ['unsettled events', 'gaps', 'sweeps', 'quarantine'] as const;
export type PastPart = (typeof PAST_PARTS)[number];

/** Of the time between two rechecks, what may have passed before each part is left for the next one. */
const SHARES: Readonly<Record<PastPart, number>> = {
  'unsettled events': 0.4,
  gaps: 0.6,
  sweeps: 0.9,
  quarantine: 0.95,
};
/** Each gets on in every recheck. */
const LEAST_SHARE = 0.05;
/** What is under way at the end of a share may take this long: the three tries of a request take 31 s. */
const GRACE_MS = 40_000;

/** Until when a part begins requests, and how long from now until those that still run are aborted, in milliseconds. */
export interface PartDeadline {
  readonly until: Date;
  readonly abortAfterMs: number;
}

/**
 * The share of time of a part that begins at `now`, in a recheck that began at `started`; `everyMs` lies between two rechecks. A part
 * that hangs costs the ones after it a moment, never their share.
 */
export function deadlineOf(part: PastPart, started: Date, now: Date, everyMs: number): PartDeadline {
  const end = Math.max(started.getTime() + SHARES[part] * everyMs, now.getTime() + LEAST_SHARE * everyMs);
  return { until: new Date(end), abortAfterMs: end - now.getTime() + GRACE_MS };
}

/** The contract's maximum of a page. */
const PAGE_SIZE = 50;
/** Each poll reads the minute before its cursor again. */
const OVERLAP_MS = 60_000;

/** How many pages of the list a minute of polls takes, where so many events are created in a minute. */
export function pagesOfPresent(eventsAMinute: number, everyMs: number): number {
  const events = (eventsAMinute * (everyMs + OVERLAP_MS)) / 60_000;
  return Math.ceil((Math.max(1, Math.ceil(events / PAGE_SIZE)) * 60_000) / everyMs);
}
