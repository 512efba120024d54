import type { Check, CheckNow } from '../health/status.ts';
import { ServiceError } from '../lib/errors.ts';

/** With the answer itself, two seconds at most. */
const WAIT_MS = 1_500;

const RECORDING_MS = 10_000;

export interface Polls {
  /** Rejects as the poll does. */
  run<Result>(environment: string, poll: () => Promise<Result>): Promise<Result>;
  isRecording(environment: string): boolean;
  readonly checkNow: CheckNow;
}

export interface PollsParts {
  wakePoll(environment: string): Promise<void>;
  sleep(ms: number): Promise<void>;
  /** 0 if they aren't paused. */
  pauseMs(environment: string): number;
}

export function createPolls({ wakePoll, sleep, pauseMs }: PollsParts): Polls {
  const waiting = new Map<string, ((check: Check) => void)[]>();
  const recordingUntil = new Map<string, number>();
  return {
    isRecording: (environment) => (recordingUntil.get(environment) ?? 0) > performance.now(),
    run: async (environment, poll) => {
      const tell = waiting.get(environment) ?? [];
      waiting.delete(environment);
      recordingUntil.set(environment, performance.now() + RECORDING_MS);
      try {
        const result = await poll();
        for (const resolve of tell) resolve({ outcome: 'checked', problem: null });
        return result;
      } catch (error) {
        const problem = error instanceof ServiceError ? error.problem : null;
        for (const resolve of tell) resolve({ outcome: 'failed', problem });
        throw error;
      } finally {
        recordingUntil.delete(environment);
      }
    },
    checkNow: async (environment) => {
      const polled = new Promise<Check>((resolve) => {
        waiting.set(environment, [...(waiting.get(environment) ?? []), resolve]);
      });
      await wakePoll(environment);
      const timeUp = sleep(WAIT_MS).then((): Check => {
        const retryAfterMs = pauseMs(environment);
        const problem = retryAfterMs > 0 ? ({ kind: 'rate-limited', retryAfterMs } as const) : null;
        return { outcome: 'still checking', problem };
      });
      return Promise.race([polled, timeUp]);
    },
  };
}
