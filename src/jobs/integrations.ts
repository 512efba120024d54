import { ServiceError } from '../domain/errors.ts';
import type { Logger } from '../domain/logger.ts';
import type { BackgroundJob } from './job.ts';
import type { Rest } from './rest.ts';

export interface IntegrationsJobParts {
  readonly pollSeconds: number;
  /** Checks an environment's integrations. Returns how many changes it recorded. Throws `ServiceError`. */
  read(environment: string, signal: AbortSignal): Promise<number>;
  wakeAnnouncing(): Promise<void>;
  readonly logger: Logger;
}

/** How precisely Notif knows the time of a change. */
const MOST_SECONDS = 120;
const POLLS = 2;
const TIMEOUT_SECONDS = 60;

export function integrationsJob(environment: string, rest: Rest, parts: IntegrationsJobParts): BackgroundJob {
  return {
    name: `integrations-${environment}`,
    environment,
    everySeconds: Math.min(POLLS * parts.pollSeconds, MOST_SECONDS),
    timeoutSeconds: TIMEOUT_SECONDS,
    async run(signal) {
      if (rest.isResting()) return;
      try {
        if ((await parts.read(environment, signal)) > 0) await parts.wakeAnnouncing();
      } catch (error) {
        // The loop logs that the job was stopped or cut off.
        if (signal.aborted) return;
        if (!(error instanceof ServiceError)) throw error;
        const restMs = rest.after(error);
        const { kind: problem } = error.problem;
        parts.logger.warn({ environment, problem, restMs, err: error }, "integrations couldn't be read");
      }
    },
  };
}
