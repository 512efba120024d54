export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;

/**
 * A clock that moves only when everything waits for it. Work that isn't about time, such as a database statement, takes no time: the clock
 * stands still until it's done. Waiting work is woken one piece at a time, so the same seed plays the same way.
 */
export interface VirtualTime {
  now(): number;
  /** Resolves `ms` later. Rejects with the signal's reason as soon as it aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Calls `work` at a time. Returns a function that cancels it. */
  at(time: number, work: () => void): () => void;
  /** Stops the clock until the promise of `work` settles. */
  during<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Advances time to `end`, and runs everything that's due until then. */
  runUntil(end: number): Promise<void>;
}

interface Alarm {
  time: number;
  order: number;
  work: () => void;
}

/** After this many check phases of the event loop, Node has run everything that doesn't wait for the clock or the database. */
const CALM_TURNS = 3;

/** Work that lets others go first may take any number of turns. */
const hasImmediates = () => process.getActiveResourcesInfo().includes('Immediate');

/** Work that lets others go first ends long before. What waits in vain is another wait like this one, of which each would keep the other. */
const MOST_TURNS = 1_000;

/** Resolves when all work that lets others go first has run on, or waits for something else. */
export async function afterImmediates(): Promise<void> {
  for (let turns = 0; turns < MOST_TURNS; turns += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    if (!hasImmediates()) return;
  }
}

export function createVirtualTime(start: number): VirtualTime {
  let now = start;
  let order = 0;
  let busy = 0;
  let onIdle: (() => void) | null = null;
  const alarms = new Set<Alarm>();

  function at(time: number, work: () => void): () => void {
    const alarm = { time: Math.max(time, now), order: order++, work };
    alarms.add(alarm);
    return () => alarms.delete(alarm);
  }

  const isSooner = (a: Alarm, b: Alarm) => a.time < b.time || (a.time === b.time && a.order < b.order);
  const next = () =>
    [...alarms].reduce<Alarm | null>((first, next) => (first && isSooner(first, next) ? first : next), null);

  async function calm(): Promise<void> {
    for (let turns = 0; turns < CALM_TURNS; turns += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      if (hasImmediates()) turns = -1;
      if (busy === 0) continue;
      await new Promise<void>((resolve) => {
        onIdle = resolve;
      });
      turns = -1;
    }
  }

  async function runAll(end: number): Promise<void> {
    for (;;) {
      await calm();
      const alarm = next();
      if (alarm === null || alarm.time > end) break;
      alarms.delete(alarm);
      now = alarm.time;
      alarm.work();
    }
  }

  return {
    now: () => now,
    at,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const abort = () => {
          callOff();
          reject(signal?.reason);
        };
        const callOff = at(now + ms, () => {
          signal?.removeEventListener('abort', abort);
          resolve();
        });
        signal?.addEventListener('abort', abort, { once: true });
      }),
    async during(work) {
      busy += 1;
      try {
        return await work();
      } finally {
        busy -= 1;
        if (busy === 0) onIdle?.();
      }
    },
    async runUntil(end) {
      const { now: ticks } = performance;
      // By real ticks, how fast this machine is would decide which work pauses for others.
      performance.now = () => now;
      try {
        await runAll(end);
      } finally {
        performance.now = ticks;
      }
      now = Math.max(now, end);
    },
  };
}

export const clock = (at: number) => new Date(at).toISOString().slice(11, 19);
