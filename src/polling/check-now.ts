import type { Check, CheckNow } from '../health/check.ts';
import { ServiceError, type ServiceProblem } from '../lib/errors.ts';

/** How long a person waits for a check; with the answer itself, two seconds at most. */
const WAIT_MS = 1_500;

/** A poll that takes longer delays no alert. */
const RECORDING_MS = 10_000;

/** The polls of this process, by the questions that wait for them. */
export interface Polls {
  /** Runs a poll and tells those who wait how it ended. Rejects as the poll does. */
  run<Result>(environment: string, poll: () => Promise<Result>): Promise<Result>;
  /** Whether a poll of the environment has been going on for less than ten seconds. */
  isRecording(environment: string): boolean;
  /** Resolves with the end of the next poll that begins. */
  next(environment: string): Promise<Check>;
}

export function createPolls(): Polls {
  const waiting = new Map<string, ((check: Check) => void)[]>();
  const recordingUntil = new Map<string, number>();
  return {
    isRecording: (environment) => (recordingUntil.get(environment) ?? 0) > performance.now(),
    next: (environment) => new Promise((tell) => waiting.set(environment, [...(waiting.get(environment) ?? []), tell])),
    run: async (environment, poll) => {
      const those = waiting.get(environment) ?? [];
      waiting.delete(environment);
      const tell = (check: Check) => {
        for (const resolve of those) resolve(check);
      };
      recordingUntil.set(environment, performance.now() + RECORDING_MS);
      try {
        const result = await poll();
        tell({ outcome: 'checked', problem: null });
        return result;
      } catch (error) {
        tell({ outcome: 'failed', problem: error instanceof ServiceError ? error.problem : null });
        throw error;
      } finally {
        recordingUntil.delete(environment);
      }
    },
  };
}

export interface CheckNowParts {
  readonly polls: Pick<Polls, 'next'>;
  /** Runs the environment's poll in this process at once, or again after the current one. */
  wakePoll(environment: string): Promise<void>;
  sleep(ms: number): Promise<void>;
  /** Returns for how long polls of an environment are still paused because of a rate limit, in milliseconds; 0 if they aren't. */
  pauseMs(environment: string): number;
}

/** Creates the checks for people's questions. Questions that arrive before a poll begins share it. */
export function createCheckNow({ polls, wakePoll, sleep, pauseMs }: CheckNowParts): CheckNow {
  const pauseOf = (environment: string): ServiceProblem | null => {
    const retryAfterMs = pauseMs(environment);
    return retryAfterMs > 0 ? { kind: 'rate-limited', retryAfterMs } : null;
  };
  return async (environment) => {
    const polled = polls.next(environment);
    await wakePoll(environment);
    const timeUp = sleep(WAIT_MS).then((): Check => ({ outcome: 'still checking', problem: pauseOf(environment) }));
    return Promise.race([polled, timeUp]);
  };
}
