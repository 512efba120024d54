import { type Sleep, sleep } from '../../src/lib/time/waiting.ts';

export interface Clock {
  now(): number;
  /** Advances the clock, which ends each sleep that is over by then. */
  passes(ms: number): void;
  sleep: Sleep;
}

export function createClock(): Clock {
  let ahead = 0;
  const now = () => Date.now() + ahead;
  const sleepers = new Set<{ until: number; wake: AbortController }>();
  return {
    now,
    passes: (ms) => {
      ahead += ms;
      for (const { until, wake } of sleepers) if (until <= now()) wake.abort();
    },
    sleep: async (ms, signal) => {
      const sleeper = { until: now() + ms, wake: new AbortController() };
      sleepers.add(sleeper);
      await sleep(ms, AbortSignal.any([sleeper.wake.signal, ...(signal === undefined ? [] : [signal])]));
      sleepers.delete(sleeper);
    },
  };
}
