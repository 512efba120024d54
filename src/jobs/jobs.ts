import type { Logger } from '../domain/logger.ts';
import type { BackgroundJob } from './job.ts';

export const ANNOUNCE = 'announce';
export const DELIVER = 'deliver';
export const HEARTBEAT = 'heartbeat';

/** The interval for running without being woken, in case a timer or a wake-up was lost. */
export const DELIVER_EVERY_SECONDS = 30;

/** Replicas share the work: one of them claims each message. */
export function deliverJob(
  deliver: (signal: AbortSignal) => Promise<void>,
  setTimer: () => Promise<void>,
): BackgroundJob {
  return {
    name: DELIVER,
    environment: null,
    everySeconds: DELIVER_EVERY_SECONDS,
    // A run continues until nothing is left to post. What a cut-off one leaves behind can be claimed again after its lease.
    timeoutSeconds: 120,
    async run(signal) {
      await deliver(signal);
      if (!signal.aborted) await setTimer();
    },
  };
}

/** Also runs once in each poll interval: what is stored gets announced even if polling throws, hangs or pauses. */
export function announceJob(
  everySeconds: number,
  parts: {
    /** Returns the ids of the messages written. */
    announce(signal: AbortSignal): Promise<readonly string[]>;
    wakeDelivery(): Promise<void>;
    setDeliveryTimer(): Promise<void>;
  },
): BackgroundJob {
  return {
    name: ANNOUNCE,
    environment: null,
    everySeconds,
    // Far longer than needed: it writes a few rows for each watch, and the store ends a hanging statement much earlier.
    timeoutSeconds: 300,
    async run(signal) {
      if ((await parts.announce(signal)).length > 0) await parts.wakeDelivery();
      else await parts.setDeliveryTimer();
    },
  };
}

/** One replica runs the installation's jobs, so the death of another raises no alarm. The time limit is longer than the call can take. */
export function heartbeatJob(everySeconds: number, send: (signal: AbortSignal) => Promise<void>): BackgroundJob {
  return { name: HEARTBEAT, environment: null, everySeconds, timeoutSeconds: 30, run: send };
}

/** A summary is written within this time and within a poll interval, since it covers what the polls have found. */
const SUMMARY_WITHIN_SECONDS = 30;

export function summariesJob(parts: {
  readonly pollSeconds: number;
  summarise(signal: AbortSignal): Promise<number>;
  wakeDelivery(): Promise<void>;
}): BackgroundJob {
  return {
    name: 'summaries',
    environment: null,
    everySeconds: Math.min(parts.pollSeconds, SUMMARY_WITHIN_SECONDS),
    timeoutSeconds: 120,
    async run(signal) {
      if ((await parts.summarise(signal)) > 0) await parts.wakeDelivery();
    },
  };
}

export interface PruneParts {
  readonly store: {
    prune(now: Date, retentionDays: number, signal: AbortSignal): Promise<number>;
  };
  readonly retentionDays: number;
  readonly logger: Logger;
  readonly now: () => Date;
}

/** Data may be kept a little longer than promised, and an hour's worth is quickly deleted. */
export function pruneJob({ store, retentionDays, logger, now }: PruneParts): BackgroundJob {
  return {
    name: 'prune',
    environment: null,
    everySeconds: 3600,
    timeoutSeconds: 600,
    async run(signal) {
      const rows = await store.prune(now(), retentionDays, signal);
      logger.info({ rows, days: retentionDays }, 'old rows deleted');
    },
  };
}
