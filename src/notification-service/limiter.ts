import type { Call } from '../domain/service/query.ts';
import { createPause } from '../domain/time/pause.ts';
import { isStillKept } from '../domain/time/still-kept.ts';
import type { Allowance } from './allowance.ts';
import { createAllowedRate } from './allowed-rate.ts';

/**
 * Admits the requests of one environment from people and the poller. Custom, because existing queues limit neither the poller's share nor
 * the time spent waiting (p-queue 8, bottleneck), or need Node 22 (p-queue 10).
 */
export interface Limiter {
  /**
   * Runs the task as soon as there is room, people first. Two places are kept for the poller, so that hanging calls of people don't stop
   * polling. Rejects with `LimiterBusyError` if there was no room within the caller's wait (or `maxWaitMs`, if shorter), with the signal's
   * reason if it aborts the wait, and as the task does.
   */
  run<T>(caller: Caller, task: () => Promise<T>): Promise<T>;
  /** Records the service's rate limit state. When requests run low, the poller is held back and people aren't. */
  observe(allowance: Allowance): void;
  /** Records how many requests a minute the service says it allows. After a refusal without a stated limit, half is assumed for a while. */
  observeRate(requestsAMinute: number | null, isRefused: boolean): void;
  /** Returns how many requests a minute the service allows by its latest responses. 1,800 until one says. */
  requestsAMinute(): number;
  state(): LimiterState;
}

export interface Caller extends Call {
  readonly maxWaitMs?: number;
}

export interface LimiterState {
  readonly waiting: number;
  /** The waiting requests that people made. */
  readonly waitingPeople: number;
  readonly running: number;
  /** The requests left in the service's window by its last response; null if none of the last two minutes says. */
  readonly remaining: number | null;
  readonly pollerHeldUntil: Date | null;
  /** For how long the poller is still held back because the service refused a request, in milliseconds. */
  readonly refusedForMs: number;
}

export interface LimiterOptions {
  /** Default 20: with two hundred requests opened at once, acknowledgments to Slack were delayed (p99 66 ms, against 22 ms with 20). */
  readonly maxConcurrent?: number;
  /** How long each waits for room. By default a person 8 s, the poller 60 s. */
  readonly maxWaitMs?: { readonly [who in Who]: number };
  readonly now?: () => number;
}

type Who = Call['who'];

/** There was no room before the deadline. */
export class LimiterBusyError extends Error {
  override readonly name = 'LimiterBusyError';
  readonly waitedMs: number;

  constructor(waitedMs: number) {
    super('no room for the request before its deadline');
    this.waitedMs = waitedMs;
  }
}

const MAX_WAIT_MS = { person: 8_000, poller: 60_000 };
/** A process that polls has a newer answer by then, by default; what another process uses up, this one doesn't see. */
const REMAINING_KEPT_MS = 2 * 60_000;
/** The poller always leaves room for people. */
const MAX_POLLER = 4;
/** Places reserved for the poller if there are more than these. */
const KEPT_FOR_POLLER = 2;

export function createLimiter(options: LimiterOptions = {}): Limiter {
  const { maxConcurrent = 20, maxWaitMs = MAX_WAIT_MS, now = Date.now } = options;
  const maxPeople = Math.max(1, maxConcurrent - KEPT_FOR_POLLER);
  const queues = { person: new Set<Admit>(), poller: new Set<Admit>() };
  const running = { person: 0, poller: 0 };
  let stated: { readonly remaining: number; readonly at: number } | null = null;
  const pollerHold = createPause(now);
  const refusal = createPause(now);
  let holdTimer: NodeJS.Timeout | undefined;
  const rate = createAllowedRate(now);

  function hasRoom(who: Who): boolean {
    if (running.person + running.poller >= maxConcurrent) return false;
    if (who === 'person') return running.person < maxPeople;
    return running.poller < MAX_POLLER && pollerHold.end() === null;
  }

  function admitWaiting(): void {
    for (const who of ['person', 'poller'] as const) {
      for (const admit of queues[who]) {
        if (!hasRoom(who)) break;
        running[who]++;
        admit();
      }
    }
  }

  /** Admits who waits once the poller's hold is over. Node's timers can fire a millisecond before the clock shows their time. */
  function admitAfterHold(): void {
    clearTimeout(holdTimer);
    const heldUntil = pollerHold.end();
    if (heldUntil === null) admitWaiting();
    else holdTimer = setTimeout(admitAfterHold, heldUntil - now()).unref();
  }

  async function enter(caller: Caller): Promise<void> {
    const { who, signal } = caller;
    signal?.throwIfAborted();
    if (queues[who].size > 0 || !hasRoom(who)) {
      const waitMs = Math.min(maxWaitMs[who], caller.maxWaitMs ?? Number.POSITIVE_INFINITY);
      return await waitForTurn(queues[who], waitMs, signal, now);
    }
    running[who]++;
  }

  return {
    async run(caller, task) {
      await enter(caller);
      try {
        return await task();
      } finally {
        running[caller.who]--;
        admitWaiting();
      }
    },
    observe(allowance) {
      if (allowance.remaining !== null) stated = { remaining: allowance.remaining, at: now() };
      if (allowance.holdPollerMs <= 0) return;
      pollerHold.extend(allowance.holdPollerMs);
      if (allowance.isRefused) refusal.extend(allowance.holdPollerMs);
      admitAfterHold();
    },
    observeRate: rate.observe,
    requestsAMinute: rate.requestsAMinute,
    state: () => {
      const heldUntil = pollerHold.end();
      return {
        waiting: queues.person.size + queues.poller.size,
        waitingPeople: queues.person.size,
        running: running.person + running.poller,
        remaining: stated !== null && isStillKept(stated.at, REMAINING_KEPT_MS, now()) ? stated.remaining : null,
        pollerHeldUntil: heldUntil === null ? null : new Date(heldUntil),
        refusedForMs: refusal.leftMs(),
      };
    },
  };
}

type Admit = () => void;

/** Adds a waiter to the end of a queue. It leaves at the deadline and when the signal aborts. */
function waitForTurn(
  queue: Set<Admit>,
  waitMs: number,
  signal: AbortSignal | undefined,
  now: () => number,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const since = now();
    const leave = () => {
      queue.delete(admit);
      clearTimeout(deadline);
      signal?.removeEventListener('abort', abort);
    };
    const admit = () => {
      leave();
      resolve();
    };
    const abort = () => {
      leave();
      reject(signal?.reason);
    };
    const deadline = setTimeout(() => {
      leave();
      reject(new LimiterBusyError(now() - since));
    }, waitMs);
    signal?.addEventListener('abort', abort);
    queue.add(admit);
  });
}
