/** A span of `createdAt`, both ends included, as the event list takes them. */
export interface ReadingWindow {
  readonly from: Date;
  readonly to: Date;
}

/** What a workflow sent on a channel by a provider without a failure: when the first and the last of it succeeded. */
export interface Success {
  readonly workflow: string | null;
  readonly channel: string;
  readonly provider: string | null;
  readonly from: Date;
  readonly to: Date;
}

/** At first start an environment is covered from an hour back. */
export const FIRST_COVERAGE_MS = 60 * 60_000;

/** An event may appear in the list after others that were created later (it comes off a queue): windows overlap by this. */
const OVERLAP_MS = 60_000;

/** How far our clock may run ahead of the service's before new events fall behind the window. */
const CLOCK_TOLERANCE_MS = 10 * 60_000;

/** A long gap is read in windows of this length, oldest first, so that a crash while catching up repeats only a part. */
const WINDOW_MS = 15 * 60_000;

/**
 * The windows that lead from a cursor to `now`, oldest first. The first reaches back to the newest event seen, by the service's
 * own clock, so that a clock that differs by up to ten minutes costs nothing; further back than the horizon nothing is read.
 */
export function catchUpWindows(
  cursor: { readonly readTo: Date; readonly newestEventAt: Date | null; readonly coveredFrom: Date },
  now: Date,
  horizonMs: number,
): ReadingWindow[] {
  const readTo = cursor.readTo.getTime();
  const newest = cursor.newestEventAt?.getTime() ?? readTo;
  const known = Math.min(readTo, Math.max(newest, readTo - CLOCK_TOLERANCE_MS)) - OVERLAP_MS;
  const start = Math.max(known, now.getTime() - horizonMs);
  const windows: ReadingWindow[] = [];
  for (let from = start; from < now.getTime(); from += WINDOW_MS) {
    windows.push({ from: new Date(from), to: new Date(Math.min(from + WINDOW_MS, now.getTime())) });
  }
  return windows;
}
