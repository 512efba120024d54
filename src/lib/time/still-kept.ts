/** In milliseconds. It can't be used if the clock is set back to before `since`, by an unknown time. */
export function isStillKept(since: number, keptMs: number, now: number): boolean {
  return now >= since && now < since + keptMs;
}
