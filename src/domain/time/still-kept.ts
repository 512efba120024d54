/**
 * Returns whether what was kept at `since` for `keptMs` milliseconds can still be used, by a clock in milliseconds. It can't if the clock is
 * set back to before `since`, by an unknown time.
 */
export function isStillKept(since: number, keptMs: number, now: number): boolean {
  return now >= since && now < since + keptMs;
}
