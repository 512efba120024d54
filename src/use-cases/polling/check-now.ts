import { problemAt, type ServiceProblem } from '../../domain/errors.ts';
import type { Logger } from '../../domain/logger.ts';
import { ALL_RECHECKED, type Check, type CheckNow, type NotRechecked } from '../../domain/polling/check.ts';
import { joinedRanges } from '../../domain/time/coverage.ts';
import type { TimeRange } from '../../domain/time/time-range.ts';

/** How long a person waits for a check; with the answer itself, two seconds at most. */
const WAIT_MS = 1_500;
/** A check ends before the first people who asked stop waiting, so that they learn what it left out. */
const CHECK_MS = 1_300;
/** Minimum time between checks of an environment, so that dozens of questions cost at most one poll a second. */
const SPACING_MS = 1_000;
/** What has been under way for longer may be the poll of a process that ended. */
const LONGEST_WAITED_FOR_MS = 30_000;
/** The pauses between looks for the end of a poll; each is twice as long as the one before. */
const LOOK_AFTER_MS = { first: 25, longest: 200 };

/** The state of an environment's polls. `version`: the last that began; `concluded`: the last that finished or failed. */
export interface PollState {
  readonly version: number;
  readonly concluded: number;
  /** For how long polls have been under way without an end, by the database's clock. Null if none is. */
  readonly underWayMs: number | null;
  readonly isFailing: boolean;
  readonly problem: ServiceProblem | null;
  /** When the last concluded poll ended, by the clock of the process that ran it; null before the first. */
  readonly lastPollAt: Date | null;
}

export interface CheckNowParts {
  readonly store: { pollState(environment: string): Promise<PollState | null> };
  /** Runs the environment's poll at once, on any replica, or again after the current one. */
  wakePoll(environment: string): Promise<void>;
  /** Rechecks some windows that were checked before, until the signal aborts. */
  recheck(environment: string, windows: readonly TimeRange[], signal: AbortSignal): Promise<NotRechecked>;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Returns a signal that aborts after the given milliseconds, or when the process stops. */
  abortAfter(ms: number): AbortSignal;
  /** Returns for how long this process still pauses its polls of an environment because of a rate limit, in milliseconds; 0 if it doesn't. */
  pauseMs(environment: string): number;
  readonly logger: Logger;
  readonly now: () => Date;
}

/** A check that hasn't begun; questions that arrive meanwhile join it. */
interface Waiting {
  readonly windows: TimeRange[];
  readonly check: Promise<Check>;
}

const NOT_YET: Check = { outcome: 'still checking', problem: null, notRechecked: ALL_RECHECKED };
const FAILED: Check = { outcome: 'failed', problem: null, notRechecked: ALL_RECHECKED };

/** Creates the checks for people's questions. Simultaneous questions share a check; one that has begun doesn't answer a later question. */
export function createCheckNow(parts: CheckNowParts): CheckNow {
  const waiting = new Map<string, Waiting>();
  const lastBegun = new Map<string, number>();

  function prepare(environment: string): Waiting {
    const windows: TimeRange[] = [];
    const next = { windows, check: begin(environment, windows) };
    waiting.set(environment, next);
    return next;
  }

  async function begin(environment: string, windows: readonly TimeRange[]): Promise<Check> {
    await parts.sleep(pauseAfter(lastBegun.get(environment), parts.now()));
    waiting.delete(environment);
    lastBegun.set(environment, parts.now().getTime());
    return run(environment, windows, parts);
  }

  return (environment, window) => {
    const timeUp = parts.abortAfter(WAIT_MS);
    const next = waiting.get(environment) ?? prepare(environment);
    if (window !== null) next.windows.push(window);
    return Promise.race([next.check, notYet(timeUp)]);
  };
}

function pauseAfter(lastBegun: number | undefined, now: Date): number {
  if (lastBegun === undefined) return 0;
  return Math.min(SPACING_MS, Math.max(0, lastBegun + SPACING_MS - now.getTime()));
}

async function notYet(timeUp: AbortSignal): Promise<Check> {
  if (!timeUp.aborted) await new Promise((resolve) => timeUp.addEventListener('abort', resolve, { once: true }));
  return NOT_YET;
}

async function run(environment: string, windows: readonly TimeRange[], parts: CheckNowParts): Promise<Check> {
  const timeUp = parts.abortAfter(CHECK_MS);
  try {
    const check = await poll(environment, timeUp, parts);
    if (check.outcome !== 'checked' || windows.length === 0) return check;
    return { ...check, notRechecked: await parts.recheck(environment, joinedRanges(windows), timeUp) };
  } catch (err) {
    parts.logger.warn({ environment, err }, 'check upon a question failed');
    return FAILED;
  }
}

/**
 * Polls and waits for the end. A poll that is under way is waited for first: if another replica runs it, one that begins here would cut it
 * off, and with enough questions none would ever conclude.
 */
async function poll(environment: string, timeUp: AbortSignal, parts: CheckNowParts): Promise<Check> {
  const state = await parts.store.pollState(environment);
  const before = state?.version ?? 0;
  const notYet = () => ({ ...NOT_YET, problem: rateLimitOf(state, parts.pauseMs(environment), parts.now()) });
  if (state !== null && isUnderWay(state) && (await pollAfter(before - 1, environment, timeUp, parts)) === null)
    return notYet();
  await parts.wakePoll(environment);
  return (await pollAfter(before, environment, timeUp, parts)) ?? notYet();
}

/**
 * Polls pause for as long as the service's rate limit asks, whichever request met it: that is why none finishes. Another replica's pause
 * shows in the last poll only. Any other problem may be over by now.
 */
function rateLimitOf(state: PollState | null, pauseMs: number, now: Date): ServiceProblem | null {
  if (pauseMs > 0) return { kind: 'rate-limited', retryAfterMs: pauseMs };
  return state?.problem?.kind === 'rate-limited' ? problemAt(now, state.problem, state.lastPollAt) : null;
}

function isUnderWay({ version, concluded, underWayMs }: PollState): boolean {
  return version > concluded && underWayMs !== null && underWayMs < LONGEST_WAITED_FOR_MS;
}

/** Watches the store for the end of a later poll than `before`, which another replica may run. Null if the time is up first. */
async function pollAfter(
  before: number,
  environment: string,
  timeUp: AbortSignal,
  { store, sleep }: CheckNowParts,
): Promise<Check | null> {
  for (let pause = LOOK_AFTER_MS.first; !timeUp.aborted; pause = Math.min(2 * pause, LOOK_AFTER_MS.longest)) {
    const state = await store.pollState(environment);
    if (state !== null && state.concluded > before) {
      const { isFailing, problem } = state;
      return { outcome: isFailing ? 'failed' : 'checked', problem, notRechecked: ALL_RECHECKED };
    }
    await sleep(pause, timeUp);
  }
  return null;
}
