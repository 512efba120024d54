import { inTime, type Sleep } from '../lib/time/waiting.ts';
import { ServiceError, type ServiceProblem } from '../service/service-error.ts';

/** So long a person waits for a check; the rest of three seconds is for the answer. */
const WAIT_MS = 1_500;

/** Alerts don't wait for a poll that takes longer. */
const RECORDING_MS = 10_000;

export type CheckOutcome = 'checked' | 'still checking' | 'failed';

export type Check = { outcome: CheckOutcome; problem: ServiceProblem | null };

/** It takes at most two seconds, and never rejects. */
export type CheckNow = (environment: string) => Promise<Check>;

interface PollsCtx {
  wakePoll: (environment: string) => Promise<void>;
  sleep: Sleep;
  /** For how long the service wants no requests; 0: it takes them. */
  heldForMs: (environment: string) => number;
}

export interface Polls {
  isRecording(environment: string): boolean;
  run<Result>(environment: string, poll: () => Promise<Result>): Promise<Result>;
  checkNow: CheckNow;
}

/** Checks that arrive before a poll begins share it. */
export function createPolls({ wakePoll, sleep, heldForMs }: PollsCtx): Polls {
  const waiting = new Map<string, ((check: Check) => void)[]>();
  const recordingUntil = new Map<string, number>();
  return {
    isRecording: (environment: string) => (recordingUntil.get(environment) ?? 0) > performance.now(),
    async run<Result>(environment: string, poll: () => Promise<Result>) {
      const waiters = waiting.get(environment) ?? [];
      waiting.delete(environment);
      recordingUntil.set(environment, performance.now() + RECORDING_MS);
      try {
        const result = await poll();
        for (const resolve of waiters) resolve({ outcome: 'checked', problem: null });
        return result;
      } catch (error) {
        const problem = error instanceof ServiceError ? error.problem : null;
        for (const resolve of waiters) resolve({ outcome: 'failed', problem });
        throw error;
      } finally {
        recordingUntil.delete(environment);
      }
    },
    async checkNow(environment: string): Promise<Check> {
      const polled = new Promise<Check>((resolve) => {
        waiting.set(environment, [...(waiting.get(environment) ?? []), resolve]);
      });
      await wakePoll(environment);
      const checked = await inTime(polled, WAIT_MS, null, sleep);
      if (checked !== null) return checked;
      const retryAfterMs = heldForMs(environment);
      return { outcome: 'still checking', problem: retryAfterMs > 0 ? { kind: 'rate-limited', retryAfterMs } : null };
    },
  };
}
