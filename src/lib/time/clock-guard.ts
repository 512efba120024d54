import { HOUR_MS, MINUTE_MS } from './durations.ts';

/** Says whether our clock may be believed where a wrong one would delete or end something for good. */
export interface ClockGuard {
  /** `others`: what other clocks say now. */
  isSure(others?: readonly Date[]): boolean;
}

interface Clocks {
  now: () => Date;
  /** Milliseconds that no change of the clock concerns. */
  elapsedMs: () => number;
}

/** A step of more than this isn't a correction. A machine that slept steps, too. */
const STEP_MS = MINUTE_MS;
const SURE_AFTER_MS = HOUR_MS;

/**
 * Of the wall clock, the time that passed, and others' clocks, two that agree outvote a third. Right after a start or a step nothing else may agree
 * with the wall clock: it is believed once it ran an hour without a step.
 */
export function createClockGuard({ now, elapsedMs }: Clocks): ClockGuard {
  let steadySince = elapsedMs();
  let noted = { at: now().getTime(), elapsed: steadySince };
  return {
    isSure(others = []) {
      const [at, elapsed] = [now().getTime(), elapsedMs()];
      const steppedMs = at - noted.at - (elapsed - noted.elapsed);
      if (Math.abs(steppedMs) > STEP_MS) steadySince = elapsed;
      noted = { at, elapsed };
      const agrees = others.some((other) => Math.abs(other.getTime() - at) <= STEP_MS);
      return agrees || elapsed - steadySince >= SURE_AFTER_MS;
    },
  };
}
