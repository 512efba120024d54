import PQueue from 'p-queue';
import { MINUTE_MS, SECOND_MS } from '../lib/time/durations.ts';
import { abortAfter } from '../lib/time/waiting.ts';
import type { Call } from './query.ts';

/** Once less than a quarter of the rate limit is left, the poller uses a tenth of it. */
const LITTLE = 0.25;
const POLLER_SHARE = 0.1;
/** A longer `Retry-After` may be a mistake, and meanwhile no poll reports a problem. */
const LONGEST_HOLD_MS = MINUTE_MS;
/** The service counts requests by this much time. */
export const RATE_WINDOW_MS = 5_000;

/** Milliseconds in which no request of theirs begins. */
export interface Holds {
  personMs: number;
  pollerMs: number;
}

/** Admits requests: people's and the poller's by queues of their own, and as many at a time as don't delay acknowledgments. */
export interface Limiter {
  /** Rejects with `busy` where the task didn't begin in `waitMs`. */
  run<Result>(call: Call, waitMs: number, busy: Error, task: () => Promise<Result>): Promise<Result>;
  hold(holds: Holds): void;
  /** How long the poller still has to wait. */
  heldForMs(): number;
}

export function createLimiter(): Limiter {
  // With 200 at once, acknowledgments to Slack were late (p99 66 ms; 22 ms with 20).
  const queues = { person: createQueue(16), poller: createQueue(4) };
  return {
    async run({ who, signal }, waitMs, busy, task) {
      const wait = abortAfter(waitMs, signal, busy);
      const admitted = () => {
        wait.cancel();
        return task();
      };
      return await queues[who].queue.add(admitted, { signal: wait.signal }).finally(wait.cancel);
    },
    hold({ personMs, pollerMs }) {
      queues.person.hold(personMs);
      queues.poller.hold(pollerMs);
    },
    heldForMs: queues.poller.heldForMs,
  };
}

interface HeldQueue {
  queue: PQueue;
  hold(ms: number): void;
  heldForMs(): number;
}

function createQueue(concurrency: number): HeldQueue {
  const queue = new PQueue({ concurrency });
  let timer: NodeJS.Timeout | undefined;
  let heldUntil = 0;
  const heldForMs = () => Math.max(0, heldUntil - performance.now());
  const hold = (ms: number) => {
    if (ms <= heldForMs()) return;
    heldUntil = performance.now() + ms;
    queue.pause();
    clearTimeout(timer);
    timer = setTimeout(() => queue.start(), ms).unref();
  };
  return { queue, hold, heldForMs };
}

/** Returns what an answer with these headers asks to wait. */
export function pausesOf(status: number, headers: Headers, now: number): Holds {
  const remaining = numberIn(headers, 'ratelimit-remaining');
  const limit = numberIn(headers, 'ratelimit-limit');
  const resetMs = (numberIn(headers, 'ratelimit-reset') ?? 0) * SECOND_MS;
  if (status === 429) {
    const ms = retryAfterMs(headers, now) ?? RATE_WINDOW_MS;
    return { personMs: Math.min(ms, RATE_WINDOW_MS), pollerMs: Math.min(ms, LONGEST_HOLD_MS) };
  }
  if (remaining === null || !limit || remaining >= limit * LITTLE) return { personMs: 0, pollerMs: 0 };
  // From one of the poller's requests to the next, if they are a tenth of the limit.
  const pollerMs = Math.min(resetMs, RATE_WINDOW_MS / (limit * POLLER_SHARE));
  // What only the poller uses is left: people wait for the next window.
  const isUsedUp = remaining < limit * POLLER_SHARE;
  return { personMs: isUsedUp ? Math.min(resetMs, RATE_WINDOW_MS) : 0, pollerMs };
}

/** A date is compared with the response's `Date`, else with our clock. At least a second: services may say 0. */
export function retryAfterMs(headers: Headers, now: number): number | null {
  const seconds = numberIn(headers, 'retry-after');
  const date = headers.get('retry-after') ?? '';
  // `Date.parse` takes almost anything; HTTP's dates end in GMT.
  const at = date.endsWith('GMT') ? Date.parse(date) : Number.NaN;
  const answeredAt = Date.parse(headers.get('date') ?? '') || now;
  const ms = seconds === null ? at - answeredAt : seconds * SECOND_MS;
  return Number.isNaN(ms) ? null : Math.max(SECOND_MS, ms);
}

function numberIn(headers: Headers, name: string): number | null {
  const value = headers.get(name)?.trim() ?? '';
  return /^\d{1,10}(\.\d+)?$/.test(value) ? Number(value) : null;
}
