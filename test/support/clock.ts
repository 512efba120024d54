import { type Sleep, sleep } from '../../src/lib/time/waiting.ts';

export interface Clock {
  now(): number;
  /** Advances the clock, which ends each sleep that is over by then. */
  passes(ms: number): void;
  sleep: Sleep;
  /** How long the bot waits for what others owe: far longer than it takes on a busy machine. */
  patience: Sleep;
  /** Ends each wait of the bot's patience. */
  losesPatience(): void;
}

/** How many times longer the bot's patience lasts in a test. */
const PATIENCE_FACTOR = 40;

export function createClock(): Clock {
  let ahead = 0;
  const now = () => Date.now() + ahead;
  /** Each sleep with the time at which it's over. */
  const asleep = new Map<AbortController, number>();
  const patient = new Set<AbortController>();
  return {
    now,
    passes: (ms) => {
      ahead += ms;
      for (const [wake, until] of asleep) if (until <= now()) wake.abort();
    },
    sleep: async (ms, signal) => {
      const wake = new AbortController();
      asleep.set(wake, now() + ms);
      await sleepUnless(wake, ms, signal);
      asleep.delete(wake);
    },
    patience: async (ms, signal) => {
      const wake = new AbortController();
      patient.add(wake);
      await sleepUnless(wake, ms * PATIENCE_FACTOR, signal);
      patient.delete(wake);
    },
    losesPatience: () => {
      for (const wake of patient) wake.abort();
    },
  };
}

function sleepUnless(wake: AbortController, ms: number, signal: AbortSignal | undefined): Promise<void> {
  return sleep(ms, AbortSignal.any([wake.signal, ...(signal === undefined ? [] : [signal])]));
}
